"""Generated code does what the reference interpreter does, state by state, on random systems."""

from __future__ import annotations

import pytest

from scrimp.machine.layout import DoesNotFit
from scrimp.machine.ranges import Ranges, initial_ranges, static_ranges, widen
from scrimp.system import reference
from scrimp.system.reference import EvaluationFault, Fault, State
from scrimp.system.system import System
from tests.machine.native import FAULT, MISFIT, NativeSystem, Outcome
from tests.random_systems import random_system

_STATES = 300
_SEEDS_PER_TEST = 25


def _expected(outcome: State | Fault) -> Outcome:
    return FAULT if isinstance(outcome, Fault) else outcome


def _holds(system: System, state: State, test: reference.Expression) -> bool:
    try:
        return reference.evaluate(system, state, test) != 0
    except EvaluationFault:
        return True


def _reachable(system: System) -> list[State]:
    """The first states of a breadth-first search."""
    seen = {reference.initial(system): None}
    for state in seen:
        pass
    order = list(seen)
    for state in order:
        for _, outcome in reference.successors(system, state):
            if isinstance(outcome, State) and outcome not in seen and len(seen) < _STATES:
                seen[outcome] = None
                order.append(outcome)
    return order


def _compare(system: System, native: NativeSystem, states: list[State]) -> None:
    watches = [invariant.test for invariant in system.invariants]
    for state in states:
        try:
            native.layout.encode(state)
        except DoesNotFit:
            continue
        expected = [(event, _expected(outcome)) for event, outcome in reference.successors(system, state)]
        actual = native.successors(state)
        assert [event for event, _ in actual] == [event for event, _ in expected]
        for (event, found), (_, wanted) in zip(actual, expected, strict=True):
            assert found == wanted or (found == MISFIT and _truly_misfits(system, native, state, event, wanted))
        if watches:
            hits = sum(_holds(system, state, watch) << number for number, watch in enumerate(watches))
            assert native.watch(state) == hits
        if system.valid_end is not None:
            assert native.valid_end(state) == _holds(system, state, system.valid_end)


def _truly_misfits(system: System, native: NativeSystem, state: State, event: int, wanted: Outcome) -> bool:
    """Whether there is no room for the state, or the event has more than one step, in which there was no room in between."""
    if isinstance(wanted, State):
        try:
            native.layout.encode(wanted)
        except DoesNotFit:
            return True
    return bool(system.transitions[event].effect)


def _native(system: System, ranges: Ranges) -> NativeSystem:
    return NativeSystem(system, ranges, [invariant.test for invariant in system.invariants])


@pytest.mark.parametrize("first", range(0, 500, _SEEDS_PER_TEST))
def test_sound_widths_never_misfit_and_agree(first: int) -> None:
    for seed in range(first, first + _SEEDS_PER_TEST):
        system = random_system(seed)
        native = _native(system, static_ranges(system))
        states = _reachable(system)
        assert native.initial() == states[0]
        for state in states:
            assert MISFIT not in [outcome for _, outcome in native.successors(state)]
        _compare(system, native, states)


@pytest.mark.parametrize("first", range(0, 500, _SEEDS_PER_TEST))
def test_optimistic_widths_agree_wherever_they_do_not_misfit(first: int) -> None:
    for seed in range(first, first + _SEEDS_PER_TEST):
        system = random_system(seed)
        _compare(system, _native(system, initial_ranges(system)), _reachable(system))
