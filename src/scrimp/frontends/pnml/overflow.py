"""Numbers of tokens that do not fit into 32 bits.

Arithmetic of systems wraps around, and a sum over places may exceed what one place holds. Where it could, the operation
becomes one that cannot be evaluated if its result does not fit: then a question has no answer instead of a wrong one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scrimp.errors import ModelError
from scrimp.frontends.pnml.net import Net
from scrimp.frontends.pnml.placement import Placement
from scrimp.frontends.pnml.ptnet import MOST_TOKENS
from scrimp.system.expressions import Binary, BinaryOperator, Conditional, Constant, Expression, Read, Unary, Undefined
from scrimp.system.types import INT

_TEXT = f"a number that is computed exceeds {INT.high:,}"
# Tests repeat their operands.
_MOST_PARTS = 50_000
# A place without a known bound whose tokens come a few at a time reaches no more within any search.
_FEW, _MANY = 16, 2**24

Interval = tuple[int, int]


@dataclass(frozen=True, slots=True)
class _Checked:
    expression: Expression
    interval: Interval
    parts: int


@dataclass(frozen=True, slots=True)
class OverflowChecks:
    """Adds tests to expressions over a net's places; `most` has the largest number of each variable of the system."""

    most: tuple[int, ...]

    def checked(self, expression: Expression) -> Expression:
        """The expression with a test for each operation whose result may not fit; raises ModelError."""
        return self._checked(expression).expression

    def _checked(self, expression: Expression) -> _Checked:
        match expression:
            case Constant(value):
                return _Checked(expression, (value, value), 1)
            case Read(variable):
                return _Checked(expression, (0, self.most[variable]), 1)
            case Unary(operator, operand):
                inner = self._checked(operand)
                low, high = inner.interval
                interval = (-high, -low) if operator == "-" else (0, 1)
                return _Checked(Unary(operator, inner.expression), interval, inner.parts + 1)
            case Binary(operator, left, right):
                return _operation(operator, self._checked(left), self._checked(right))
        return _Checked(expression, (0, 1), 1)


def overflow_checks(net: Net, placement: Placement, bounds: Sequence[int | None]) -> OverflowChecks:
    gains = dict.fromkeys(range(len(net.places)), 0)
    for transition in net.transitions:
        for place, weight in transition.produces.items():
            gains[place] = max(gains[place], weight)

    def most(place: int) -> int:
        bound = bounds[place]
        if bound is not None:
            return bound
        return _MANY if gains[place] <= _FEW and net.places[place].tokens <= _MANY else MOST_TOKENS

    return OverflowChecks(tuple(map(most, placement.variables)))


def _operation(operator: BinaryOperator, left: _Checked, right: _Checked) -> _Checked:
    result = Binary(operator, left.expression, right.expression)
    parts = left.parts + right.parts + 1
    interval = _interval(operator, left.interval, right.interval)
    if INT.low <= interval[0] and interval[1] <= INT.high:
        return _Checked(result, interval, parts)
    if parts > _MOST_PARTS:
        raise ModelError("<expression>", 1, 1, "this expression is too long for numbers of tokens this large")
    test = _fits(operator, left.expression, right.expression)
    return _Checked(Conditional(test, result, Undefined(_TEXT)), (INT.low, INT.high), 4 * parts)


def _interval(operator: BinaryOperator, left: Interval, right: Interval) -> Interval:
    match operator:
        case "+":
            return left[0] + right[0], left[1] + right[1]
        case "-":
            return left[0] - right[1], left[1] - right[0]
        case "*":
            ends = [a * b for a in left for b in right]
            return min(ends), max(ends)
        case "/" | "%":
            most = max(map(abs, left))
            return max(-most, INT.low), min(most, INT.high)
    return 0, 1


def _fits(operator: BinaryOperator, left: Expression, right: Expression) -> Expression:
    """Whether the result fits into 32 bits."""
    zero, most, least = Constant(0), Constant(INT.high), Constant(INT.low)
    if operator == "*":
        wrapped = Binary("*", left, right)
        return Binary("||", Binary("==", right, zero), Binary("==", Binary("/", wrapped, right), left))
    back: BinaryOperator = "-" if operator == "+" else "+"
    rises, falls = (Binary("<=", right, zero), Binary(">=", right, zero))
    if operator == "-":
        rises, falls = falls, rises
    not_above = Binary("||", rises, Binary("<=", left, Binary(back, most, right)))
    not_below = Binary("||", falls, Binary(">=", left, Binary(back, least, right)))
    return Binary("&&", not_above, not_below)
