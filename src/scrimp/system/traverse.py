"""Walking through expressions and statements. Expressions in a loop, not by recursion: a long disjunction is a deep
tree."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from scrimp.system.expressions import Binary, Conditional, Expression, Find, Message, Read, Unary
from scrimp.system.statements import Assert, Assign, Dequeue, Enqueue, If, Place, Statement


def subexpressions(expression: Expression) -> Iterator[Expression]:
    """`expression` and all its parts, each before its own parts, left to right."""
    todo = [expression]
    while todo:
        part = todo.pop()
        yield part
        match part:
            case Read(_, index) if index is not None:
                todo.append(index)
            case Message(_, _, position):
                todo.append(position)
            case Find(_, pattern):
                todo += (wanted for wanted in reversed(pattern) if wanted is not None)
            case Unary(_, operand):
                todo.append(operand)
            case Binary(_, left, right):
                todo += (right, left)
            case Conditional(test, then, otherwise):
                todo += (otherwise, then, test)


def substatements(statements: Iterable[Statement]) -> Iterator[Statement]:
    """All statements in textual order, those inside an `If` after it."""
    for statement in statements:
        yield statement
        if isinstance(statement, If):
            yield from substatements(statement.then)
            yield from substatements(statement.otherwise)


def evaluated(statement: Statement) -> Iterator[Expression]:
    """The expressions that a statement itself evaluates: for an `If`, only the test."""
    match statement:
        case Assign(_, value):
            yield value
        case Enqueue(_, values):
            yield from values
        case Dequeue(_, _, position):
            yield position
        case If(test) | Assert(test):
            yield test
    for place in assigned(statement):
        if place.index is not None:
            yield place.index


def evaluated_in(effect: Iterable[Statement]) -> Iterator[Expression]:
    """All expressions that statements evaluate, including those inside an `If`."""
    return (expression for statement in substatements(effect) for expression in evaluated(statement))


def assigned(statement: Statement) -> Iterator[Place]:
    """The places that a statement itself writes."""
    match statement:
        case Assign(place):
            yield place
        case Dequeue(_, places):
            yield from (place for place in places if place is not None)
