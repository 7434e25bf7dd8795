"""Statements: what the effect of a transition is made of, executed in order; each sees what those before it wrote."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from scrimp.system.expressions import Expression


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
    """Append a message to a buffered channel; a fault when it is full. Values are brought into the fields' ranges."""

    channel: int
    values: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Dequeue:
    """Remove the oldest message of a buffered channel into `places`; a fault when it is empty. `None` drops a field."""

    channel: int
    places: tuple[Place | None, ...]


@dataclass(frozen=True, slots=True)
class If:
    test: Expression
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...] = ()


@dataclass(frozen=True, slots=True)
class Assert:
    """A fault when `test` is false."""

    test: Expression
    text: str


Statement: TypeAlias = Assign | Enqueue | Dequeue | If | Assert
