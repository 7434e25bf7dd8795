"""Constructs whose code is special, each compared with the reference interpreter."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.machine.comparing import assert_same, first_states, native
from tests.machine.native import FAULT, MISFIT, NativeSystem
from tests.machine.systems import assign, meeting, step, system, variable

from scrimp.machine.emit import emit
from scrimp.machine.layout import lay_out
from scrimp.machine.ranges import Ranges, static_ranges
from scrimp.system.expressions import (
    At,
    Binary,
    Conditional,
    Constant,
    Expression,
    Length,
    Read,
    Unary,
    Undefined,
    conjunction,
)
from scrimp.system.statements import Assert, Dequeue, Enqueue, If, Place
from scrimp.system.system import Channel, Invariant, System
from scrimp.system.types import BIT, BYTE, INT, Range

X = Read(0)


def _plus(left: Expression, number: int) -> Expression:
    return Binary("+", left, Constant(number))


def _check(model: System, states: int = 300) -> NativeSystem:
    code = native(model, static_ranges(model))
    assert_same(model, code, first_states(model, states))
    return code


def test_events_come_in_the_order_of_their_numbers_even_if_processes_alternate() -> None:
    model = system((), [step(process=number % 2) for number in range(6)], locations=(1, 1))
    code = _check(model)
    assert [event for event, _ in code.successors(code.initial())] == [0, 1, 2, 3, 4, 5]


def test_a_rendezvous_moves_both_processes() -> None:
    model = system((), [meeting((0, 0, 1), (1, 0, 2)), meeting((1, 2, 0), (0, 1, 0))], locations=(2, 3))
    assert len(first_states(model, 10)) == 2
    _check(model)


def test_an_array_longer_than_a_word_is_read_and_written_at_any_index() -> None:
    array = variable(*range(20), type_=Range(0, 255))
    index = variable(0)
    following = Binary("%", _plus(Read(1), 7), Constant(20))
    model = system(
        (array, index),
        [
            step(assign(0, _plus(Read(0, Read(1)), 100), Read(1)), assign(1, following)),
            step(assign(1, following), assign(0, Read(0, Read(1)), 3), assign(0, Read(0, Constant(3)), Read(1))),
            step(If(Binary("<", Read(1), Constant(9)), (assign(0, 1, Read(1)),), (assign(0, Read(1), 0),))),
        ],
    )
    assert lay_out(model, static_ranges(model)).words > 2
    _check(model)


def test_an_index_outside_an_array_is_a_fault_and_touches_nothing_else() -> None:
    model = system((variable(20), variable(*[0] * 20)), [step(assign(1, 5, X)), step(assign(0, _plus(X, 1)))])
    code = _check(model)
    assert code.successors(code.initial())[0] == (0, FAULT)


def test_a_constant_array_takes_no_bits_and_is_looked_up_by_a_computed_index() -> None:
    table = variable(*(number * number for number in range(40)), type_=INT)
    short = variable(3, 1, 2)
    index = variable(0)
    model = system(
        (table, short, index, variable(0, type_=INT)),
        [
            step(assign(3, Read(0, Read(2))), assign(2, Binary("%", _plus(Read(2), 1), Constant(41)))),
            step(assign(2, Read(1, Binary("&", Read(2), Constant(3))))),
        ],
    )
    assert lay_out(model, static_ranges(model)).variables[0].bits == 0
    _check(model)


def test_messages_longer_than_a_word_are_shifted_one_by_one() -> None:
    channel = Channel("c", 9, (Range(0, 4095), BIT, Range(-5, 5)))
    full, empty = Binary(">=", Length(0), Constant(9)), Binary("==", Length(0), Constant(0))
    model = system(
        (variable(0, type_=Range(0, 4095)), variable(0, type_=BIT), variable(0, type_=Range(-5, 5))),
        [
            step(Enqueue(0, (_plus(Read(0), 1111), Unary("!", Read(1)), _plus(Read(2), 3))), guard=Unary("!", full)),
            step(Dequeue(0, (Place(0), Place(1), Place(2))), guard=Unary("!", empty)),
        ],
        channels=(channel,),
    )
    assert lay_out(model, static_ranges(model)).words > 2
    _check(model, 500)


def test_a_full_channel_and_an_empty_one_are_faults() -> None:
    model = system((), [step(Enqueue(0, ())), step(Dequeue(0, ()))], channels=(Channel("c", 2, ()),))
    code = _check(model)
    assert code.successors(code.initial())[1] == (1, FAULT)


@pytest.mark.parametrize("operator", ["/", "%"])
def test_a_division_that_is_skipped_does_no_harm(operator: str) -> None:
    quotient = Binary(operator, Constant(100), X)  # type: ignore[arg-type]
    guarded = conjunction(Binary("!=", X, Constant(0)), Binary(">", quotient, Constant(3)))
    model = system(
        (variable(0, type_=Range(-3, 3)), variable(0)),
        [
            step(assign(0, _plus(X, 1))),
            step(assign(1, 1), guard=guarded),
            step(assign(1, Conditional(X, quotient, Constant(7)))),
            step(assign(1, quotient)),
        ],
    )
    code = _check(model)
    assert code.successors(code.initial())[-1] == (3, FAULT)


def test_the_smallest_integer_divided_by_minus_one_is_a_fault() -> None:
    model = system(
        (variable(INT.low, type_=INT), variable(-1, type_=INT)),
        [step(assign(0, Binary("/", X, Read(1)))), step(assign(0, 1)), step(assign(1, _plus(Read(1), 1)))],
    )
    code = _check(model, 20)
    assert code.successors(code.initial())[0] == (0, FAULT)


def test_a_guard_that_faults_is_an_event_that_faults() -> None:
    model = system((variable(0), variable(0, 0)), [step(guard=Read(1, _plus(X, 2))), step(assign(0, 0))])
    code = _check(model)
    assert code.successors(code.initial())[0] == (0, FAULT)


def test_an_undefined_expression_is_a_fault_when_it_is_evaluated() -> None:
    small = Conditional(Binary("<", X, Constant(2)), _plus(X, 1), Undefined("x is not small"))
    model = system((variable(0),), [step(assign(0, small))])
    code = _check(model)
    assert code.successors(first_states(model, 10)[-1]) == [(0, FAULT)]


def test_an_assertion_that_fails_is_a_fault() -> None:
    model = system((variable(0),), [step(assign(0, _plus(X, 1)), Assert(Binary("<", X, Constant(3)), "x < 3"))])
    code = _check(model)
    assert code.successors(first_states(model, 10)[-1]) == [(0, FAULT)]


def test_values_wrap_around_types_of_any_size() -> None:
    odd = Range(-2, 4)
    model = system(
        (variable(0, type_=odd), variable(0, type_=INT)),
        [step(assign(1, Binary("*", _plus(Read(1), 7), Constant(1_000_003))), assign(0, Read(1)))],
    )
    _check(model)


def test_a_value_outside_a_checked_type_is_a_fault() -> None:
    model = system((variable(0, type_=Range(0, 5, wraps=False)),), [step(assign(0, _plus(X, 2)))])
    code = _check(model)
    assert code.successors(first_states(model, 10)[-1]) == [(0, FAULT)]


def test_only_urgent_transitions_leave_a_committed_location() -> None:
    model = system(
        (variable(0, type_=BIT),),
        [step(source=0, target=1), step(source=1, target=0), step(source=1, target=0, urgent=True), step(process=1)],
        locations=(2, 1),
        committed=At(0, 1),
    )
    code = _check(model)
    committed = first_states(model, 10)[1]
    assert [event for event, _ in code.successors(committed)] == [2]


def test_a_watch_that_faults_counts_as_hit() -> None:
    model = replace(
        system((variable(0), variable(1, 1)), [step(assign(0, _plus(X, 1)))]),
        invariants=(Invariant("zero", Unary("!", X)), Invariant("inside", Unary("!", Read(1, X)))),
        valid_end=Binary("==", X, Constant(7)),
    )
    _check(model)


def test_a_state_of_many_words_is_copied_whole() -> None:
    variables = [variable(number, type_=INT) for number in range(20)]
    model = system(variables, [step(assign(number, _plus(Read(19 - number), 1))) for number in range(20)])
    assert lay_out(model, static_ranges(model)).words >= 10
    _check(model, 60)


def _narrow(model: System, width: int) -> Ranges:
    ranges = static_ranges(model)
    return replace(ranges, variables=tuple((0, width) for _ in ranges.variables))


def test_a_value_beyond_a_narrow_field_is_a_misfit() -> None:
    model = system((variable(0), variable(0)), [step(assign(0, _plus(X, 1))), step(assign(1, X))])
    code = NativeSystem(model, _narrow(model, 3))
    states = first_states(model, 60)
    assert_same(model, code, states)
    assert code.successors(next(state for state in states if state.values[0] == (3,)))[0] == (0, MISFIT)


def test_a_misfit_before_a_fault_is_a_misfit_and_after_it_a_fault() -> None:
    grow, fail = assign(0, _plus(X, 1)), Assert(Constant(0), "never")
    model = system((variable(3),), [step(grow, fail), step(fail, grow)])
    code = NativeSystem(model, _narrow(model, 3))
    assert code.successors(code.initial()) == [(0, MISFIT), (1, FAULT)]


def test_a_byte_that_runs_below_zero_takes_few_bits() -> None:
    down = assign(0, Binary("-", X, Constant(1)))
    model = system((variable(2, type_=BYTE),), [step(down, guard=Binary("!=", X, Constant(254))), step(assign(0, 2))])
    ranges = replace(static_ranges(model), variables=((-2, 2),))
    code = NativeSystem(model, ranges)
    states = first_states(model, 10)
    assert_same(model, code, states)
    assert code.layout.bits == 3
    assert [state.values[0][0] for state in states] == [2, 1, 0, 255, 254]


def test_a_test_for_several_fields_is_one_comparison() -> None:
    tests = conjunction(*(Binary("==", Read(number), Constant(1)) for number in range(3)), Read(3), Unary("!", Read(4)))
    model = system(
        [variable(0, type_=BIT) for _ in range(5)],
        [step(guard=tests), *(step(assign(number, 1)) for number in range(5))],
    )
    text = emit(model, lay_out(model, static_ranges(model)), ())
    assert text.count("icmp eq i64") == 1
    _check(model)
