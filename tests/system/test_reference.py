"""The meaning of systems: the reference interpreter's results, construct by construct."""

from __future__ import annotations

from ctypes import c_int32
from fractions import Fraction
from math import trunc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrimp.system.expressions import (
    FALSE,
    TRUE,
    Binary,
    BinaryOperator,
    Constant,
    Unary,
    conjunction,
    disjunction,
)
from scrimp.system.reference import (
    EvaluationFault,
    Fault,
    Outcome,
    Outgrown,
    State,
    TooManyStates,
    enabled,
    evaluate,
    explore,
    fire,
    initial,
    is_deadlock,
    outcome,
    successors,
)
from scrimp.system.system import System
from scrimp.system.text import parse_system
from scrimp.system.types import BYTE, INT, SHORT, Range
from scrimp.system.violations import ViolationKind

DECLARATIONS = """
    system s;
    process P { a, b }
    process Q { c, d }
    variable x: byte = 5;
    variable signed: short = -1;
    variable small: -2..1 = 0;
    variable checked: 0..9 checked = 9;
    variable array[3]: byte = {10, 20, 30};
    channel pipe[2]: {byte, -1..1};
    channel signal[1]: {};
"""
INT_MIN, INT_MAX = INT.low, INT.high
EDGES = (0, 1, -1, 2, -2, 7, -7, 31, 32, 33, 255, 256, 2**15, 2**30, INT_MAX - 1, INT_MAX, INT_MIN, INT_MIN + 1)
EMPTY = System("empty", (), (), (), ())
integers = st.sampled_from(EDGES) | st.integers(INT_MIN, INT_MAX)


def system_of(text: str) -> System:
    return parse_system(f"{DECLARATIONS} {text}")


def value(expression: str) -> int:
    """The value of an expression in the initial state."""
    system = system_of(f"valid_end {expression};")
    assert system.valid_end is not None
    return evaluate(system, initial(system), system.valid_end)


def after(effect: str) -> dict[str, tuple[int, ...]]:
    """The variables after an effect; a fault is an error."""
    system = system_of(f"transition {{ P: a -> b; {effect} }}")
    outcome = fire(system, initial(system), 0)
    assert isinstance(outcome, State), outcome
    return {variable.name: values for variable, values in zip(system.variables, outcome.values, strict=True)}


def fault(effect: str) -> str:
    """The message of the fault that an effect ends in."""
    system = system_of(f"transition {{ P: a -> b; {effect} }}")
    outcome = fire(system, initial(system), 0)
    assert isinstance(outcome, Fault), outcome
    return outcome.message


# Expressions

VALUES = [
    ("2147483647 + 1", INT_MIN),
    ("-2147483648 - 1", INT_MAX),
    ("65536 * 65536", 0),
    ("65536 * 32768", INT_MIN),
    ("-(-2147483648)", INT_MIN),
    ("~0", -1),
    ("~-2147483648", INT_MAX),
    ("!0", 1),
    ("!7", 0),
    ("7 / 2", 3),
    ("-7 / 2", -3),
    ("7 / -2", -3),
    ("-7 / -2", 3),
    ("7 % 2", 1),
    ("-7 % 2", -1),
    ("7 % -2", 1),
    ("-7 % -2", -1),
    ("-2147483648 / 1", INT_MIN),
    ("-2147483648 % 2", 0),
    ("1 << 31", INT_MIN),
    ("1 << 32", 1),
    ("1 << 33", 2),
    ("1 << -1", INT_MIN),
    ("3 << 31", INT_MIN),
    ("-2147483648 >> 31", -1),
    ("-2147483648 >> 32", INT_MIN),
    ("-1 >> -1", -1),
    ("2147483647 >> 30", 1),
    ("-1 & 255", 255),
    ("-256 | 1", -255),
    ("-1 ^ 1", -2),
    ("-1 < 0", 1),
    ("2147483647 > -2147483648", 1),
    ("3 && 4", 1),
    ("0 || 4", 1),
    ("0 || 0", 0),
    ("x + array[1] + signed", 24),
    ("P@a", 1),
    ("P@b", 0),
    ("len(pipe)", 0),
    ("x ? 1 : 2", 1),
    ("x - 5 ? 1 : 2", 2),
]


