"""Arithmetic: the operators of expressions on numbers, which are signed and have 32 bits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import and_, or_, xor

from scrimp.system.types import INT
from scrimp.system.violations import ViolationKind


class EvaluationFault(Exception):
    """An expression has no value, or a statement cannot be executed, in this state."""

    def __init__(self, message: str, kind: ViolationKind = ViolationKind.FAULT) -> None:
        super().__init__(message)
        self.kind = kind


def unary(operator: str, value: int) -> int:
    """The result of an operator of `Unary`."""
    match operator:
        case "-":
            return INT.wrap(-value)
        case "~":
            return ~value
        case _:
            return int(value == 0)


def binary(operator: str, left: int, right: int) -> int:
    """The result of an operator of `Binary`, except `&&` and `||`; raises EvaluationFault if there is none."""
    return _BINARY[operator](left, right)


def quotient(dividend: int, divisor: int) -> int:
    """The quotient of any two integers, truncated towards zero."""
    magnitude = abs(dividend) // abs(divisor)
    return magnitude if (dividend < 0) == (divisor < 0) else -magnitude


def _divided(left: int, right: int) -> int:
    if right == 0:
        raise EvaluationFault("division by zero")
    if left == INT.low and right == -1:
        raise EvaluationFault("division overflows")
    return quotient(left, right)


_BINARY: Mapping[str, Callable[[int, int], int]] = {
    "+": lambda left, right: INT.wrap(left + right),
    "-": lambda left, right: INT.wrap(left - right),
    "*": lambda left, right: INT.wrap(left * right),
    "/": _divided,
    "%": lambda left, right: left - _divided(left, right) * right,
    "&": and_,
    "|": or_,
    "^": xor,
    "<<": lambda left, right: INT.wrap(left << (right & 31)),
    ">>": lambda left, right: left >> (right & 31),
    "==": lambda left, right: int(left == right),
    "!=": lambda left, right: int(left != right),
    "<": lambda left, right: int(left < right),
    "<=": lambda left, right: int(left <= right),
    ">": lambda left, right: int(left > right),
    ">=": lambda left, right: int(left >= right),
}
