"""Interval arithmetic over 32-bit integers: the interval of an operation's result, given those of its operands.

Every function is sound for evaluations that do not fault, and returns the whole range of 32-bit integers if it knows
nothing better.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from scrimp.system.arithmetic import quotient
from scrimp.system.types import INT, Range

Interval: TypeAlias = tuple[int, int]

WHOLE: Interval = (INT.low, INT.high)
BOOLEAN: Interval = (0, 1)
YES: Interval = (1, 1)
NO: Interval = (0, 0)


def join(a: Interval, b: Interval) -> Interval:
    return (min(a[0], b[0]), max(a[1], b[1]))


def meet(a: Interval, b: Interval) -> Interval | None:
    low, high = max(a[0], b[0]), min(a[1], b[1])
    return (low, high) if low <= high else None


def contains(outer: Interval, inner: Interval) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def into_type(interval: Interval, type_: Range) -> Interval:
    """The interval of a value after conversion to a type."""
    if type_.low <= interval[0] and interval[1] <= type_.high:
        return interval
    if not type_.wraps:
        return meet(interval, (type_.low, type_.high)) or (type_.low, type_.high)
    turns = (interval[0] - type_.low) // type_.size
    if turns == (interval[1] - type_.low) // type_.size:
        return (interval[0] - turns * type_.size, interval[1] - turns * type_.size)
    return (type_.low, type_.high)


def satisfying(comparison: str, other: Interval) -> Interval:
    """The interval of a value that compares so, other than by `!=`, with one in an interval."""
    match comparison:
        case "==":
            return other
        case "<":
            return (INT.low, other[1] - 1)
        case "<=":
            return (INT.low, other[1])
        case ">":
            return (other[0] + 1, INT.high)
        case _:
            return (other[0], INT.high)


def unary(operator: str, operand: Interval) -> Interval:
    match operator:
        case "-":
            return _exact(-operand[1], -operand[0])
        case "~":
            return (-1 - operand[1], -1 - operand[0])
        case _:
            return negation(operand)


def negation(operand: Interval) -> Interval:
    if operand == NO:
        return YES
    return NO if operand[0] > 0 or operand[1] < 0 else BOOLEAN


def binary(operator: str, left: Interval, right: Interval) -> Interval:
    """For every operator but `&&` and `||`."""
    return _BINARY[operator](left, right)


def _exact(low: int, high: int) -> Interval:
    """An interval computed without bounds: useless if it leaves the 32-bit integers, because of wrap-around."""
    return (low, high) if INT.low <= low and high <= INT.high else WHOLE


def _add(a: Interval, b: Interval) -> Interval:
    return _exact(a[0] + b[0], a[1] + b[1])


def _subtract(a: Interval, b: Interval) -> Interval:
    return _exact(a[0] - b[1], a[1] - b[0])


def _multiply(a: Interval, b: Interval) -> Interval:
    corners = (a[0] * b[0], a[0] * b[1], a[1] * b[0], a[1] * b[1])
    return _exact(min(corners), max(corners))


def _divide(a: Interval, b: Interval) -> Interval:
    divisors = [d for d in (b[0], b[1], -1, 1) if b[0] <= d <= b[1] and d != 0]
    if not divisors:
        return WHOLE
    corners = [quotient(n, d) for n in a for d in divisors]
    if a[0] <= 0 <= a[1]:
        corners.append(0)
    return _exact(min(corners), max(corners))


def _remainder(a: Interval, b: Interval) -> Interval:
    if a[0] == a[1] and b[0] == b[1] and b[0] != 0:
        exact = a[0] - quotient(a[0], b[0]) * b[0]
        return (exact, exact)
    most = max(abs(b[0]), abs(b[1])) - 1
    if most < 0:
        return WHOLE
    if b[0] > 0 and a[0] >= 0 and a[1] < b[0]:
        return a
    return (max(a[0], -most) if a[0] < 0 else 0, min(a[1], most) if a[1] > 0 else 0)


def _and(a: Interval, b: Interval) -> Interval:
    if a[0] == a[1] and b[0] == b[1]:
        return (a[0] & b[0], a[0] & b[0])
    tops = [interval[1] for interval in (a, b) if interval[0] >= 0]
    return (0, min(tops)) if tops else _signed_cover(a, b)


def _or(a: Interval, b: Interval) -> Interval:
    if a[0] == a[1] and b[0] == b[1]:
        return (a[0] | b[0], a[0] | b[0])
    if a[0] >= 0 and b[0] >= 0:
        return (max(a[0], b[0]), _ones(max(a[1], b[1])))
    return _signed_cover(a, b)


def _xor(a: Interval, b: Interval) -> Interval:
    if a[0] == a[1] and b[0] == b[1]:
        return (a[0] ^ b[0], a[0] ^ b[0])
    if a[0] >= 0 and b[0] >= 0:
        return (0, _ones(max(a[1], b[1])))
    return _signed_cover(a, b)


def _ones(value: int) -> int:
    return int((1 << value.bit_length()) - 1)


def _signed_cover(a: Interval, b: Interval) -> Interval:
    """A bitwise operation stays within the two's complement width of its operands."""
    bits = max(bound.bit_length() if bound >= 0 else (~bound).bit_length() for bound in (*a, *b))
    return (-(1 << bits), (1 << bits) - 1)


def _shift_left(a: Interval, b: Interval) -> Interval:
    if not 0 <= b[0] <= b[1] <= 31:
        return WHOLE
    corners = (a[0] << b[0], a[0] << b[1], a[1] << b[0], a[1] << b[1])
    return _exact(min(corners), max(corners))


def _shift_right(a: Interval, b: Interval) -> Interval:
    if not 0 <= b[0] <= b[1] <= 31:
        return (min(a[0], 0), max(a[1], 0))
    corners = (a[0] >> b[0], a[0] >> b[1], a[1] >> b[0], a[1] >> b[1])
    return (min(corners), max(corners))


def _less(a: Interval, b: Interval) -> Interval:
    if a[1] < b[0]:
        return YES
    return NO if a[0] >= b[1] else BOOLEAN


def _at_most(a: Interval, b: Interval) -> Interval:
    if a[1] <= b[0]:
        return YES
    return NO if a[0] > b[1] else BOOLEAN


def _equal(a: Interval, b: Interval) -> Interval:
    if a[1] < b[0] or b[1] < a[0]:
        return NO
    return YES if a == b and a[0] == a[1] else BOOLEAN


_BINARY: dict[str, Callable[[Interval, Interval], Interval]] = {
    "+": _add,
    "-": _subtract,
    "*": _multiply,
    "/": _divide,
    "%": _remainder,
    "&": _and,
    "|": _or,
    "^": _xor,
    "<<": _shift_left,
    ">>": _shift_right,
    "==": _equal,
    "!=": lambda a, b: negation(_equal(a, b)),
    "<": _less,
    "<=": _at_most,
    ">": lambda a, b: _less(b, a),
    ">=": lambda a, b: _at_most(b, a),
}
