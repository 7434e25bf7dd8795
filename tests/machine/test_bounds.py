"""Bounds are sound on random systems, and as narrow as expected on simple models."""

from __future__ import annotations

import time

import pytest
from tests.machine.comparing import first_states
from tests.machine.systems import assign, step, system, variable
from tests.random_systems import ALL_PROFILES, Profile, random_system

from scrimp.machine.bounds import analyse
from scrimp.machine.intervals import Interval
from scrimp.system.expressions import Binary, BinaryOperator, Constant, Expression, Length, Message, Read, conjunction
from scrimp.system.statements import Assert, Dequeue, Enqueue, If, Outgrow, Place
from scrimp.system.system import Channel, Transition
from scrimp.system.types import BYTE, INT, Range

X, Y = Read(0), Read(1)


def _compare(left: Expression, operator: BinaryOperator, number: int) -> Expression:
    return Binary(operator, left, Constant(number))


def _bounds_of_x(*transitions: Transition, type_: Range = BYTE, initial: int = 0) -> Interval:
    return analyse(system((variable(initial, type_=type_), variable(2)), transitions)).variables[0]


@pytest.mark.parametrize("profile", ALL_PROFILES.values(), ids=ALL_PROFILES.keys())
def test_no_reachable_state_is_outside_its_bounds(profile: Profile) -> None:
    for seed in range(60):
        model = random_system(seed, profile=profile)
        bounds = analyse(model)
        for state in first_states(model, 100):
            for (low, high), values in zip(bounds.variables, state.values, strict=True):
                assert all(low <= value <= high for value in values)
            for fields, messages in zip(bounds.messages, state.channels, strict=True):
                for message in messages:
                    assert all(low <= value <= high for (low, high), value in zip(fields, message, strict=True))


INCREMENT = assign(0, Binary("+", X, Constant(1)))
DECREMENT = assign(0, Binary("-", X, Constant(1)))


@pytest.mark.parametrize(
    ("guard", "expected"),
    [
        (_compare(X, "<", 100), (0, 100)),
        (_compare(X, "!=", 100), (0, 100)),
        (conjunction(_compare(Y, ">", 0), Binary(">", Constant(7), X)), (0, 7)),
        (_compare(Binary("+", X, Y), "<", 9), (0, 7)),
        (Binary("<=", X, Y), (0, 3)),
    ],
)
def test_a_guard_limits_a_counter(guard: Expression, expected: Interval) -> None:
    assert _bounds_of_x(step(INCREMENT, guard=guard)) == expected


def test_a_test_for_inequality_excludes_a_bound() -> None:
    assert _bounds_of_x(step(DECREMENT, guard=_compare(X, "!=", 0)), initial=5) == (0, 5)


def test_a_counter_without_a_limit_takes_its_whole_type() -> None:
    assert _bounds_of_x(step(INCREMENT), type_=INT) == (INT.low, INT.high)


def test_a_checked_type_is_a_limit() -> None:
    assert _bounds_of_x(step(INCREMENT), type_=Range(0, 9, wraps=False)) == (0, 9)


def test_an_index_that_did_not_fault_was_inside_its_array() -> None:
    model = system((variable(0), variable(0, 0, 0)), [step(assign(1, 1, X), INCREMENT)])
    assert analyse(model).variables[0] == (0, 3)


def test_an_index_in_an_operand_that_may_be_skipped_implies_nothing() -> None:
    skipped = Binary("||", _compare(X, ">=", 2), Read(1, X))
    model = system((variable(0), variable(1, 1, 1)), [step(INCREMENT, guard=skipped)])
    assert analyse(model).variables[0] == (0, 255)


def test_branches_are_joined() -> None:
    effect = If(_compare(Y, "==", 2), (assign(0, 3),), (assign(0, 9),))
    assert _bounds_of_x(step(effect), step(assign(1, 4))) == (0, 9)


def test_messages_carry_bounds_from_sender_to_receiver() -> None:
    model = system(
        (variable(0),),
        [
            step(Enqueue(0, (Constant(7),)), guard=_compare(Length(0), "<", 2)),
            step(Dequeue(0, (Place(0),)), guard=_compare(Length(0), ">", 0)),
        ],
        channels=(Channel("c", 2, (BYTE,)),),
    )
    bounds = analyse(model)
    assert bounds.messages == (((7, 7),),)
    assert bounds.variables == ((0, 7),)


def test_received_values_are_bounded_by_sent_values_however_late_they_are_sent() -> None:
    oldest = [Message(channel, 0, Constant(0)) for channel in range(5)]
    model = system(
        (variable(0), variable(0)),
        [
            step(assign(0, oldest[4])),
            step(Dequeue(4, (Place(1),))),
            *(step(Enqueue(c + 1, (Constant(c + 1),)), guard=_compare(oldest[c], "==", c)) for c in (3, 2, 1, 0)),
            step(Enqueue(0, (Constant(0),))),
        ],
        channels=[Channel("c", 2, (BYTE,))] * 5,
    )
    bounds = analyse(model)
    assert bounds.variables == ((0, 4), (0, 4))
    assert bounds.messages == tuple(((c, c),) for c in range(5))


def test_receiving_from_a_channel_that_is_never_filled_yields_no_value() -> None:
    message = Message(0, 0, Constant(0))
    model = system(
        (variable(0), variable(0)),
        [step(assign(0, Binary("+", message, Constant(7)))), step(Dequeue(0, (Place(1),)))],
        channels=(Channel("c", 2, (BYTE,)),),
    )
    assert analyse(model).variables == ((0, 0), (0, 0))


@pytest.mark.parametrize(("fatal", "expected"), [(True, (0, 2)), (False, (0, 3))])
def test_only_a_fatal_assertion_bounds_the_values_after_it(fatal: bool, expected: Interval) -> None:
    check = Assert(_compare(Y, "<", 3), "y < 3", fatal)
    assert _bounds_of_x(step(check, assign(0, Y)), step(assign(1, 3))) == expected


def test_statements_after_an_outgrow_are_not_executed() -> None:
    effect = If(_compare(Y, ">", 1), (Outgrow("more"), assign(0, 9)), (assign(0, 5),))
    assert _bounds_of_x(step(effect)) == (0, 5)
    assert _bounds_of_x(step(Outgrow("more"), assign(0, Y))) == (0, 0)


def test_a_variable_that_is_never_written_is_not_among_those_assigned() -> None:
    assert analyse(system((variable(0), variable(4)), [step(INCREMENT)])).assigned == {0}


def test_two_thousand_transitions_take_a_fraction_of_a_second() -> None:
    variables = [variable(0) for _ in range(200)]
    transitions = [
        step(
            assign(number % 200, Binary("+", Read((number * 7 + 1) % 200), Constant(1))),
            guard=_compare(Read((number * 7 + 1) % 200), "<", 20),
        )
        for number in range(2_000)
    ]
    began = time.process_time()
    analyse(system(variables, transitions))
    assert time.process_time() - began < 1