@pytest.mark.parametrize(("expression", "expected"), VALUES)
def test_an_expression_has_its_value_as_in_c(expression: str, expected: int) -> None:
    assert value(expression) == expected


def binary(operator: BinaryOperator, left: int, right: int) -> int:
    return evaluate(EMPTY, initial(EMPTY), Binary(operator, Constant(left), Constant(right)))


@given(integers, integers)
def test_arithmetic_wraps_around_at_32_bits(left: int, right: int) -> None:
    expected: dict[BinaryOperator, int] = {
        "+": left + right,
        "-": left - right,
        "*": left * right,
        "&": left & right,
        "|": left | right,
        "^": left ^ right,
        "<<": left * 2 ** (right % 32),
        ">>": left // 2 ** (right % 32),
    }
    for operator, result in expected.items():
        assert binary(operator, left, right) == c_int32(result).value


@given(integers, integers.filter(bool))
def test_division_truncates_and_the_remainder_has_the_sign_of_the_dividend(left: int, right: int) -> None:
    quotient = trunc(Fraction(left, right))
    if quotient <= INT_MAX:
        assert binary("/", left, right) == quotient
        assert binary("%", left, right) == left - quotient * right


FAULTS = [
    ("x / 0", "division by zero"),
    ("x % (x - 5)", "division by zero"),
    ("-2147483648 / -1", "division overflows"),
    ("-2147483648 % -1", "division overflows"),
    ("array[3]", "index 3 is outside array[3]"),
    ("array[signed]", "index -1 is outside array[3]"),
    ("array[array[9]]", "index 9 is outside array[3]"),
    ("1 && x / 0", "division by zero"),
    ("0 & x / 0", "division by zero"),
    ("x ? x / 0 : 1", "division by zero"),
    ("0 * array[-1]", "index -1 is outside array[3]"),
    ('x + undefined("there is no such thing")', "there is no such thing"),
]


@pytest.mark.parametrize(("expression", "message"), FAULTS)
def test_an_expression_without_a_value_faults(expression: str, message: str) -> None:
    with pytest.raises(EvaluationFault) as error:
        value(expression)
    assert str(error.value) == message


HIDDEN = [
    ("0 && x / 0", 0),
    ("1 || array[7]", 1),
    ("x ? 3 : x / 0", 3),
    ("!x ? array[7] : 4", 4),
    ('x || undefined("")', 1),
]


@pytest.mark.parametrize(("expression", "expected"), HIDDEN)
def test_an_expression_that_is_not_evaluated_does_not_fault(expression: str, expected: int) -> None:
    assert value(expression) == expected


# Ranges


@pytest.mark.parametrize("count", [1, 32, 33, 5_000])
def test_in_a_long_conjunction_or_disjunction_operands_after_the_deciding_one_are_not_evaluated(count: int) -> None:
    faulting = Binary("/", Constant(1), Constant(0))
    all_of = conjunction(*[Constant(2)] * count, FALSE, faulting)
    any_of = disjunction(*[Unary("-", Constant(0))] * count, TRUE, faulting)
    assert evaluate(EMPTY, initial(EMPTY), all_of) == 0
    assert evaluate(EMPTY, initial(EMPTY), any_of) == 1


@pytest.mark.parametrize(
    ("effect", "name", "expected"),
    [
        ("x = 256;", "x", 0),
        ("x = -1;", "x", 255),
        ("x = 2147483647;", "x", 255),
        ("x = -2147483648;", "x", 0),
        ("signed = 32768;", "signed", -32768),
        ("signed = -32769;", "signed", 32767),
        ("small = 2;", "small", -2),
        ("small = -3;", "small", 1),
        ("small = 7;", "small", -1),
        ("checked = 0;", "checked", 0),
    ],
)
def test_a_value_outside_a_wrapping_range_wraps_around(effect: str, name: str, expected: int) -> None:
    assert after(effect)[name] == (expected,)


