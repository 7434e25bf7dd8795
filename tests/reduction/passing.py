"""Systems with their relations, and their events as a search fires them: through transient states to ordinary
states."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from tests.random_systems import Profile, random_system

from scrimp.machine.fusion import fuse
from scrimp.machine.layout import Layout, lay_out
from scrimp.machine.ranges import static_ranges
from scrimp.reduction.lists import Lists
from scrimp.reduction.relations import Relations, build_relations
from scrimp.system.reference import Fault, State, enabled, initial, outcome
from scrimp.system.system import System

MOST_TRANSIENT_STATES = 60


class TooLong(Exception):
    """There are too many transient states between one state and the next to enumerate."""


@dataclass(frozen=True, slots=True)
class Step:
    """The results of firing an event, on all paths: the ordinary states, and what goes wrong."""

    states: frozenset[State]
    wrong: frozenset[str]


@dataclass(frozen=True)
class Related:
    """A system as native code has it, with the relations of its events."""

    system: System
    layout: Layout
    relations: Relations
    _steps: dict[tuple[State, int], Step] = field(default_factory=dict)
    _enabled: dict[State, frozenset[int]] = field(default_factory=dict)

    def enabled(self, state: State) -> frozenset[int]:
        if state not in self._enabled:
            self._enabled[state] = frozenset(enabled(self.system, state))
        return self._enabled[state]

    def step(self, state: State, event: int) -> Step:
        if (state, event) not in self._steps:
            self._steps[state, event] = _step(self.system, state, event)
        return self._steps[state, event]

    def reachable(self, start: State, most: int, may_fire: Callable[[int], bool] = lambda event: True) -> list[State]:
        """Ordinary states reachable from one, nearest first, by firing only the allowed events."""
        seen = {start: None}
        todo = [start]
        for state in todo:
            for event in sorted(filter(may_fire, self.enabled(state))):
                for after in sorted(self.step(state, event).states, key=_contents):
                    if after not in seen and len(seen) < most:
                        seen[after] = None
                        todo.append(after)
        return todo

    def commute(self, state: State, a: int, b: int) -> bool:
        """Whether two enabled events keep each other enabled, go wrong in the same way and lead to the same states,
        whichever is first."""
        try:
            orders = [self._in_order(state, a, b), self._in_order(state, b, a)]
        except TooLong:
            return True
        return None not in orders and orders[0] == orders[1]

    def _in_order(self, state: State, first: int, second: int) -> frozenset[State] | None:
        reached: set[State] = set()
        for between in self.step(state, first).states:
            if second not in self.enabled(between):
                return None
            then = self.step(between, second)
            if then.wrong != self.step(state, second).wrong:
                return None
            reached |= then.states
        # If an event always goes wrong, there is nothing to compare.
        comparable = all(self.step(state, event).states for event in (first, second))
        return frozenset(reached if comparable else ())

    def places(self, state: State) -> list[int]:
        """The place of every process."""
        words = self.layout.encode(state)
        return [self.relations.place(words, process) for process in range(len(self.system.processes))]


def _contents(state: State) -> tuple[object, ...]:
    return state.locations, state.values, state.channels


def _step(system: System, state: State, event: int) -> Step:
    states: set[State] = set()
    wrong: set[str] = set()
    transient: set[State] = set()
    todo = [(state, event)]
    while todo:
        result = outcome(system, *todo.pop())
        wrong |= {fault.message for fault in result.failed}
        if isinstance(result.after, Fault):
            wrong.add(result.after.message)
        elif result.after.holder is None:
            states.add(result.after)
        elif result.after not in transient:
            transient.add(result.after)
            todo += [(result.after, other) for other in enabled(system, result.after)]
            if len(transient) > MOST_TRANSIENT_STATES:
                raise TooLong
    return Step(frozenset(states), frozenset(wrong))


def related(system: System, build: Callable[..., Relations] = build_relations) -> Related:
    """A system with its chains fused and its invariants watched; `build` computes the relations."""
    fused = fuse(system).system
    layout = lay_out(fused, static_ranges(fused))
    watches = [invariant.test for invariant in system.invariants]
    return Related(fused, layout, build(fused, layout, watches))


def sampled(
    profile: Profile, seeds: Iterable[int], most: int, build: Callable[..., Relations] = build_relations
) -> Iterator[tuple[Related, State]]:
    """Some reachable states of some random systems, all of whose events can be examined."""
    for seed in seeds:
        yield from examinable(related(random_system(seed, profile=profile), build), most)


def examinable(model: Related, most: int) -> Iterator[tuple[Related, State]]:
    """Some reachable states of a model; none if there is an event that cannot be examined."""
    try:
        states = model.reachable(initial(model.system), most)
        for state in states:
            for event in model.enabled(state):
                model.step(state, event)
    except TooLong:
        return
    yield from ((model, state) for state in states)


def members(lists: Lists, number: int) -> frozenset[int]:
    return frozenset(lists[number])
