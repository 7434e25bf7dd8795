"""Findings in a system after passes (src/scrimp/passes/), in terms of the original system."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, cycle, islice

from scrimp.passes import Passed
from scrimp.system import reference
from scrimp.system.reference import State
from scrimp.system.system import System
from scrimp.trace import ReplayedSteps, ReplayError
from scrimp.unfusing import Finding, FindingKind

# A pass ignores values that do not matter: a cycle may have to be repeated until these are the same again.
MOST_ROUNDS = 10_000

# A path to a deadlock is completed by at most this many steps.
MOST_COMPLETING = 1_000_000


def undone(system: System, passed: Passed, finding: Finding) -> Finding:
    """A finding in the system after passes, as one in the original system."""
    if passed.system is system:
        return finding
    if finding.kind is FindingKind.ENDLESS:
        return _endless(system, passed, finding)
    undone = replace(finding, events=_path(passed, finding.events), cycle=_originals(passed, finding.cycle))
    if finding.cycle:
        return _repeated(system, undone)
    if finding.kind is FindingKind.FAULT:
        return _up_to_the_fault(system, undone)
    if finding.kind in (FindingKind.DEADLOCK, FindingKind.LASSO) and passed.completes:
        return _completed(system, undone)
    return undone


def _path(passed: Passed, events: Sequence[int]) -> array[int]:
    return array("I", passed.prefix) + _originals(passed, events)


def _originals(passed: Passed, events: Sequence[int]) -> array[int]:
    return array("I", chain.from_iterable(passed.events[event] for event in events))


def _up_to_the_fault(system: System, finding: Finding) -> Finding:
    """A path to a fault: an event that stands for several may fault before the last of them."""
    state = reference.initial(system)
    for number, event in enumerate(finding.events, start=1):
        after = reference.fire(system, state, event)
        if not isinstance(after, State):
            return replace(finding, events=finding.events[:number])
        state = after
    return finding


def _completed(system: System, finding: Finding) -> Finding:
    """A path to a deadlock, with everything that can still be fired: see passes/nets/agglomeration.py."""
    state, events = _end(system, finding.events), array("I", finding.events)
    for _ in range(MOST_COMPLETING):
        enabled = reference.enabled(system, state)
        if not enabled:
            return replace(finding, events=events)
        state = _after(system, state, enabled[:1])
        events.append(enabled[0])
    raise ReplayError(f"a deadlock is not reached by {MOST_COMPLETING} more steps; use --as-written")


def _endless(system: System, passed: Passed, finding: Finding) -> Finding:
    """A path that ends in a cycle of transient states: up to the first of them that it passes twice in the original
    system, however many rounds that takes."""
    closed = ReplayedSteps(passed.system, finding.events).closed_chain()
    if closed is None or closed.cycle is None:
        raise ReplayError("the path reported as endless does not close a cycle")
    events = _path(passed, finding.events)
    around = events[-len(closed.cycle) :]
    path = array("I")
    state, seen = reference.initial(system), set[State]()
    for event in islice(chain(events, cycle(around)), len(events) + MOST_ROUNDS * len(around)):
        if state.holder is None:
            seen.clear()
        else:
            seen.add(state)
        state = _after(system, state, (event,))
        path.append(event)
        if state in seen:
            return replace(finding, events=path, cycle=())
    raise ReplayError(f"a cycle does not close within {MOST_ROUNDS} rounds; use --as-written")


def _repeated(system: System, lasso: Finding) -> Finding:
    """A lasso whose cycle is repeated until it closes in the original system: rounds that come before that belong to
    the path."""
    around = array("I", lasso.cycle)
    state = _after(system, _end(system, lasso.events), lasso.cycle)
    starts = {_end(system, lasso.events): 0}
    for rounds in range(1, MOST_ROUNDS):
        if state in starts:
            first = starts[state]
            path = array("I", lasso.events) + around * first
            return replace(lasso, events=path, cycle=around * (rounds - first))
        starts[state] = rounds
        state = _after(system, state, lasso.cycle)
    raise ReplayError(f"a cycle does not close within {MOST_ROUNDS} rounds; use --as-written")


def _end(system: System, events: Sequence[int]) -> State:
    end = ReplayedSteps(system, events).end
    if not isinstance(end, State):
        raise ReplayError(f"a cycle cannot begin in a fault: {end.message}")
    return end


def _after(system: System, state: State, events: Sequence[int]) -> State:
    for event in events:
        after = reference.fire(system, state, event)
        if not isinstance(after, State):
            raise ReplayError(f"a cycle cannot contain a fault: {after.message}")
        state = after
    return state


def fired_originals(system: System, passed: Passed, fired: bytes) -> bytes:
    """Which events of the original system can be fired, one byte each."""
    result = bytearray(len(system.transitions))
    for event in passed.fired:
        result[event] = 1
    for events, was_fired in zip(passed.covered, fired, strict=True):
        if was_fired:
            for event in events:
                result[event] = 1
    return bytes(result)


def alike_fired(passed: Passed, fired: bytes) -> frozenset[int]:
    """The events of the original system that are like one that was fired: whether they can be fired is not known."""
    if passed.alike is None:
        return frozenset()
    numbers = {number for event, number in passed.alike.items() if fired[event]}
    return frozenset(event for event, number in passed.alike.items() if number in numbers)
