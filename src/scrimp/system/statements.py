"""Statements: the effect of a transition is a sequence of them, executed in order; each sees what those before it
wrote."""

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
    """Assign the value to `place`; a value outside the variable's range wraps around or faults, as its type says."""

    place: Place
    value: Expression


@dataclass(frozen=True, slots=True)
class Enqueue:
    """Append a message to a buffered channel; a fault if it is full. Values are brought into the fields' ranges.

    If `sorted`, the message is inserted before the oldest one that is greater, field by field, instead of at the end.
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
    """A violation if `test` is false: a fault or, if it is not `fatal`, a violation after which the effect continues.
    `text` says what is wrong, `kind` whether the model's author asserts the test or the language demands it."""

    test: Expression
    text: str
    fatal: bool = True
    kind: ViolationKind = ViolationKind.FAULT


@dataclass(frozen=True, slots=True)
class Outgrow:
    """The system is too small for the model, for instance for one more process: this is not a fault, but the limit of
    this system. `need` says to the front end what a larger system must have room for."""

    need: str


Statement: TypeAlias = Assign | Enqueue | Dequeue | Clear | If | Assert | Outgrow