@given(integers, st.sampled_from([BYTE, SHORT, INT, Range(-2, 1), Range(5, 5), Range(3, 9)]))
def test_wrapping_changes_a_value_by_a_multiple_of_the_size(number: int, range_: Range) -> None:
    assert range_.contains(range_.wrap(number))
    assert (number - range_.wrap(number)) % range_.size == 0


def test_a_value_outside_a_checked_range_is_a_fault() -> None:
    assert fault("checked = checked + 1;") == "value 10 is outside checked's range 0..9"
    assert fault("checked = -1;") == "value -1 is outside checked's range 0..9"


# Effects


def test_statements_see_what_the_ones_before_them_wrote() -> None:
    assert after("x = x + 1; signed = x; x = x + signed;")["x"] == (12,)
    assert after("x = 2; array[x] = x; array[array[2]] = 7;")["array"] == (10, 20, 7)


def test_a_choice_executes_one_branch() -> None:
    assert after("if x == 5 { x = 1; } else { x = x / 0; }")["x"] == (1,)
    assert after("if x == 6 { x = x / 0; } else if x == 5 { x = 2; } else { x = 3; }")["x"] == (2,)


@pytest.mark.parametrize(
    ("effect", "message"),
    [
        ("x = x / 0;", "division by zero"),
        ("array[3] = 1;", "index 3 is outside array[3]"),
        ('assert x == 4, "four";', "four"),
        ("if x / 0 { }", "division by zero"),
        ("pipe ! 1, 1; pipe ! 1, 1; pipe ! 1, 1;", "channel pipe is full"),
        ("pipe ? _, _;", "channel pipe is empty"),
        ("pipe ! 99, 1; pipe ? checked, _;", "value 99 is outside checked's range 0..9"),
    ],
)
def test_a_statement_that_cannot_be_executed_is_a_fault(effect: str, message: str) -> None:
    assert fault(effect) == message


def test_an_assertion_that_holds_does_nothing() -> None:
    assert after('assert x == 5, "five";') == after("")


def test_an_effect_still_sees_the_process_at_its_source() -> None:
    assert after("x = P@a;")["x"] == (1,)


# Channels


def test_messages_arrive_in_the_order_they_were_sent() -> None:
    final = after("pipe ! 1, 0; pipe ! 2, 1; pipe ? array[0], _; pipe ? array[1], small;")
    assert final["array"] == (1, 2, 30)
    assert final["small"] == (1,)


def test_the_values_of_a_message_wrap_around_the_ranges_of_its_fields() -> None:
    assert after("pipe ! 257, 2; pipe ? x, small;") == after("x = 1; small = -1;")


def test_the_places_of_a_message_are_assigned_in_order() -> None:
    assert after("pipe ! 2, 1; pipe ? x, array[x];")["array"] == (10, 20, 1)


def test_a_channel_keeps_its_messages_from_state_to_state() -> None:
    system = system_of("transition { P: a -> b; pipe ! 7, 0; } transition { Q: c -> d; when len(pipe); pipe ? x, _; }")
    start = initial(system)
    assert enabled(system, start) == [0]
    sent = fire(system, start, 0)
    assert isinstance(sent, State)
    assert sent.channels == (((7, 0),), ())
    received = fire(system, sent, 1)
    assert isinstance(received, State)
    assert received.channels == ((), ())
    assert received.values[0] == (7,)


def test_a_message_may_have_no_fields() -> None:
    system = system_of("transition { P: a -> b; signal !; }")
    sent = fire(system, initial(system), 0)
    assert isinstance(sent, State)
    assert sent.channels == ((), ((),))


