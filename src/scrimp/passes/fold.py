"""Constant folding and propagation: expressions whose value is the same in every state become constants.

A variable is constant if its interval (machine/bounds.py) has one value, or if nothing is ever assigned to it. A part
of an expression becomes a constant only if it cannot fault; `a && b` becomes `b` only if `b` is a truth value. So an
expression has the same value in every reachable state as before, and faults in the same ones; states and events
correspond one to one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from scrimp.machine.boxes import evaluate
from scrimp.machine.nesting import deep_recursion
from scrimp.notes import Note
from scrimp.passes.faults import Faults
from scrimp.passes.passed import Pass, Passed, unchanged
from scrimp.passes.rewriting import rewritten, with_expressions
from scrimp.system.expressions import At, Binary, Conditional, Constant, Expression, Read, Timeout, Unary
from scrimp.system.statements import Assert, If, Statement
from scrimp.system.system import System, Transition

_TRUTHS = ("==", "!=", "<", "<=", ">", ">=", "&&", "||")


@dataclass(frozen=True)
class Fold(Pass):
    """Replace expressions whose value never changes by constants."""

    name = "fold"
    does = "replaces expressions whose value never changes by constants"

    def apply(self, system: System, seen: Sequence[Expression]) -> Passed:
        with deep_recursion():
            folder = _Folder(system)
            transitions = tuple(folder.transition(transition) for transition in system.transitions)
        changed = sum(a is not b for a, b in zip(transitions, system.transitions, strict=True))
        if not changed:
            return unchanged(system)
        folded = replace(system, transitions=transitions)
        return replace(unchanged(folded), notes=(Note(self.name, changed, "transitions simplified"),))


class _Folder:
    def __init__(self, system: System) -> None:
        self.system = system
        self.faults = Faults(system)
        self.box = self.faults.anywhere()

    def transition(self, transition: Transition) -> Transition:
        guard = self.expression(transition.guard)
        effect = tuple(_spliced(with_expressions(transition.effect, self.expression)))
        if guard == transition.guard and effect == transition.effect:
            return transition
        return replace(transition, guard=guard, effect=effect)

    def expression(self, expression: Expression) -> Expression:
        return rewritten(expression, self._fold)

    def _fold(self, part: Expression) -> Expression:
        match part:
            case Constant() | At() | Timeout():
                return part
            case Binary("&&" | "||", left, right) if not isinstance(left, Constant) and not isinstance(right, Constant):
                return part  # if neither side is constant, the whole is not: deep expressions are looked at once
            case Read(variable, Constant(index)) if variable not in self.faults.bounds.assigned:
                values = self.system.variables[variable].initial
                return Constant(values[index]) if 0 <= index < len(values) else part
        low, high = evaluate(part, self.box)
        if low == high and not self.faults.in_expression(part, self.box):
            return Constant(low)
        return _simplified(part)


def _simplified(part: Expression) -> Expression:
    match part:
        case Binary("&&", Constant(left), right):
            return Constant(0) if left == 0 else right if _is_truth(right) else part
        case Binary("||", Constant(left), right):
            return Constant(1) if left != 0 else right if _is_truth(right) else part
        case Binary("&&", left, Constant(right)) if right != 0 and _is_truth(left):
            return left
        case Binary("||", left, Constant(0)) if _is_truth(left):
            return left
        case Conditional(Constant(test), then, otherwise):
            return then if test != 0 else otherwise
    return part


def _is_truth(expression: Expression) -> bool:
    """Whether the value is certainly 0 or 1."""
    match expression:
        case At() | Timeout() | Unary("!", _):
            return True
        case Binary(operator, _, _):
            return operator in _TRUTHS
    return False


def _spliced(statements: Sequence[Statement]) -> Iterator[Statement]:
    """Statements without branches that are never taken and assertions that always hold."""
    for statement in statements:
        match statement:
            case If(Constant(test), then, otherwise):
                yield from _spliced(then if test != 0 else otherwise)
            case If(test, then, otherwise):
                yield If(test, tuple(_spliced(then)), tuple(_spliced(otherwise)))
            case Assert(Constant(test)) if test != 0:
                pass
            case _:
                yield statement
