"""Expressions and statements with their parts replaced."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TypeAlias

from scrimp.system.expressions import Binary, Conditional, Expression, Find, Message, Read, Unary
from scrimp.system.statements import Assert, Assign, Dequeue, Enqueue, If, Place, Statement

Rewrite: TypeAlias = Callable[[Expression], Expression]
"""Makes an expression of one whose parts are rewritten already."""


def rewritten(expression: Expression, rewrite: Rewrite) -> Expression:
    """An expression whose parts, innermost first, and then itself, are replaced by what `rewrite` makes of them."""

    def visit(part: Expression) -> Expression:
        match part:
            case Read(variable, index) if index is not None:
                return rewrite(Read(variable, visit(index)))
            case Message(channel, field, position):
                return rewrite(Message(channel, field, visit(position)))
            case Find(channel, pattern):
                return rewrite(Find(channel, tuple(None if wanted is None else visit(wanted) for wanted in pattern)))
            case Unary(operator, operand):
                return rewrite(Unary(operator, visit(operand)))
            case Binary(operator, left, right):
                return rewrite(Binary(operator, visit(left), visit(right)))
            case Conditional(test, then, otherwise):
                return rewrite(Conditional(visit(test), visit(then), visit(otherwise)))
            case _:
                return rewrite(part)

    return visit(expression)


def with_expressions(effect: Iterable[Statement], change: Rewrite) -> tuple[Statement, ...]:
    """Statements in which every whole expression is replaced by what `change` makes of it."""

    def place(target: Place) -> Place:
        return target if target.index is None else Place(target.variable, change(target.index))

    def visit(statement: Statement) -> Statement:
        match statement:
            case Assign(target, value):
                return Assign(place(target), change(value))
            case Enqueue(_, values):
                return replace(statement, values=tuple(map(change, values)))
            case Dequeue(_, places, position):
                targets = tuple(None if target is None else place(target) for target in places)
                return replace(statement, places=targets, position=change(position))
            case If(test, then, otherwise):
                return If(change(test), tuple(map(visit, then)), tuple(map(visit, otherwise)))
            case Assert(test):
                return replace(statement, test=change(test))
            case _:
                return statement

    return tuple(map(visit, effect))
