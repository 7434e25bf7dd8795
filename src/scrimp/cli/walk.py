"""A walk through a model, step by step, on the reference interpreter: what `simulate` and `replay` are made of."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from pathlib import Path

from scrimp.errors import ScrimpError
from scrimp.result import Step, StepMove, Trace
from scrimp.system import reference
from scrimp.system.reference import Fault, State
from scrimp.system.system import System
from scrimp.trace import ReplayedSteps, ReplayError, Words, step

ANOTHER_MODEL = "was the trace made from another model?"


class Walk:
    """The events so far, and where they lead; it ends where no event is left or one has faulted."""

    def __init__(self, system: System) -> None:
        self.system = system
        self._events = array("I")
        self._words = Words(system)
        self._last: Step | None = None
        self._end: State | Fault = reference.initial(system)
        self._failed: tuple[str, ...] = ()

    @property
    def length(self) -> int:
        return len(self._events)

    @property
    def last(self) -> Step | None:
        """The step that was taken last."""
        return self._last

    @property
    def end(self) -> State | Fault:
        return self._end

    @property
    def failed(self) -> tuple[str, ...]:
        """What the last step violated without faulting."""
        return self._failed

    @property
    def trace(self) -> Trace:
        return Trace(self._replayed())

    def events(self) -> list[int]:
        """What can be done next."""
        return [] if isinstance(self.end, Fault) else reference.enabled(self.system, self.end)

    def moves(self, event: int) -> tuple[StepMove, ...]:
        """Who would move, and how, if an enabled event were taken."""
        return self._words.moves(event)

    def take(self, event: int) -> Step:
        before = self._state()
        outcome = step(self.system, before, event, self.length + 1)
        self._end, self._failed = outcome.after, outcome.failed
        self._last = self._words.step(before, event, outcome)
        self._events.append(event)
        return self._last

    def undo(self) -> None:
        """Take the steps but the last once more."""
        if not self._events:
            return
        self._events.pop()
        replayed = self._replayed()
        self._end, self._failed = replayed.end, replayed.failed
        self._last = replayed[-1] if replayed else None

    def ending(self) -> str | None:
        """Why there is no next step, in words; None where there is one."""
        if isinstance(self.end, Fault):
            return self.end.message
        if self.events():
            return None
        if reference.is_deadlock(self.system, self.end):
            return "deadlock: no process can move"
        return "a valid end: no process can move"

    def _state(self) -> State:
        if isinstance(self.end, Fault):
            raise ReplayError(f"step {self.length + 1}: the step before it faulted: {self.end.message}")
        return self.end

    def _replayed(self) -> ReplayedSteps:
        return ReplayedSteps(self.system, self._events[:])


def follow(walk: Walk, steps: Iterable[Step], file: Path) -> None:
    """Take the steps of a trace file; one that this model does not have, or not here, is refused."""
    for expected in steps:
        try:
            taken = walk.take(expected.event)
        except ReplayError as error:
            raise ScrimpError(f"{file}: {error}; {ANOTHER_MODEL}") from error
        if _words(taken) != _words(expected):
            where = f"{file}: step {walk.length}"
            found = f"the model has {_shown(taken)} where the trace has {_shown(expected)}"
            raise ScrimpError(f"{where}: {found}; {ANOTHER_MODEL}")


def _words(taken: Step) -> list[tuple[str, str]]:
    return [(move.process, move.text) for move in taken.moves]


def _shown(taken: Step) -> str:
    return " with ".join(f"{process} '{text}'" for process, text in _words(taken))
