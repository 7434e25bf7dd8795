"""Simplifies tests: folds constants, collects sums, drops what the layout decides.

An expression that faults still does: no part is dropped that might fault.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from scrimp.machine.backward.paths import rebuilt
from scrimp.machine.boxes import Box, evaluate
from scrimp.machine.evaluation import conjuncts
from scrimp.machine.intervals import WHOLE, Interval, contains, satisfying
from scrimp.system import arithmetic
from scrimp.system.arithmetic import EvaluationFault
from scrimp.system.expressions import (
    FALSE,
    MIRRORED,
    OPPOSITE,
    TRUE,
    At,
    Binary,
    BinaryOperator,
    Conditional,
    Constant,
    Expression,
    Length,
    Message,
    Read,
    Unary,
    Undefined,
)
from scrimp.system.traverse import subexpressions
from scrimp.system.types import INT


class Simplifier:
    """`lengths` are those of the variables, as arrays."""

    def __init__(self, box: Box, lengths: Sequence[int]) -> None:
        self.box = box
        self.lengths = lengths

    def tests(self, tests: Iterable[Expression]) -> tuple[Expression, ...] | None:
        """A simplified conjunction of tests: bounds of single values first, as few of each as possible; None if it is
        never true."""
        bounds: dict[Expression, Interval] = {}
        holes: dict[Expression, set[int]] = {}
        others: dict[Expression, None] = {}
        for part in (part for test in tests for part in conjuncts(self.test(test))):
            match part:
                case Constant(number):
                    if not number:
                        return None
                case Binary("!=", value, Constant(number)) if self._is_single(value):
                    holes.setdefault(value, set()).add(number)
                case Binary(operator, value, Constant(number)) if operator in MIRRORED and self._is_single(value):
                    low, high = bounds.get(value) or evaluate(value, self.box)
                    least, most = satisfying(operator, (number, number))
                    bounds[value] = (max(low, least), min(high, most))
                case _:
                    others[part] = None
        for cell, missing in holes.items():
            bounds[cell] = _without_ends(bounds.get(cell) or evaluate(cell, self.box), missing)
        if any(low > high for low, high in bounds.values()):
            return None
        inside = (self._inside(cell, interval, holes.get(cell, set())) for cell, interval in bounds.items())
        return (*(test for found in inside for test in found), *others)

    def test(self, expression: Expression) -> Expression:
        """The truth of an expression: 0 or 1 if it is decided."""
        match expression:
            case Binary("&&" | "||" as operator, left, right):
                return self._connected(operator, self.test(left), right)
            case Unary("!", operand):
                return self._negated(self.test(operand))
        value = self.value(expression)
        if isinstance(value, Constant):
            return TRUE if value.value else FALSE
        return value if _is_truth(value) else self._compared("!=", value, FALSE)

    def value(self, expression: Expression) -> Expression:
        match expression:
            case Constant():
                return expression
            case Read(variable, None):
                low, high = self.box.variables[variable]
                return Constant(low) if low == high else expression
            case Binary("&&" | "||") | Unary("!"):
                return self.test(expression)
            case Conditional(test, then, otherwise):
                return self._conditional(self.test(test), then, otherwise)
        expression = rebuilt(expression, self.value)
        match expression:
            case Unary(operator, Constant(number)):
                return Constant(arithmetic.unary(operator, number))
            case Binary(operator, Constant(left), Constant(right)):
                return _folded(expression, left, right)
            case Binary("+", left, right):
                return self._sum(left, right)
            case Binary("-", left, right):
                return self._difference(left, right)
            case Binary(operator, left, right) if operator in MIRRORED:
                return self._compared(operator, left, right)
        return self._decided(expression)

    def _conditional(self, test: Expression, then: Expression, otherwise: Expression) -> Expression:
        if isinstance(test, Constant):
            return self.value(then if test.value else otherwise)
        left, right = self.value(then), self.value(otherwise)
        return left if left == right and self.is_safe(test) else Conditional(test, left, right)

    def _connected(self, operator: BinaryOperator, left: Expression, right: Expression) -> Expression:
        """A conjunction or disjunction whose left side is already simplified."""
        neutral, decisive = (TRUE, FALSE) if operator == "&&" else (FALSE, TRUE)
        if isinstance(left, Constant):
            return self.test(right) if left == neutral else decisive
        last = self.test(right)
        if last == neutral:
            return left
        return decisive if last == decisive and self.is_safe(left) else Binary(operator, left, last)

    def _negated(self, test: Expression) -> Expression:
        match test:
            case Constant(value):
                return FALSE if value else TRUE
            case Binary(operator, left, right) if operator in OPPOSITE:
                return self._compared(OPPOSITE[operator], left, right)
            case Unary("!", operand) if _is_truth(operand):
                return operand
            case _:
                return Unary("!", test)

    def _sum(self, left: Expression, right: Expression) -> Expression:
        (a, c), (b, d) = _split(left), _split(right)
        if a is None or b is None:
            return _joined(a or b, c + d)
        match a:
            case Binary("-", rest, other) if other == b and self.is_safe(b):
                return _joined(rest, c + d)
        return _joined(Binary("+", a, b), c + d)

    def _difference(self, left: Expression, right: Expression) -> Expression:
        (a, c), (b, d) = _split(left), _split(right)
        if b is None:
            return _joined(a, c - d)
        if a == b and self.is_safe(b):
            return _joined(None, c - d)
        match a:
            case Binary("+", rest, other) if other == b and self.is_safe(b):
                return _joined(rest, c - d)
            case Binary("+", other, rest) if other == b and self.is_safe(b):
                return _joined(rest, c - d)
            case None:
                return Binary("-", Constant(INT.wrap(c - d)), b)
        return _joined(Binary("-", a, b), c - d)

    def _compared(self, operator: BinaryOperator, left: Expression, right: Expression) -> Expression:
        if isinstance(left, Constant) and isinstance(right, Constant):
            return Constant(arithmetic.binary(operator, left.value, right.value))
        if isinstance(left, Constant):
            operator, left, right = MIRRORED[operator], right, left
        (a, c), (b, d) = _split(left), _split(right)
        if a is not None and (b is None or a == b) and self._is_exact(a, c) and self._is_exact(b, d):
            if b is not None:
                return self._decided(Binary(operator, left, right), arithmetic.binary(operator, c, d))
            if contains(WHOLE, (d - c, d - c)):
                return self._decided(Binary(operator, a, Constant(d - c)))
        return self._decided(Binary(operator, left, right))

    def _is_exact(self, base: Expression | None, offset: int) -> bool:
        """Whether the sum of an expression and a number never wraps around."""
        if base is None:
            return True
        low, high = evaluate(base, self.box)
        return contains(WHOLE, (low + offset, high + offset))

    def _decided(self, expression: Expression, outcome: int | None = None) -> Expression:
        """A number in place of an expression that has only one value: `outcome`, or the value that the box implies."""
        if outcome is None:
            low, high = evaluate(expression, self.box)
            if low != high:
                return expression
            outcome = low
        return Constant(outcome) if self.is_safe(expression) else expression

    def is_safe(self, expression: Expression) -> bool:
        """Whether an expression never faults."""
        return not any(self._may_fault(part) for part in subexpressions(expression))

    def _may_fault(self, part: Expression) -> bool:
        match part:
            case Read(variable, index) if index is not None:
                return not contains((0, self.lengths[variable] - 1), evaluate(index, self.box))
            case Binary("/" | "%", _, divisor):
                return not (isinstance(divisor, Constant) and divisor.value not in (0, -1))
            case Message() | Undefined():
                return True
            case _:
                return False

    def _is_single(self, expression: Expression) -> bool:
        """Whether an expression is a value in the state, at a known position."""
        match expression:
            case Read(_, None) | Length():
                return True
            case Read(_, Constant()):
                return self.is_safe(expression)
            case _:
                return False

    def _inside(self, value: Expression, interval: Interval, holes: set[int]) -> list[Expression]:
        """The tests for a value to lie in an interval, and not in the holes."""
        low, high = evaluate(value, self.box)
        if interval[0] == interval[1]:
            return [] if low == high else [Binary("==", value, Constant(interval[0]))]
        tests: list[Expression] = []
        if interval[0] > low:
            tests.append(Binary(">=", value, Constant(interval[0])))
        if interval[1] < high:
            tests.append(Binary("<=", value, Constant(interval[1])))
        inner = (hole for hole in sorted(holes) if interval[0] < hole < interval[1])
        return [*tests, *(Binary("!=", value, Constant(hole)) for hole in inner)]


def _without_ends(interval: Interval, missing: set[int]) -> Interval:
    low, high = interval
    while low in missing and low <= high:
        low += 1
    while high in missing and low <= high:
        high -= 1
    return (low, high)


def _split(expression: Expression) -> tuple[Expression | None, int]:
    """An expression as the sum of another, if any, and a number."""
    match expression:
        case Constant(value):
            return None, value
        case Binary("+", base, Constant(value)):
            return base, value
        case _:
            return expression, 0


def _joined(base: Expression | None, offset: int) -> Expression:
    number = INT.wrap(offset)
    if base is None:
        return Constant(number)
    return Binary("+", base, Constant(number)) if number else base


def _folded(expression: Binary, left: int, right: int) -> Expression:
    try:
        return Constant(arithmetic.binary(expression.operator, left, right))
    except EvaluationFault:
        return expression


def _is_truth(expression: Expression) -> bool:
    """Whether an expression is 0 or 1 by its form."""
    match expression:
        case At() | Unary("!", _) | Binary("&&" | "||", _, _):
            return True
        case Binary(operator, _, _):
            return operator in MIRRORED
        case _:
            return False