def messages_after(effect: str) -> tuple[tuple[int, ...], ...]:
    """What the first channel holds after an effect; a fault is an error."""
    system = system_of(f"channel wide[4]: {{byte, -1..1}}; transition {{ P: a -> b; {effect} }}")
    final = fire(system, initial(system), 0)
    assert isinstance(final, State), final
    return final.channels[2]


def test_a_sorted_message_goes_before_the_oldest_greater_one() -> None:
    assert messages_after("wide !! 2, 0; wide !! 1, 1; wide !! 2, -1;") == ((1, 1), (2, -1), (2, 0))
    assert messages_after("wide ! 5, 0; wide ! 1, 0; wide !! 3, 0;") == ((3, 0), (5, 0), (1, 0))


def test_a_sorted_message_goes_after_its_equals_and_is_compared_as_it_will_be_stored() -> None:
    assert messages_after("wide ! 2, 0; wide !! 258, 0; wide !! 257, 0;") == ((1, 0), (2, 0), (2, 0))


def test_a_message_is_received_from_any_position() -> None:
    sent = "wide ! 1, 0; wide ! 2, 1; wide ! 3, 0;"
    assert messages_after(f"{sent} wide ?[1] _, _;") == ((1, 0), (3, 0))
    assert messages_after(f"{sent} wide ?[find(wide, _, 1)] x, _; wide ! x, 0;") == ((1, 0), (3, 0), (2, 0))


def test_a_cleared_channel_is_empty() -> None:
    assert messages_after("wide ! 1, 0; wide ! 2, 1; clear wide;") == ()


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("message(pipe, 0, 0)", 7),
        ("message(pipe, len(pipe) - 1, 1)", 1),
        ("find(pipe, 8, 1)", 1),
        ("find(pipe, _, _)", 0),
        ("find(pipe, _, x - 4)", 1),
        ("find(pipe, 9, _)", -1),
        ("find(pipe, 7 + 256, _)", -1),
        ("find(signal)", -1),
    ],
)
def test_messages_can_be_read_and_found(expression: str, expected: int) -> None:
    assert after(f"pipe ! 7, 0; pipe ! 8, 1; signed = {expression};")["signed"] == (expected,)


@pytest.mark.parametrize(
    ("effect", "message"),
    [
        ("x = message(pipe, 0, 0);", "channel pipe is empty"),
        ("pipe ! 1, 0; x = message(pipe, 1, 0);", "channel pipe has no message at position 1"),
        ("pipe ! 1, 0; pipe ?[find(pipe, 2, _)] x, _;", "channel pipe has no message at position -1"),
        ("x = find(pipe, 1 / 0, _);", "division by zero"),
    ],
)
def test_a_position_without_a_message_is_a_fault(effect: str, message: str) -> None:
    assert fault(effect) == message


# Violations after which the effect continues


def test_an_assertion_that_is_not_fatal_is_reported_and_the_effect_continues() -> None:
    system = system_of('transition { P: a -> b; expect x == 4, "four"; x = 1; expect x == 2, "two"; expect x, "x"; }')
    result = outcome(system, initial(system), 0)
    assert isinstance(result.after, State)
    assert result.after.values[0] == (1,)
    assert result.failed == (Fault("four"), Fault("two"))
    assert explore(system).failed == 1


def test_assertions_of_the_author_are_distinguished_from_faults() -> None:
    system = system_of('transition { P: a -> b; expect 0, "one" as assertion; assert 0, "two" as assertion; }')
    result = outcome(system, initial(system), 0)
    assert result == Outcome(Fault("two", ViolationKind.ASSERTION), (Fault("one", ViolationKind.ASSERTION),))


def test_a_fault_keeps_the_assertions_that_failed_before_it() -> None:
    system = system_of('transition { P: a -> b; expect x == 4, "four"; x = 1 / 0; expect x == 2, "two"; }')
    result = outcome(system, initial(system), 0)
    assert result == Outcome(Fault("division by zero"), (Fault("four"),))


