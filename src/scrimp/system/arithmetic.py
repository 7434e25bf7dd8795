"""Arithmetic: what the operators of expressions do to numbers, which are those of 32 bits with a sign."""

from __future__ import annotations

from scrimp.system.types import INT
from scrimp.system.violations import ViolationKind


class EvaluationFault(Exception):
    """An expression has no value, or a statement cannot be executed, in this state."""

    def __init__(self, message: str, kind: ViolationKind = ViolationKind.FAULT) -> None:
        super().__init__(message)
        self.kind = kind


def unary(operator: str, value: int) -> int:
    """The value of an operator of `Unary`."""
    match operator:
        case "-":
            return INT.wrap(-value)
        case "~":
            return ~value
        case _:
            return int(value == 0)


def binary(operator: str, left: int, right: int) -> int:
    """The value of an operator of `Binary`, but for `&&` and `||`; raises EvaluationFault where there is none."""
    match operator:
        case "+":
            return INT.wrap(left + right)
        case "-":
            return INT.wrap(left - right)
        case "*":
            return INT.wrap(left * right)
        case "/" | "%":
            return _divide(operator, left, right)
        case "&":
            return left & right
        case "|":
            return left | right
        case "^":
            return left ^ right
        case "<<":
            return INT.wrap(left << (right & 31))
        case ">>":
            return left >> (right & 31)
        case "==":
            return int(left == right)
        case "!=":
            return int(left != right)
        case "<":
            return int(left < right)
        case "<=":
            return int(left <= right)
        case ">":
            return int(left > right)
        case _:
            return int(left >= right)


def _divide(operator: str, left: int, right: int) -> int:
    if right == 0:
        raise EvaluationFault("division by zero")
    if left == INT.low and right == -1:
        raise EvaluationFault("division overflows")
    quotient = abs(left) // abs(right)
    if (left < 0) != (right < 0):
        quotient = -quotient
    return quotient if operator == "/" else left - quotient * right
