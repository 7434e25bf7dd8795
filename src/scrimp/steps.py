"""A trace as values: its steps, the processes that move in each, and the variables that change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeAlias

from scrimp.numbers import counted

if TYPE_CHECKING:
    from scrimp.vocabulary import Names

# A variable's or element's value, or the messages of a channel, oldest first.
Value: TypeAlias = int | tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class StepMove:
    """What one process does in a step.

    Attributes:
        process: the process that moves.
        source: the location it leaves.
        target: the location it enters.
        text: the statement, as in the model.
        line: the line of the statement; lines and columns count from 1.
        column: likewise.
        file: the file, if it is an included one.

    Example:
        >>> import scrimp
        >>> move = scrimp.check("models/broken_lock.dve").trace.steps[0].moves[0]
        >>> move.process, move.source, move.target, move.line
        ('First', 'idle', 'saw_it_free', 12)
    """

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
    """A variable, array element or channel whose value a step changed.

    Attributes:
        name: of the variable, element or channel.
        old: its value before: a number, or the messages of a channel, oldest first.
        new: its value after.
        names: the names of its values: one table for a variable, one per field of the messages of a channel, none if
            they are plain numbers.

    Example:
        >>> import scrimp
        >>> scrimp.check("models/broken_lock.dve").trace.steps[2].changes[0]
        Change(name='taken', old=0, new=1)
    """

    name: str
    old: Value
    new: Value
    names: tuple[Names, ...] = field(default=(), compare=False, repr=False)

    def to_dict(self) -> dict[str, Any]:
        return {"name": self.name, "old": _plain(self.old), "new": _plain(self.new)}


@dataclass(frozen=True, slots=True)
class Passed:
    """The message that one process passed to another in a rendezvous."""

    channel: str
    values: tuple[int, ...]
    names: tuple[Names, ...] = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Step:
    """One event of a trace: who moved, and what changed.

    Attributes:
        event: the number of the event in the system.
        moves: the moves of the processes that took part.
        changes: the variables, array elements and channels that changed.
        fault: what is wrong with the event, if anything: why it leads to no state, or which assertion it violates.
        passed: the message that the first of two processes passed to the second; not in records.
        transient: whether searches pass the state after it without counting it, as inside `atomic`; not in records.

    Example:
        >>> import scrimp
        >>> step = scrimp.check("models/broken_lock.dve").trace.steps[3]
        >>> [(move.process, move.text) for move in step.moves]
        [('Second', 'saw_it_free -> critical { effect taken = 1, inside = inside + 1; }')]
        >>> [(change.name, change.old, change.new) for change in step.changes]
        [('inside', 1, 2)]
    """

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


@dataclass(frozen=True, slots=True, repr=False)
class Trace:
    """A path of events from the initial state, replayed by the reference interpreter.

    Attributes:
        steps: the steps of the path.
        cycle: the steps that lead from the end of the path back to it, and repeat forever; None if the trace is just a
            path.

    Both are sequences that replay their steps when they are read: a depth-first trace may have millions of steps, and
    takes a few bytes for each. `tuple(trace.steps)` holds them all.

    Example:
        >>> import scrimp
        >>> trace = scrimp.check("models/broken_lock.dve").trace
        >>> trace
        <Trace of 4 steps>
        >>> [step.moves[0].process for step in trace.steps]
        ['First', 'Second', 'First', 'Second']
    """

    steps: Sequence[Step]
    cycle: Sequence[Step] | None = None

    def __repr__(self) -> str:
        cycle = "" if self.cycle is None else f" and a cycle of {counted(len(self.cycle), 'step')}"
        return f"<Trace of {counted(len(self.steps), 'step')}{cycle}>"

    def once_around(self) -> Iterator[Step]:
        """The steps of the path, and of the cycle once."""
        return chain(self.steps, self.cycle or ())

    @property
    def events(self) -> tuple[int, ...]:
        """The numbers of the events of the path, and of the cycle once."""
        return tuple(step.event for step in self.once_around())

    def to_dict(self) -> dict[str, Any]:
        cycle = None if self.cycle is None else [step.to_dict() for step in self.cycle]
        return {"steps": [step.to_dict() for step in self.steps], "cycle": cycle}


def _plain(value: Value) -> Any:
    return value if isinstance(value, int) else [list(message) for message in value]
