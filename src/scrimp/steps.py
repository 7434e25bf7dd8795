"""A trace as values: its steps, who moves in each, and what changes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from scrimp.vocabulary import Names

# A variable's or element's value, or the messages of a channel, oldest first.
Value: TypeAlias = int | tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class StepMove:
    """What one process does in a step; lines and columns count from 1. `file` is given where it is not the model's own,
    as for what was included."""

    process: str
    source: str
    target: str
    text: str
    line: int
    column: int
    file: str | None = None

    def to_dict(self) -> dict[str, Any]:
        return {name: value for name, value in asdict(self).items() if value is not None}


@dataclass(frozen=True, slots=True)
class Change:
    """A variable, array element or channel whose value a step changed. `names` says what its values are called: one
    table for a variable, one per field of the messages of a channel, none where they are plain numbers."""

    name: str
    old: Value
    new: Value
    names: tuple[Names, ...] = field(default=(), compare=False, repr=False)

    def to_dict(self) -> dict[str, Any]:
        return {"name": self.name, "old": _plain(self.old), "new": _plain(self.new)}


@dataclass(frozen=True, slots=True)
class Passed:
    """What one process handed to another when they met."""

    channel: str
    values: tuple[int, ...]
    names: tuple[Names, ...] = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Step:
    """One event of a trace: who moved, and what changed. `fault` says what is wrong with the event: why it leads
    to no state, or which assertion it violates. For those who show traces, and in no record: `passed` is what the first
    of two movers gave to the second; `transient` says that searches pass the state after it without counting it."""

    event: int
    moves: tuple[StepMove, ...]
    changes: tuple[Change, ...] = ()
    fault: str | None = None
    passed: Passed | None = field(default=None, compare=False)
    transient: bool = field(default=False, compare=False)

    def to_dict(self) -> dict[str, Any]:
        return {
            "event": self.event,
            "moves": [move.to_dict() for move in self.moves],
            "changes": [change.to_dict() for change in self.changes],
            "fault": self.fault,
        }


@dataclass(frozen=True, slots=True)
class Trace:
    """A path of events from the initial state, replayed by the reference interpreter. If there is a `cycle`, it leads
    from the end of the path back there, and repeats forever.

    `steps` and `cycle` are sequences that are replayed whenever they are looked at: a depth-first trace may have
    millions of steps, and takes a few bytes for each. `tuple(steps)` holds them all.
    """

    steps: Sequence[Step]
    cycle: Sequence[Step] | None = None

    def once_around(self) -> Iterator[Step]:
        """The path, and the cycle once."""
        return chain(self.steps, self.cycle or ())

    @property
    def events(self) -> tuple[int, ...]:
        """Of the path, and of the cycle once."""
        return tuple(step.event for step in self.once_around())

    def to_dict(self) -> dict[str, Any]:
        cycle = None if self.cycle is None else [step.to_dict() for step in self.cycle]
        return {"steps": [step.to_dict() for step in self.steps], "cycle": cycle}


def _plain(value: Value) -> Any:
    return value if isinstance(value, int) else [list(message) for message in value]
