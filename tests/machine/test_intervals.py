"""Interval arithmetic holds whatever the reference interpreter computes."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.machine.systems import system

from scrimp.machine.intervals import Interval, binary, into_type, unary
from scrimp.system.expressions import Binary, BinaryOperator, Constant, Unary, UnaryOperator
from scrimp.system.reference import EvaluationFault, evaluate, initial
from scrimp.system.types import INT, Range

EMPTY = system()
NUMBERS = st.one_of(st.integers(-9, 9), st.integers(INT.low, INT.high), st.sampled_from([INT.low, INT.high]))
INTERVALS = st.tuples(NUMBERS, NUMBERS).map(sorted).map(tuple)
OPERATORS = [operator for operator in get_args(BinaryOperator) if operator not in ("&&", "||")]


def _inside(interval: Interval, part: float) -> int:
    return interval[0] + round((interval[1] - interval[0]) * part)


@pytest.mark.parametrize("operator", OPERATORS)
@given(a=INTERVALS, b=INTERVALS, parts=st.tuples(st.floats(0, 1), st.floats(0, 1)))
def test_a_binary_operation_stays_inside(
    operator: BinaryOperator, a: Interval, b: Interval, parts: tuple[float, float]
) -> None:
    low, high = binary(operator, a, b)
    expression = Binary(operator, Constant(_inside(a, parts[0])), Constant(_inside(b, parts[1])))
    try:
        value = evaluate(EMPTY, initial(EMPTY), expression)
    except EvaluationFault:
        return
    assert low <= value <= high


@pytest.mark.parametrize("operator", get_args(UnaryOperator))
@given(a=INTERVALS, part=st.floats(0, 1))
def test_a_unary_operation_stays_inside(operator: UnaryOperator, a: Interval, part: float) -> None:
    low, high = unary(operator, a)
    assert low <= evaluate(EMPTY, initial(EMPTY), Unary(operator, Constant(_inside(a, part)))) <= high


@given(a=INTERVALS, part=st.floats(0, 1), low=st.integers(-20, 20), size=st.integers(1, 300))
def test_a_value_brought_into_a_type_stays_inside(a: Interval, part: float, low: int, size: int) -> None:
    type_ = Range(low, low + size - 1)
    typed = into_type(a, type_)
    assert typed[0] <= type_.wrap(_inside(a, part)) <= typed[1]


@pytest.mark.parametrize(
    ("operator", "a", "b", "expected"),
    [
        ("+", (0, 3), (1, 1), (1, 4)),
        ("%", (0, 200), (4, 4), (0, 3)),
        ("%", (-5, 2), (4, 4), (-3, 2)),
        ("/", (0, 100), (0, 8), (0, 100)),
        ("&", (-9, 9), (0, 7), (0, 7)),
        ("<", (0, 3), (4, 4), (1, 1)),
        ("+", (INT.high, INT.high), (1, 1), (INT.low, INT.high)),
    ],
)
def test_results_are_as_narrow_as_one_would_think(operator: str, a: Interval, b: Interval, expected: Interval) -> None:
    assert binary(operator, a, b) == expected
