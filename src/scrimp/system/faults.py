"""Which expressions may fault, by their form alone."""

from __future__ import annotations

from scrimp.system.expressions import Binary, Constant, Expression, Message, Read, Undefined
from scrimp.system.traverse import subexpressions


def may_fault(expression: Expression) -> bool:
    """Whether the form of an expression allows that evaluating it faults in some state, reachable or not."""
    return any(map(_may_fault_itself, subexpressions(expression)))


def _may_fault_itself(expression: Expression) -> bool:
    match expression:
        case Read(_, index):
            return index is not None and not isinstance(index, Constant)
        case Message() | Undefined():
            return True
        case Binary("/" | "%", _, right):
            return not isinstance(right, Constant) or right.value in (0, -1)
    return False
