"""Everything that questions can ask about a system, found by the reference interpreter: what passes must preserve.

The checking twin of all passes: `--audit` compares the answers of a system before and after them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

from scrimp.passes.passed import Passed, unchanged
from scrimp.system import reference
from scrimp.system.expressions import Expression
from scrimp.system.reference import EvaluationFault, Fault, Outgrown, State
from scrimp.system.system import Stack, System

FUSED = -1
"""In place of the number of an event that stands for others, or of one of those."""


@dataclass
class Answers:
    """The events that are fired, those that fault or fail an assertion and how, the locations of the processes in
    deadlocks, and the numbers of the expressions that hold, or fault, in some ordinary state. Of the events in
    `doubtful` it is not known whether they are fired."""

    fired: set[int] = field(default_factory=set)
    faults: set[tuple[int, str]] = field(default_factory=set)
    failures: set[tuple[int, str]] = field(default_factory=set)
    deadlocks: set[tuple[Any, ...]] = field(default_factory=set)
    seen: set[int] = field(default_factory=set)
    states: int = field(default=0, compare=False)
    doubtful: set[int] = field(default_factory=set, compare=False)

    def difference(self, other: Answers) -> str:
        """What differs, in words; empty if nothing does."""
        for each in fields(self):
            mine, theirs = getattr(self, each.name), getattr(other, each.name)
            if each.name == "fired":
                mine, theirs = mine - other.doubtful, theirs - other.doubtful
            if each.compare and mine != theirs:
                lost, added = sorted(mine - theirs), sorted(theirs - mine)
                return f"{each.name}: lost {lost[:5]}, added {added[:5]}"
        return ""


def answers(passed: Passed | System, seen: Sequence[Expression], most: int) -> Answers | None:
    """The answers of a system, in terms of the events of the original one; None if it has more than `most` states,
    transient ones included, or outgrows itself."""
    passed = unchanged(passed) if isinstance(passed, System) else passed
    system, found = passed.system, Answers(fired=set(passed.fired), doubtful=set(passed.unknown))
    seen_processes = [process for process in range(len(system.processes)) if process not in passed.hidden]
    start = reference.initial(system)
    known, todo = {start}, [start]
    while todo:
        state = todo.pop()
        events = reference.enabled(system, state)
        if state.holder is None:
            _look(found, system, state, seen)
            if not events and reference.is_deadlock(system, state):
                found.deadlocks.add(tuple(state.locations[process] for process in seen_processes))
        for event in events:
            try:
                outcome = reference.outcome(system, state, event)
            except Outgrown:
                return None
            original = passed.events[event][0] if len(passed.events[event]) == 1 else FUSED
            found.fired.update(passed.covered[event])
            found.failures.update((original, failed.message) for failed in outcome.failed)
            if isinstance(outcome.after, Fault):
                found.faults.add((original, outcome.after.message))
                found.doubtful.update(passed.covered[event] if original == FUSED else ())
            elif outcome.after not in known:
                known.add(outcome.after)
                todo.append(outcome.after)
        if len(known) > most:
            return None
    found.states = sum(state.holder is None for state in known)
    return found


def compared(system: System, passed: Passed, seen: Sequence[Expression], most: int) -> str:
    """How the answers of a system differ after passes, in words; empty if they do not, or if either of the two has too
    many states."""
    own = answers(replace(unchanged(system), hidden=passed.hidden), seen, most)
    return "" if own is None else compared_with(own, passed, seen, most)


def compared_with(own: Answers, passed: Passed, seen: Sequence[Expression], most: int) -> str:
    """The same, if the answers of the original system are known."""
    smaller = answers(passed, seen, most)
    return "" if smaller is None else _kept(own, passed).difference(_kept(smaller, passed))


def _kept(found: Answers, passed: Passed) -> Answers:
    """The answers that passes keep."""
    if passed.alike is not None:
        found = _renumbered(found, passed.system, passed.alike)
    return replace(
        found,
        # an event may stand for others
        faults=found.faults if passed.covers is None else {(FUSED, message) for _, message in found.faults},
        deadlocks=found.deadlocks if passed.keeps_deadlocks else set(),
        failures=found.failures if passed.keeps_violations else set(),
    )


def _renumbered(found: Answers, system: System, alike: Mapping[int, int]) -> Answers:
    """The answers if it does not matter which numbers processes have: events that are alike are one, and of a deadlock
    only the names of locations count, in their order, without those of processes that wait for their end."""
    assert system.stack is not None
    stack = system.stack
    return replace(
        found,
        fired={alike.get(event, ~event) for event in found.fired},
        faults={(alike.get(event, ~event), message) for event, message in found.faults},
        failures={(alike.get(event, ~event), message) for event, message in found.failures},
        deadlocks={tuple(_remaining(system, stack, locations)) for locations in found.deadlocks},
        doubtful={alike.get(event, ~event) for event in found.doubtful},
    )


def _remaining(system: System, stack: Stack, locations: Sequence[int]) -> Iterator[str]:
    for process, location in enumerate(locations):
        if location != stack.absent and location not in stack.ends[process]:
            yield system.processes[process].locations[location]


def _look(found: Answers, system: System, state: State, seen: Sequence[Expression]) -> None:
    for number, expression in enumerate(seen):
        if number not in found.seen:
            try:
                holds = reference.evaluate(system, state, expression) != 0
            except EvaluationFault:
                holds = True
            if holds:
                found.seen.add(number)
