"""Compares generated code with the reference interpreter, state by state."""

from __future__ import annotations

from tests.machine.native import FAULT, MISFIT, NativeSystem, Outcome

from scrimp.machine.layout import DoesNotFit, Layout
from scrimp.machine.ranges import Ranges
from scrimp.system import reference
from scrimp.system.expressions import Expression
from scrimp.system.reference import EvaluationFault, Fault, State
from scrimp.system.system import System


def first_states(system: System, most: int) -> list[State]:
    """The first states of a breadth-first search."""
    start = reference.initial(system)
    seen, order = {start}, [start]
    for state in order:
        for _, outcome in reference.successors(system, state):
            if isinstance(outcome, State) and outcome not in seen and len(order) < most:
                seen.add(outcome)
                order.append(outcome)
    return order


def native(system: System, ranges: Ranges) -> NativeSystem:
    return NativeSystem(system, ranges, [invariant.test for invariant in system.invariants])


def fits(layout: Layout, state: State) -> bool:
    try:
        layout.encode(state)
    except DoesNotFit:
        return False
    return True


def assert_same(system: System, code: NativeSystem, states: list[State]) -> None:
    """In every state that fits: the same events, in order, with the same outcomes; the same watches and valid ends."""
    watches = [invariant.test for invariant in system.invariants]
    for state in states:
        if not fits(code.layout, state):
            continue
        assert_same_successors(system, code, state)
        if watches:
            assert code.watch(state) == sum(_holds(system, state, test) << bit for bit, test in enumerate(watches))
        if system.valid_end is not None:
            assert code.valid_end(state) == _holds(system, state, system.valid_end)


def assert_same_successors(system: System, code: NativeSystem, state: State) -> None:
    expected = [(event, _expected(outcome)) for event, outcome in reference.successors(system, state)]
    actual = code.successors(state)
    assert [event for event, _ in actual] == [event for event, _ in expected]
    for (event, found), (_, wanted) in zip(actual, expected, strict=True):
        if found == MISFIT:
            # Something on the way to the outcome did not fit; nothing can where nothing is written.
            assert system.transitions[event].effect
        else:
            assert found == wanted


def _expected(outcome: State | Fault) -> Outcome:
    return FAULT if isinstance(outcome, Fault) else outcome


def _holds(system: System, state: State, test: Expression) -> bool:
    try:
        return reference.evaluate(system, state, test) != 0
    except EvaluationFault:
        return True
