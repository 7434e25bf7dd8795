"""Algebra: expressions of the system that compute what CPython computes, simplified where that changes nothing.

Numbers of a system have 32 bits and wrap around; CPython's do neither. An operation whose result may not fit is
therefore guarded by a test, and faults if it does not. Intervals, from the ranges of the variables, show where that
cannot happen.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from scrimp.system.expressions import (
    FALSE,
    OPPOSITE,
    TRUE,
    At,
    Binary,
    BinaryOperator,
    Conditional,
    Constant,
    Expression,
    Find,
    Length,
    Message,
    Read,
    Timeout,
    Unary,
    Undefined,
)
from scrimp.system.system import Channel, Variable
from scrimp.system.traverse import subexpressions
from scrimp.system.types import INT

Interval: TypeAlias = tuple[int, int]

ANY: Interval = (INT.low, INT.high)
TRUTH: Interval = (0, 1)
ZERO = Constant(0)
TOO_LARGE = Undefined("a number does not fit in 32 bits; give the operands smaller ranges")
DIVISION = Undefined("ZeroDivisionError: integer division or modulo by zero")
SHIFT = Undefined("ValueError: negative shift count")

_COMPARISONS = frozenset(OPPOSITE)


@dataclass(frozen=True)
class Algebra:
    """Operations over the variables and channels of a system under construction."""

    variables: Sequence[Variable]
    channels: Sequence[Channel]

    def interval(self, expression: Expression) -> Interval:
        """The least and the greatest value that an expression may have, if it has one."""
        found = self._interval(expression)
        return max(found[0], INT.low), min(found[1], INT.high)

    def _interval(self, expression: Expression) -> Interval:
        match expression:
            case Constant(value):
                return value, value
            case Read(variable):
                type_ = self.variables[variable].type
                return type_.low, type_.high
            case At() | Timeout() | Unary("!"):
                return TRUTH
            case Length(channel):
                return 0, self.channels[channel].capacity
            case Message(channel, field):
                type_ = self.channels[channel].fields[field]
                return type_.low, type_.high
            case Find(channel):
                return -1, self.channels[channel].capacity - 1
            case Unary("-", operand):
                low, high = self.interval(operand)
                return -high, -low
            case Binary(operator, left, right):
                if operator in _COMPARISONS or operator in ("&&", "||"):
                    return TRUTH
                return _combined(operator, self.interval(left), self.interval(right))
            case Conditional(_, then, otherwise):
                branches = [self.interval(each) for each in (then, otherwise) if not isinstance(each, Undefined)]
                return (min(low for low, _ in branches), max(high for _, high in branches)) if branches else (0, 0)
            case _:
                return ANY

    def may_fault(self, expression: Expression, filled: Collection[int] = ()) -> bool:
        """Whether evaluating an expression may fault; the channels that are `filled` hold a message."""
        return any(self._faults(part, filled) for part in subexpressions(expression))

    def _faults(self, part: Expression, filled: Collection[int]) -> bool:
        match part:
            case Undefined():
                return True
            case Message(channel, _, position):
                return channel not in filled or position != ZERO
            case Read(variable, index) if index is not None:
                low, high = self.interval(index)
                return low < 0 or high >= len(self.variables[variable].initial)
            case Binary("/" | "%", _, right):
                low, high = self.interval(right)
                return low <= 0 <= high or low <= -1 <= high
            case _:
                return False

    def negation(self, operand: Expression) -> Expression:
        """`-operand`."""
        low, high = self.interval(operand)
        if isinstance(operand, Constant):
            return self.number(-operand.value)
        return self.fitting(Unary("-", operand), (-high, -low), comparison(">", operand, Constant(INT.low)))

    def number(self, value: int) -> Expression:
        return Constant(value) if INT.contains(value) else TOO_LARGE

    def fitting(self, result: Expression, interval: Interval, test: Expression) -> Expression:
        """The result of an operation if it fits; `test` says so where the interval does not."""
        if INT.contains(interval[0]) and INT.contains(interval[1]):
            return result
        return conditional(test, result, TOO_LARGE)

    def sum(self, left: Expression, right: Expression) -> Expression:
        match left, right:
            case Constant(a), Constant(b):
                return self.number(a + b)
            case (other, Constant(0)) | (Constant(0), other):
                return other
        (a, b), (c, d) = self.interval(left), self.interval(right)
        plain = Binary("+", left, right)
        # A result that wrapped around is on the wrong side of the left operand.
        overflows = disjoined(
            conjoined(comparison(">", right, ZERO), comparison("<", plain, left)),
            conjoined(comparison("<", right, ZERO), comparison(">", plain, left)),
        )
        return self.fitting(plain, (a + c, b + d), negated(overflows))

    def difference(self, left: Expression, right: Expression) -> Expression:
        match left, right:
            case Constant(a), Constant(b):
                return self.number(a - b)
            case other, Constant(0):
                return other
        (a, b), (c, d) = self.interval(left), self.interval(right)
        plain = Binary("-", left, right)
        overflows = disjoined(
            conjoined(comparison("<", right, ZERO), comparison("<", plain, left)),
            conjoined(comparison(">", right, ZERO), comparison(">", plain, left)),
        )
        return self.fitting(plain, (a - d, b - c), negated(overflows))

    def product(self, left: Expression, right: Expression) -> Expression:
        match left, right:
            case Constant(a), Constant(b):
                return self.number(a * b)
            case (other, Constant(1)) | (Constant(1), other):
                return other
            case (other, Constant(0)) | (Constant(0), other) if not self.may_fault(other):
                return ZERO
        interval = _combined("*", self.interval(left), self.interval(right))
        plain = Binary("*", left, right)
        quotient_is_right = comparison("==", Binary("/", plain, left), right)
        smallest = conjoined(comparison("==", left, Constant(-1)), comparison("==", right, Constant(INT.low)))
        fits = disjoined(comparison("==", left, ZERO), conjoined(negated(smallest), quotient_is_right))
        return self.fitting(plain, interval, fits)

    def quotient(self, left: Expression, right: Expression) -> Expression:
        """`left // right`, rounded down as in Python."""
        if isinstance(left, Constant) and isinstance(right, Constant) and right.value:
            return self.number(left.value // right.value)
        (a, b), (c, d) = self.interval(left), self.interval(right)
        truncated = Binary("/", left, right)
        largest = max(abs(c), abs(d))
        if (a < 0 or c < 0) and largest <= 2**29 and a - largest >= INT.low and b + largest <= INT.high:
            truncated = Binary("/", Binary("-", left, _floored(left, right)), right)
        elif a < 0 or c < 0:
            has_rest = comparison("!=", Binary("%", left, right), ZERO)
            signs_differ = comparison("!=", comparison("<", left, ZERO), comparison("<", right, ZERO))
            truncated = Binary("-", truncated, conjoined(has_rest, signs_differ))
        result: Expression = truncated
        if c <= -1 <= d and a == INT.low:
            smallest = conjoined(comparison("==", left, Constant(INT.low)), comparison("==", right, Constant(-1)))
            result = conditional(smallest, TOO_LARGE, result)
        return self._by(right, result)

    def remainder(self, left: Expression, right: Expression) -> Expression:
        """`left % right`, with the sign of the divisor as in Python."""
        if isinstance(left, Constant) and isinstance(right, Constant) and right.value:
            return Constant(left.value % right.value)
        (a, _), (c, d) = self.interval(left), self.interval(right)
        rest: Expression = Binary("%", left, right)
        if (a < 0 or c < 0) and max(abs(c), abs(d)) <= 2**29:
            rest = _floored(left, right)
        elif a < 0 or c < 0:
            signs_differ = comparison("!=", comparison("<", rest, ZERO), comparison("<", right, ZERO))
            wrong = conjoined(comparison("!=", rest, ZERO), signs_differ)
            rest = conditional(wrong, Binary("+", rest, right), rest)
        if c <= -1 <= d:
            rest = conditional(comparison("==", right, Constant(-1)), ZERO, rest)
        return self._by(right, rest)

    def _by(self, divisor: Expression, result: Expression) -> Expression:
        low, high = self.interval(divisor)
        return conditional(comparison("==", divisor, ZERO), DIVISION, result) if low <= 0 <= high else result

    def shifted_left(self, left: Expression, right: Expression) -> Expression:
        if isinstance(right, Constant):
            return SHIFT if right.value < 0 else self.product(left, self.number(2 ** min(right.value, 40)))
        plain = Binary("<<", left, right)
        low, high = self.interval(right)
        fits = disjoined(
            comparison("==", left, ZERO),
            conjoined(comparison("<", right, Constant(31)), comparison("==", Binary(">>", plain, right), left)),
        )
        (a, b) = self.interval(left)
        interval = (min(a, a << min(high, 40)), max(b, b << min(high, 40))) if low >= 0 else (INT.low - 1, 0)
        result = conditional(comparison("==", left, ZERO), ZERO, plain) if high > 31 else plain
        return self._counted(right, self.fitting(result, interval, fits))

    def shifted_right(self, left: Expression, right: Expression) -> Expression:
        _, high = self.interval(right)
        count = conditional(comparison(">", right, Constant(31)), Constant(31), right) if high > 31 else right
        if isinstance(left, Constant) and isinstance(count, Constant) and count.value >= 0:
            return Constant(left.value >> count.value)
        return self._counted(right, Binary(">>", left, count))

    def _counted(self, count: Expression, result: Expression) -> Expression:
        low, _ = self.interval(count)
        return result if low >= 0 else conditional(comparison("<", count, ZERO), SHIFT, result)

    def bitwise(self, operator: BinaryOperator, left: Expression, right: Expression) -> Expression:
        if isinstance(left, Constant) and isinstance(right, Constant):
            a, b = left.value, right.value
            return Constant({"&": a & b, "|": a | b, "^": a ^ b}[operator])
        return Binary(operator, left, right)

    def checked(self, index: Expression, length: int, what: str) -> Expression:
        """An index if it is inside; a fault otherwise."""
        low, high = self.interval(index)
        if low >= 0 and high < length:
            return index
        inside = conjoined(comparison(">=", index, ZERO), comparison("<", index, Constant(length)))
        return conditional(inside, index, Undefined(f"IndexError: index outside {what}[{length}]"))


def _floored(left: Expression, right: Expression) -> Expression:
    """`left % right` as in Python, where the system's `%` takes the sign of the dividend; `right` is not too large."""
    return Binary("%", Binary("+", Binary("%", left, right), right), right)


