"""Which expressions may fault, by their form alone."""

from __future__ import annotations

import pytest

from scrimp.system.expressions import Binary, Conditional, Constant, Expression, Find, Length, Message, Read, Undefined
from scrimp.system.faults import may_fault

X = Read(0)
ELEMENT = Read(1, X)
MAY_FAULT = [
    ELEMENT,
    Binary("/", X, X),
    Binary("%", X, Constant(0)),
    Binary("/", X, Constant(-1)),
    Message(0, 0, Constant(0)),
    Undefined("no value"),
    Find(0, (None, ELEMENT)),
    Conditional(X, X, ELEMENT),
    Binary("&&", Binary("<", X, Constant(3)), ELEMENT),
]
NEVER_FAULT = [X, Read(1, Constant(2)), Binary("/", X, Constant(2)), Binary("+", X, X), Length(0), Find(0, (None, X))]


@pytest.mark.parametrize("expression", MAY_FAULT, ids=str)
def test_an_expression_may_fault_if_a_part_has_no_value_in_some_state(expression: Expression) -> None:
    assert may_fault(expression)


@pytest.mark.parametrize("expression", NEVER_FAULT, ids=str)
def test_other_expressions_never_fault(expression: Expression) -> None:
    assert not may_fault(expression)
