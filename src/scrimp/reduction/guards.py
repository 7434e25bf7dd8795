"""Guards taken apart: the tests that must all be true, and the numbers of messages that channels then hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple, TypeAlias

from scrimp.machine.intervals import satisfying
from scrimp.system.expressions import (
    MIRRORED,
    OPPOSITE,
    Binary,
    BinaryOperator,
    Constant,
    Expression,
    Length,
    Message,
    Read,
    Unary,
    Undefined,
)
from scrimp.system.system import System
from scrimp.system.traverse import subexpressions


class Literal(NamedTuple):
    """An expression that must be true, or must be false."""

    expression: Expression
    wanted: bool


class Bounds(NamedTuple):
    """The least and the greatest possible number of messages."""

    least: int
    most: int

    def implies(self, other: Bounds) -> bool:
        return other.least <= self.least and self.most <= other.most

    def meet(self, other: Bounds) -> Bounds:
        return Bounds(max(self.least, other.least), min(self.most, other.most))

    def join(self, other: Bounds) -> Bounds:
        return Bounds(min(self.least, other.least), max(self.most, other.most))


Known: TypeAlias = Mapping[int, Bounds]
"""What is known about channels, by number; nothing is known about channels that are missing."""

NOTHING_KNOWN: Known = {}


def literals(guard: Expression) -> Iterator[Literal]:
    """The tests whose conjunction is the guard, in the order of evaluation."""
    todo = [Literal(guard, True)]
    while todo:
        literal = todo.pop()
        match literal:
            case (Binary("&&", left, right), True) | (Binary("||", left, right), False):
                todo += [Literal(right, literal.wanted), Literal(left, literal.wanted)]
            case Unary("!", operand), wanted:
                todo.append(Literal(operand, not wanted))
            case _:
                yield literal


def bounds_of(system: System, literal: Literal) -> tuple[int, Bounds] | None:
    """The channel that a test is about and the lengths for which it is true; None if it is not such a test, or if these
    lengths are not an interval."""
    found = _comparison(literal.expression)
    if found is None:
        return None
    operator, channel, number = found
    capacity = system.channels[channel].capacity
    comparison = _as_interval(operator if literal.wanted else OPPOSITE[operator], number, capacity)
    if comparison == "!=":
        return None
    return channel, Bounds(*satisfying(comparison, (number, number))).meet(Bounds(0, capacity))


def _comparison(expression: Expression) -> tuple[BinaryOperator, int, int] | None:
    match expression:
        case Length(channel):
            return "!=", channel, 0
        case Binary(operator, Length(channel), Constant(number)) if operator in MIRRORED:
            return operator, channel, number
        case Binary(operator, Constant(number), Length(channel)) if operator in MIRRORED:
            return MIRRORED[operator], channel, number
    return None


def _as_interval(operator: BinaryOperator, number: int, capacity: int) -> BinaryOperator:
    """A comparison with a length, in which `!=` with the least or the greatest length becomes `>` or `<`."""
    if operator == "!=" and number <= 0:
        return ">"
    return "<" if operator == "!=" and number >= capacity else operator


def known_where_true(system: System, guard: Expression) -> Known:
    """What is known about channels if a guard lets its event happen, because it is true or because it faults: tests
    after one that may fault are not sure to be evaluated."""
    known: dict[int, Bounds] = {}
    for literal in literals(guard):
        found = bounds_of(system, literal)
        if found is not None:
            channel, bounds = found
            known[channel] = bounds.meet(known.get(channel, bounds))
        elif may_fault(system, literal.expression, known):
            break
    return known


def known_in_all(several: Iterable[Known]) -> Known:
    """What is known if one of several alternatives holds, no matter which."""
    first, *others = several
    result = dict(first)
    for other in others:
        result = {channel: bounds.join(other[channel]) for channel, bounds in result.items() if channel in other}
    return result


def may_fault(system: System, expression: Expression, known: Known) -> bool:
    """Whether evaluating an expression may fault, given what is known."""
    return any(_may_fault(system, part, known) for part in subexpressions(expression))


def _may_fault(system: System, part: Expression, known: Known) -> bool:
    match part:
        case Read(variable, index) if index is not None:
            length = system.variables[variable].length or 1
            return not (isinstance(index, Constant) and 0 <= index.value < length)
        case Binary("/" | "%", _, divisor):
            return not (isinstance(divisor, Constant) and divisor.value not in (0, -1))
        case Message(channel, _, position):
            return not is_among_the_oldest(channel, position, known)
        case Undefined():
            return True
    return False


def is_among_the_oldest(channel: int, position: Expression, known: Known) -> bool:
    """Whether there certainly is a message at a position, counted from the oldest."""
    return isinstance(position, Constant) and channel in known and 0 <= position.value < known[channel].least
