"""A sample of the reachable states, by the reference interpreter: the first few, breadth first, and some random walks.

The amount of work is fixed, not the time, so that the same model always gives the same sample. The sample includes
transient states: they are packed into words like all others.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import replace
from random import Random
from typing import NamedTuple

from scrimp.machine.waiting import waits
from scrimp.system.reference import PROGRAM, SETTLING, Messages, Outgrown, State, Values, fire, is_committed, is_enabled
from scrimp.system.system import System

# Tests of guards, and firings, each counted as one.
_WORK_BREADTH_FIRST = 1_200
_WORK_WALKING = 3_600
_FIRST_WALK = 40
_SEED = 1


class _View(NamedTuple):
    """A state, and whether its timeout is true."""

    locations: tuple[int, ...]
    values: tuple[Values, ...]
    channels: tuple[Messages, ...]
    timeout: bool


class Sampler:
    """`outgrown` lists what events needed for which the system is too small, each with the state in which it was
    needed; once for each need and each place of the processes."""

    def __init__(self, system: System) -> None:
        self.system = system
        self.outgrown: list[tuple[str, State]] = []
        self._needs: set[tuple[str, tuple[int, ...]]] = set()
        # The process with exclusive control is determined here, from the locations, faster than by the reference.
        plain = (t if t.holder is None else replace(t, holder=None) for t in system.transitions)
        self.plain = replace(system, transitions=tuple(plain), claim=None)
        self.random = Random(_SEED)
        self.work = 0
        self.waiting = any(map(waits, system.transitions))

    def states(self, start: State) -> Iterator[State]:
        """Some states that are reachable from `start`, including itself; some of them more than once."""
        yield from self._breadth_first(start)
        yield from self._walks(start)

    def _breadth_first(self, start: State) -> Iterator[State]:
        limit = self.work + _WORK_BREADTH_FIRST
        seen = {start}
        waiting = deque([start])
        while waiting and self.work < limit:
            state = waiting.popleft()
            yield state
            for following in self._successors(state):
                if following not in seen:
                    seen.add(following)
                    waiting.append(following)
        yield from waiting

    def _walks(self, start: State) -> Iterator[State]:
        limit = self.work + _WORK_WALKING
        steps = _FIRST_WALK
        while self.work < limit:
            self.work += 1
            yield from self._walk(start, steps, limit)
            steps *= 2

    def _walk(self, state: State, steps: int, limit: int) -> Iterator[State]:
        for _ in range(steps):
            following = next(self._successors(state, shuffled=True), None)
            if following is None or self.work >= limit:
                return
            state = following
            yield state

    def _successors(self, state: State, shuffled: bool = False) -> Iterator[State]:
        """The successors by the events of the first turn that has any."""
        for processes, timeout in self._turns(state):
            candidates = self._candidates(state, processes)
            if shuffled:
                self.random.shuffle(candidates)
            some = False
            for event in candidates:
                following = self._fired(state, event, timeout)
                if following is not None:
                    some = True
                    yield following
            if some:
                return

    def _turns(self, state: State) -> Iterator[tuple[Iterable[int], bool]]:
        """The processes whose events are tried, turn after turn; with the value of `Timeout` for them. The holder of an
        ordinary state is tried, too, without effect."""
        everybody = range(len(self.system.processes))
        claim = self.system.claim
        if state.holder == PROGRAM:
            others = [process for process in everybody if process != claim]
            yield others, False
            yield others, True
        elif state.holder is not None and state.holder != SETTLING:
            yield (state.holder,), False
        leading = everybody if claim is None else (claim,)
        yield leading, False
        if self.waiting:
            yield leading, True

    def _candidates(self, state: State, processes: Iterable[int]) -> list[int]:
        """The events whose leading process is at its source, as far as committed locations allow them."""
        leaving = self.system.leaving
        events = [event for process in processes for event in leaving.get((process, state.locations[process]), ())]
        if is_committed(self.system, state):
            events = [event for event in events if self.system.transitions[event].urgent]
        return events

    def _fired(self, state: State, event: int, timeout: bool) -> State | None:
        self.work += 1
        view = _View(state.locations, state.values, state.channels, timeout)
        if not is_enabled(self.plain, view, event):
            return None
        self.work += 1
        try:
            following = fire(self.plain, state, event)
        except Outgrown as outgrown:
            if (outgrown.need, state.locations) not in self._needs:
                self._needs.add((outgrown.need, state.locations))
                self.outgrown.append((outgrown.need, state))
            return None
        return self._held(state, event, following) if isinstance(following, State) else None

    def _held(self, before: State, event: int, after: State) -> State:
        """The state after an event, with the process, if any, that has exclusive control in it."""
        transition = self.system.transitions[event]
        if transition.moves[0].process == self.system.claim:
            settles = before.holder in (PROGRAM, SETTLING)
            goes_on = SETTLING if settles else self.system.claim
            follower = None if settles else PROGRAM
            return replace(after, holder=follower if transition.holder is None else goes_on)
        return after if transition.holder is None else replace(after, holder=transition.holder)
