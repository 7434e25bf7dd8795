"""Compares generated code with the reference interpreter, state by state."""

from __future__ import annotations

from dataclasses import replace

from tests.machine.native import FAULT, MISFIT, NativeSystem, Report

from scrimp.machine.abi import ATOMIC_FLAG, FAILED_FLAG, FAULT_FLAG
from scrimp.machine.layout import DoesNotFit, Layout
from scrimp.machine.ranges import Ranges
from scrimp.system import reference
from scrimp.system.expressions import Expression
from scrimp.system.reference import EvaluationFault, Fault, State
from scrimp.system.system import System


def first_states(system: System, most: int) -> list[State]:
    """The first states of a breadth-first search, including transient ones."""
    start = reference.initial(system)
    seen, order = {start}, [start]
    for state in order:
        for _, outcome in reference.successors(system, state):
            if isinstance(outcome, State) and outcome not in seen and len(order) < most:
                seen.add(outcome)
                order.append(outcome)
    return order


def native(system: System, ranges: Ranges, *, quickly: bool = False) -> NativeSystem:
    return NativeSystem(system, ranges, [invariant.test for invariant in system.invariants], quickly=quickly)


def fits(layout: Layout, state: State) -> bool:
    try:
        layout.encode(state)
    except DoesNotFit:
        return False
    return True


def assert_same(system: System, code: NativeSystem, states: list[State]) -> None:
    """In every state that fits: the same events, in order, with the same outcomes and flags; the same watches, valid
    ends and offers."""
    watches = [invariant.test for invariant in system.invariants]
    for state in states:
        if not fits(code.layout, state):
            continue
        assert_same_successors(system, code, state)
        if watches:
            assert code.watch(state) == sum(_holds(system, state, test) << bit for bit, test in enumerate(watches))
        if system.valid_end is not None:
            assert code.valid_end(state) == _holds(system, state, system.valid_end)
        if system.offers:
            assert_same_offers(system, code, state)


# The claim moves to an ordinary state.
SETTLES = (reference.PROGRAM, reference.SETTLING)


def assert_same_successors(system: System, code: NativeSystem, state: State) -> None:
    expected = [_expected(system, state, event) for event in reference.enabled(system, state)]
    actual = code.reports(state)
    assert [report.event for report in actual] == [report.event for report in expected]
    for found, wanted in zip(actual, expected, strict=True):
        if found.outcome == MISFIT:
            # Some intermediate value did not fit; that is impossible if nothing is written.
            assert system.transitions[found.event].effect
        else:
            assert found == wanted
            if found.flags & ATOMIC_FLAG:
                _assert_same_holder(system, code, state, found.event)


def assert_same_offers(system: System, code: NativeSystem, state: State) -> None:
    program = () if system.claim is None else (reference.PROGRAM, reference.SETTLING)
    for holder in (None, *program, *range(len(system.processes))):
        assert code.offers(state, holder) == reference.offers(system, replace(state, holder=holder))


def _expected(system: System, state: State, event: int) -> Report:
    transition = system.transitions[event]
    outcome = reference.outcome(system, state, event)
    if isinstance(outcome.after, Fault):
        return Report(event, FAULT_FLAG, FAULT)
    claims = transition.moves[0].process == system.claim and state.holder not in SETTLES
    flags = ATOMIC_FLAG if transition.holder is not None or claims else 0
    flags |= FAILED_FLAG if outcome.failed else 0
    return Report(event, flags, replace(outcome.after, holder=None))


def _assert_same_holder(system: System, code: NativeSystem, state: State, event: int) -> None:
    """A successor is transient if its holder has an event."""
    after = reference.fire(system, state, event)
    assert isinstance(after, State)
    holder = system.transitions[event].holder
    if holder is not None and holder == system.claim:
        assert after.holder == (reference.SETTLING if state.holder in SETTLES else holder)
    elif holder is not None:
        assert (after.holder == holder) == bool(code.reports(replace(after, holder=holder)))
    else:
        assert after.holder == reference.PROGRAM


def _holds(system: System, state: State, test: Expression) -> bool:
    try:
        return reference.evaluate(system, state, test) != 0
    except EvaluationFault:
        return True
