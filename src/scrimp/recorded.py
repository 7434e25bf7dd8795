"""Following a recorded path: one of our trace files, or one of SPIN's trails."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from scrimp.errors import ScrimpError
from scrimp.numbers import counted
from scrimp.outputs.trace_file import Claim, read_trace_file
from scrimp.outputs.trail import Trail, TrailStep, is_trail, read_trail
from scrimp.steps import Trace
from scrimp.system import reference
from scrimp.system.reference import PROGRAM, SETTLING, Fault
from scrimp.walking import ANOTHER_MODEL, Walk, follow_trace, require_closed

# How many steps a process may take between two lines of a trail.
MOST_UNLISTED = 10_000

# SPIN resets variables that are not read again, so a cycle of its states may close in ours only after one more round,
# or after a few if statements were merged.
MOST_ROUNDS = 4


def follow_recorded(walk: Walk, recorded: Trace | str | os.PathLike[str]) -> Claim | None:
    """Take the steps of a trace, or of a file. Returns what they end in: as the file claims or, for a trail, which
    claims nothing, as it was found; None if nothing is wrong at the end."""
    if isinstance(recorded, Trace):
        follow_trace(walk, recorded, name_of(recorded))
        return Claim("simulation", "", "a path of the model")
    return _follow_file(walk, Path(recorded))


def name_of(recorded: Trace | str | os.PathLike[str]) -> str:
    """Its name in messages."""
    return "the trace" if isinstance(recorded, Trace) else os.fspath(recorded)


def _follow_file(walk: Walk, file: Path) -> Claim | None:
    if is_trail(file):
        return _Follower(walk, read_trail(file), file).follow()
    recorded = read_trace_file(file)
    follow_trace(walk, recorded.trace, str(file))
    return recorded.shows


class _Follower:
    """Takes the steps of a trail. If statements were merged, processes continue as long as they have exactly one
    enabled event, until the next step of the trail can be taken."""

    def __init__(self, walk: Walk, trail: Trail, file: Path) -> None:
        if walk.model.spin is None:
            raise ScrimpError(f"{file}: a SPIN trail needs a Promela model, not one in {walk.model.language}")
        if walk.system.claim is not None and not trail.watched:
            raise ScrimpError(f"{file}: the trail was made without the model's claim; use --ignore-claims")
        self.walk = walk
        self.trail = trail
        self.file = file

    def follow(self) -> Claim | None:
        steps = self._known(self.trail.steps)
        if self.trail.cycle is None:
            self._follow(steps, 1)
            return self._shown(steps[-1].process if steps else None)
        before = len(self._known(self.trail.steps[: self.trail.cycle]))
        self._follow(steps[:before], 1)
        for _ in range(MOST_ROUNDS):
            self.walk.begin_cycle()
            self._follow(steps[before:], before + 1)
            if self.walk.closes:
                break
        require_closed(self.walk, str(self.file))
        cycle = self.walk.trace.cycle
        return Claim(
            "cycle", "", f"a cycle of {counted(len(cycle), 'step')}" if cycle else "a state without steps, forever"
        )

    def _follow(self, steps: list[TrailStep], number: int) -> None:
        """Take steps; the first has this number in the trail."""
        place = 0
        while place < len(steps):
            place += self._take(steps[place : place + 2], number + place)
            self._finish_d_step(last=place == len(steps))

    def _known(self, steps: Iterable[TrailStep]) -> list[TrailStep]:
        """The steps of processes that the model has."""
        return [step for step in map(self._ours, steps) if step is not None]

    def _ours(self, step: TrailStep) -> TrailStep | None:
        """A step with our number of its process; None for a step of the claim if the model has none."""
        if not self.trail.watched:
            return step
        if step.process > 0:
            return step._replace(process=step.process - 1)
        return None if self.walk.system.claim is None else step._replace(process=self.walk.system.claim)

    def _take(self, following: list[TrailStep], number: int) -> int:
        """Take the first step, or the first two if they are a handshake; returns how many were taken."""
        for _ in range(MOST_UNLISTED):
            for event in self.walk.events():
                listed = self._listed(event)
                if listed and listed == following[: len(listed)]:
                    self.walk.take(event)
                    return len(listed)
            if not self.trail.merged or not any(self._continues(step.process) for step in following):
                break
        process, statement = following[0]
        where = f"{self.file}: step {number}"
        raise ScrimpError(f"{where}: process {process} cannot execute statement {statement} here; {ANOTHER_MODEL}")

    def _listed(self, event: int) -> list[TrailStep]:
        """The steps of a trail that represent an event."""
        assert self.walk.model.spin is not None
        statements = self.walk.model.spin.statements
        moves = self.walk.system.transitions[event].moves
        return [TrailStep(move.process, statements[move]) for move in moves if move in statements]

    def _finish_d_step(self, *, last: bool) -> None:
        """Take the steps that trails leave out: those between the first and the last of a `d_step`. A trail that ends
        in one may show a fault inside it."""
        while not (last and self.walk.failed) and (events := self.walk.events()) and not self._listed(events[0]):
            self.walk.take(events[0])

    def _continues(self, process: int) -> bool:
        """Let a process continue if it has exactly one enabled event; a process in an atomic sequence comes first."""
        if isinstance(self.walk.end, Fault):
            return False
        holder = self.walk.end.holder
        mover = process if holder is None or holder in (PROGRAM, SETTLING) else holder
        ways = [event for event in self.walk.events() if self.walk.system.transitions[event].moves[0].process == mover]
        if len(ways) == 1:
            self.walk.take(ways[0])
        return len(ways) == 1

    def _shown(self, last: int | None) -> Claim | None:
        """What the end of the trail shows, after merged statements have been executed to their end."""
        if self.trail.merged and last is not None:
            others = [process for process in range(len(self.walk.system.processes)) if process != last]
            for process in [last, *others]:
                for _ in range(MOST_UNLISTED):
                    if self._wrong() is not None or not self._continues(process):
                        break
        return self._wrong()

    def _wrong(self) -> Claim | None:
        walk = self.walk
        if isinstance(walk.end, Fault) or walk.failed:
            fault = walk.failed[0] if walk.failed else walk.end
            assert isinstance(fault, Fault)
            return Claim(fault.kind.value, "", fault.message)
        if reference.is_deadlock(walk.system, walk.end):
            return Claim("deadlock", "", str(walk.ending()))
        return None