def _combined(operator: str, one: Interval, other: Interval) -> Interval:
    (a, b), (c, d) = one, other
    match operator:
        case "+":
            return a + c, b + d
        case "-":
            return a - d, b - c
        case "*":
            products = [x * y for x in one for y in other]
            return min(products), max(products)
        case "/":
            largest = max(abs(a), abs(b))
            return (0, b) if a >= 0 and c >= 0 else (-largest, largest)
        case "%":
            largest = max(abs(c), abs(d)) - 1
            return 0 if a >= 0 else -max(largest, 0), max(largest, 0)
        case ">>":
            return min(a, 0), max(b, 0)
        case "<<":
            if a >= 0 and c >= 0 and d <= 31:
                return a, b << d
            return ANY
        case "&":
            if a >= 0 and c >= 0:
                return 0, min(b, d)
            return (0, b if a >= 0 else d) if a >= 0 or c >= 0 else (-(2 ** _bits(a, c)), max(b, d, 0))
        case _:
            bits = _bits(a, b, c, d)
            return 0 if a >= 0 and c >= 0 else -(2**bits), 2**bits - 1


def _bits(*values: int) -> int:
    return max(value.bit_length() for value in values)


def comparison(operator: BinaryOperator, left: Expression, right: Expression) -> Expression:
    if isinstance(left, Constant) and isinstance(right, Constant):
        a, b = left.value, right.value
        held = {"==": a == b, "!=": a != b, "<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[operator]
        return TRUE if held else FALSE
    return Binary(operator, left, right)


def negated(test: Expression) -> Expression:
    match test:
        case Constant(value):
            return FALSE if value else TRUE
        case Unary("!", Binary(operator) as operand) if operator in _COMPARISONS or operator in ("&&", "||"):
            return operand
        case Unary("!", Unary("!") as operand):
            return operand
        case Binary(operator, left, right) if operator in OPPOSITE:
            return Binary(OPPOSITE[operator], left, right)
        case _:
            return Unary("!", test)


def conjoined(left: Expression, right: Expression) -> Expression:
    if isinstance(left, Constant):
        return truth(right) if left.value else FALSE
    return left if right == TRUE and is_truth(left) else Binary("&&", left, right)


def disjoined(left: Expression, right: Expression) -> Expression:
    if isinstance(left, Constant):
        return TRUE if left.value else truth(right)
    return left if right == FALSE and is_truth(left) else Binary("||", left, right)


def is_truth(expression: Expression) -> bool:
    """Whether an expression is 0 or 1 by its form."""
    match expression:
        case Constant(value):
            return value in (0, 1)
        case Binary(operator):
            return operator in _COMPARISONS or operator in ("&&", "||")
        case Unary("!") | At():
            return True
        case Conditional(_, then, otherwise):
            return all(isinstance(each, Undefined) or is_truth(each) for each in (then, otherwise))
        case _:
            return False


def truth(expression: Expression) -> Expression:
    """1 if an expression is not 0, otherwise 0."""
    return expression if is_truth(expression) else comparison("!=", expression, ZERO)


def conditional(test: Expression, then: Expression, otherwise: Expression) -> Expression:
    if isinstance(test, Constant):
        return then if test.value else otherwise
    if then == TRUE and otherwise == FALSE and is_truth(test):
        return test
    return Conditional(test, then, otherwise)


def forced(first: Expression, result: Expression) -> Expression:
    """`result`, after `first` was evaluated for its faults."""
    return (
        Conditional(Binary("||", first, TRUE), result, result)
        if result == ZERO
        else Conditional(Binary("||", first, TRUE), result, ZERO)
    )


def replaced(expression: Expression, leaf: Mapping[Expression, Expression]) -> Expression:
    """An expression with some of its leaves replaced."""
    if expression in leaf:
        return leaf[expression]
    match expression:
        case Read(variable, index) if index is not None:
            return Read(variable, replaced(index, leaf))
        case Unary("!", operand):
            return negated(replaced(operand, leaf))
        case Unary(operator, operand):
            return Unary(operator, replaced(operand, leaf))
        case Binary("&&", left, right):
            return conjoined(replaced(left, leaf), replaced(right, leaf))
        case Binary("||", left, right):
            return disjoined(replaced(left, leaf), replaced(right, leaf))
        case Binary(operator, left, right) if operator in _COMPARISONS:
            return comparison(operator, replaced(left, leaf), replaced(right, leaf))
        case Binary(operator, left, right):
            return Binary(operator, replaced(left, leaf), replaced(right, leaf))
        case Conditional(test, then, otherwise):
            return conditional(replaced(test, leaf), replaced(then, leaf), replaced(otherwise, leaf))
        case Message(channel, field, position):
            return Message(channel, field, replaced(position, leaf))
        case Find(channel, pattern):
            return Find(channel, tuple(None if each is None else replaced(each, leaf) for each in pattern))
        case _:
            return expression


def size(expression: Expression) -> int:
    return sum(1 for _ in subexpressions(expression))