def test_an_outgrown_system_reports_what_it_needs() -> None:
    system = system_of('transition { P: a -> b; if x == 5 { outgrow "processes"; } }')
    with pytest.raises(Outgrown) as error:
        fire(system, initial(system), 0)
    assert error.value.need == "processes"


# Transitions


def test_a_transition_is_enabled_at_its_source_if_its_guard_is_not_zero() -> None:
    system = system_of("""
        transition { P: a -> b; }
        transition { P: b -> a; }
        transition { P: a -> b; when x == 4; }
        transition { P: a -> b; when -1; }
    """)
    assert enabled(system, initial(system)) == [0, 3]


def test_a_rendezvous_needs_every_process_at_its_source_and_moves_all() -> None:
    system = system_of("""
        transition { P: a -> b; Q: c -> d; }
        transition { P: a -> b; Q: d -> c; }
    """)
    start = initial(system)
    assert enabled(system, start) == [0]
    outcome = fire(system, start, 0)
    assert isinstance(outcome, State)
    assert outcome.locations == (1, 1)


def test_at_committed_locations_only_urgent_transitions_are_enabled() -> None:
    system = system_of("""
        committed P@b;
        transition { P: a -> b; }
        transition { Q: c -> d; }
        transition urgent { P: b -> a; }
        transition { P: b -> b; }
    """)
    start = initial(system)
    assert enabled(system, start) == [0, 1]
    committed = fire(system, start, 0)
    assert isinstance(committed, State)
    assert enabled(system, committed) == [2]


def test_urgent_transitions_are_enabled_elsewhere_as_well() -> None:
    system = system_of("committed P@b; transition urgent { Q: c -> d; }")
    assert enabled(system, initial(system)) == [0]


def test_a_guard_that_faults_makes_its_transition_enabled_and_firing_it_a_fault() -> None:
    system = system_of("transition { P: a -> b; when x / 0; } transition { P: b -> a; when x / 0; }")
    assert successors(system, initial(system)) == [(0, Fault("division by zero"))]


def test_a_state_without_events_is_a_deadlock_unless_it_is_a_valid_end() -> None:
    assert is_deadlock(system_of(""), initial(system_of("")))
    assert not is_deadlock(system_of("valid_end P@a;"), initial(system_of("")))
    assert is_deadlock(system_of("valid_end P@b;"), initial(system_of("")))


def test_a_condition_of_the_whole_state_that_faults_counts_as_true() -> None:
    system = system_of("committed x / 0; transition { P: a -> b; }")
    assert enabled(system, initial(system)) == []
    assert not is_deadlock(system_of("valid_end x / 0;"), initial(system_of("")))


# Exploration


def test_an_exploration_counts_states_transitions_levels_and_deadlocks() -> None:
    result = explore(system_of("transition { P: a -> b; } transition { Q: c -> d; }"))
    assert len(result.states) == 4
    assert result.transitions == 4
    assert result.deadlocks == 1
    assert result.levels == ((1, 2), (2, 2), (1, 0))
    assert result.fired == {0, 1}


def test_a_fault_counts_as_a_transition_and_leads_to_no_state() -> None:
    result = explore(system_of("transition { P: a -> b; x = x / 0; } transition { Q: c -> d; }"))
    assert (len(result.states), result.transitions, result.faults) == (2, 3, 2)


def test_a_state_whose_only_events_are_faults_is_not_a_deadlock() -> None:
    result = explore(system_of("transition { P: a -> b; x = x / 0; }"))
    assert (len(result.states), result.deadlocks) == (1, 0)


def test_an_exploration_gives_up_at_its_limit() -> None:
    system = system_of("transition { P: a -> a; x = x + 1; }")
    assert len(explore(system, 256).states) == 256
    with pytest.raises(TooManyStates):
        explore(system, 255)


def test_expressions_may_nest_as_deeply_as_validation_allows() -> None:
    assert value("!" * 499 + "x") == 0
    assert value(" + ".join(["x"] * 500)) == 2500
