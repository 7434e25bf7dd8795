"""Statements: what the effect of a transition is made of, executed in order; each sees what those before it wrote."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from scrimp.system.expressions import Constant, Expression
from scrimp.system.violations import ViolationKind

OLDEST = Constant(0)
"""The position of the oldest message of a channel."""


@dataclass(frozen=True, slots=True)
class Place:
    """A variable, or one element of an array variable, as the target of an assignment."""

    variable: int
    index: Expression | None = None


@dataclass(frozen=True, slots=True)
class Assign:
    """Give `place` the value, brought into the variable's range or faulting as its type says."""

    place: Place
    value: Expression


@dataclass(frozen=True, slots=True)
class Enqueue:
    """Append a message to a buffered channel; a fault when it is full. Values are brought into the fields' ranges.

    If `sorted`, the message goes before the oldest one that is greater, field by field, instead of to the end.
    """

    channel: int
    values: tuple[Expression, ...]
    sorted: bool = False


@dataclass(frozen=True, slots=True)
class Dequeue:
    """Remove the message at `position` of a buffered channel, the oldest being at 0, into `places`; a fault if there
    is no such message. `None` drops a field."""

    channel: int
    places: tuple[Place | None, ...]
    position: Expression = OLDEST


@dataclass(frozen=True, slots=True)
class Clear:
    """Remove all messages of a buffered channel."""

    channel: int


@dataclass(frozen=True, slots=True)
class If:
    test: Expression
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...] = ()


@dataclass(frozen=True, slots=True)
class Assert:
    """A violation when `test` is false: a fault, or, if it is not `fatal`, one after which the effect goes on.
    `text` says what is wrong then, `kind` whether the model's author asserts it or the language demands it."""

    test: Expression
    text: str
    fatal: bool = True
    kind: ViolationKind = ViolationKind.FAULT


@dataclass(frozen=True, slots=True)
class Outgrow:
    """The system is too small for the model, for instance for one more process: this is no fault, but the limit of this
    system. `need` names to the front end what a larger system must have room for."""

    need: str


Statement: TypeAlias = Assign | Enqueue | Dequeue | Clear | If | Assert | Outgrow
