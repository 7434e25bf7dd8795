"""A glance at the reachable states with the reference interpreter: the first few, breadth first, and some random walks.

The amount of work is fixed, not the time, so that the same model always gives the same sample.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator
from random import Random

from scrimp.system.reference import EvaluationFault, State, evaluate, fire, is_enabled
from scrimp.system.system import System

# Tests of guards, and firings, each counted as one.
_WORK_BREADTH_FIRST = 1_200
_WORK_WALKING = 3_600
_FIRST_WALK = 40
_SEED = 1


class Sampler:
    def __init__(self, system: System) -> None:
        self.system = system
        self.random = Random(_SEED)
        self.work = 0
        self.leaving: dict[tuple[int, int], list[int]] = defaultdict(list)
        for event, transition in enumerate(system.transitions):
            self.leaving[transition.moves[0].process, transition.moves[0].source].append(event)

    def states(self, start: State) -> Iterator[State]:
        """Some states that are reachable from `start`, itself among them; some of them more than once."""
        yield from self._breadth_first(start)
        yield from self._walks(start)

    def _breadth_first(self, start: State) -> Iterator[State]:
        limit = self.work + _WORK_BREADTH_FIRST
        seen = {start}
        waiting = deque([start])
        while waiting and self.work < limit:
            state = waiting.popleft()
            yield state
            for event in self._candidates(state):
                following = self._fired(state, event)
                if following is not None and following not in seen:
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
            following = self._step(state)
            if following is None or self.work >= limit:
                return
            state = following
            yield state

    def _step(self, state: State) -> State | None:
        """A successor, any of them; None where there is none."""
        candidates = self._candidates(state)
        self.random.shuffle(candidates)
        for event in candidates:
            following = self._fired(state, event)
            if following is not None:
                return following
        return None

    def _candidates(self, state: State) -> list[int]:
        """The events whose leading process is in place, as far as committed locations allow them."""
        events = [
            event
            for process, location in enumerate(state.locations)
            for event in self.leaving.get((process, location), ())
        ]
        if self.system.committed is not None and self._is_committed(state):
            events = [event for event in events if self.system.transitions[event].urgent]
        return events

    def _is_committed(self, state: State) -> bool:
        assert self.system.committed is not None
        try:
            return evaluate(self.system, state, self.system.committed) != 0
        except EvaluationFault:
            return True

    def _fired(self, state: State, event: int) -> State | None:
        self.work += 1
        if not is_enabled(self.system, state, event):
            return None
        self.work += 1
        following = fire(self.system, state, event)
        return following if isinstance(following, State) else None
