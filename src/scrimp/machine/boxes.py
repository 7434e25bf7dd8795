"""Boxes: an interval for every variable and channel length, and what tests and expressions imply about them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from scrimp.machine.intervals import BOOLEAN, NO, YES, Interval, binary, join, meet, negation, satisfying, unary
from scrimp.system.expressions import (
    FALSE,
    MIRRORED,
    OPPOSITE,
    At,
    Binary,
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
from scrimp.system.types import INT

# The keys of bounds: ("v", variable, 0) or ("m", channel, field).
Key: TypeAlias = tuple[str, int, int]


@dataclass(slots=True)
class Box:
    """Intervals of values: `variables`, `lengths`, `messages` hold in every state, the others at one point of one
    transition.

    The elements of an array share one interval; only `scalars` and lengths have narrower local intervals. `found` has
    what tests implied about positions in channels: it holds until anything is written.
    """

    variables: Sequence[Interval]
    lengths: Sequence[Interval]
    messages: Mapping[Key, Interval]
    scalars: frozenset[int]
    local: dict[int, Interval] = field(default_factory=dict)
    local_lengths: dict[int, Interval] = field(default_factory=dict)
    found: dict[Find, Interval] = field(default_factory=dict)

    def fork(self) -> Box:
        everywhere = (self.variables, self.lengths, self.messages, self.scalars)
        return Box(*everywhere, dict(self.local), dict(self.local_lengths), dict(self.found))

    def absorb(self, other: Box) -> None:
        """Extend this box to the union of both: at the end of two branches."""
        for mine, theirs, everywhere in (
            (self.local, other.local, self.variables),
            (self.local_lengths, other.local_lengths, self.lengths),
        ):
            for key in mine.keys() | theirs.keys():
                mine[key] = join(mine.get(key, everywhere[key]), theirs.get(key, everywhere[key]))
        self.found = {find: join(self.found[find], other.found[find]) for find in self.found.keys() & other.found}

    def variable(self, variable: int) -> Interval:
        return self.local.get(variable) or self.variables[variable]

    def length(self, channel: int) -> Interval:
        return self.local_lengths.get(channel) or self.lengths[channel]

    def position(self, find: Find) -> Interval:
        return self.found.get(find) or (-1, max(-1, self.length(find.channel)[1] - 1))


def evaluate(expression: Expression, box: Box) -> Interval:
    """The interval of an expression's value, if it has one."""
    match expression:
        case Constant(value):
            return (value, value)
        case Read(variable):
            return box.local.get(variable) or box.variables[variable]
        case Binary("&&", left, right):
            return _decided(truth(left, box), truth(right, box), NO, YES)
        case Binary("||", left, right):
            return _decided(truth(left, box), truth(right, box), YES, NO)
        case Binary(operator, left, right):
            return binary(operator, evaluate(left, box), evaluate(right, box))
        case Unary(operator, operand):
            return unary(operator, evaluate(operand, box))
        case At() | Timeout():
            return BOOLEAN
        case Undefined():
            return NO
        case Length(channel):
            return box.length(channel)
        case Message(channel, number):
            # Without bounds of messages there are no messages, and the value does not exist.
            return box.messages.get(("m", channel, number), NO)
        case Find():
            return box.position(expression)
        case Conditional(test, then, otherwise):
            return _conditional(truth(test, box), evaluate(then, box), evaluate(otherwise, box))


def truth(expression: Expression, box: Box) -> Interval:
    return negation(negation(evaluate(expression, box)))


def _decided(left: Interval, right: Interval, decisive: Interval, neutral: Interval) -> Interval:
    if decisive in (left, right):
        return decisive
    return neutral if left == right == neutral else BOOLEAN


def _conditional(test: Interval, then: Interval, otherwise: Interval) -> Interval:
    if test == BOOLEAN:
        return join(then, otherwise)
    return then if test == YES else otherwise


def refine(box: Box, test: Expression, wanted: bool) -> None:
    """Narrow the box to values for which `test` is true (or false, as `wanted` says); keep it if that is impossible."""
    match test:
        case Binary("&&" | "||" as operator, left, right) if wanted == (operator == "&&"):
            refine(box, left, wanted)
            refine(box, right, wanted)
        case Unary("!", operand):
            refine(box, operand, not wanted)
        case Binary(operator, left, right) if operator in MIRRORED:
            relation = operator if wanted else OPPOSITE[operator]
            _relate(box, left, relation, right)
            _relate(box, right, MIRRORED[relation], left)
        case Read() | Length() | Find():
            _relate(box, test, "!=" if wanted else "==", FALSE)
        case _:
            pass


def narrow(box: Box, expression: Expression, allowed: Interval) -> None:
    """Narrow the box to values for which an expression lies in `allowed`, as far as sums of variables allow."""
    match expression:
        case Read(variable, None) if variable in box.scalars:
            mine = box.variable(variable)
            box.local[variable] = meet(mine, allowed) or mine
        case Length(channel):
            mine = box.length(channel)
            box.local_lengths[channel] = meet(mine, allowed) or mine
        case Find(channel):
            low, high = meet(box.position(expression), allowed) or box.position(expression)
            box.found[expression] = (low, high)
            narrow(box, Length(channel), (low + 1, INT.high))
        case Binary("+", left, right) if (ends := _exact_ends(box, left, right, 1)) is not None:
            (a, b), (c, d) = ends
            narrow(box, left, (allowed[0] - d, allowed[1] - c))
            narrow(box, right, (allowed[0] - b, allowed[1] - a))
        case Binary("-", left, right) if (ends := _exact_ends(box, left, right, -1)) is not None:
            (a, b), (c, d) = ends
            narrow(box, left, (allowed[0] + c, allowed[1] + d))
            narrow(box, right, (a - allowed[1], b - allowed[0]))
        case _:
            pass


def _exact_ends(box: Box, left: Expression, right: Expression, sign: int) -> tuple[Interval, Interval] | None:
    """The intervals of two operands; None if their sum or difference may wrap around."""
    a, b = evaluate(left, box), evaluate(right, box)
    ends = (a[0] + sign * b[0], a[0] + sign * b[1], a[1] + sign * b[0], a[1] + sign * b[1])
    return (a, b) if all(INT.low <= end <= INT.high for end in ends) else None


def _relate(box: Box, left: Expression, relation: str, right: Expression) -> None:
    """Narrow the box to values for which `left` has a relation to `right`, using what that implies about `left`."""
    if isinstance(left, Constant):
        return
    other = evaluate(right, box)
    if relation != "!=":
        narrow(box, left, satisfying(relation, other))
    elif other[0] == other[1] and isinstance(left, Read | Length | Find):
        low, high = evaluate(left, box)
        if low < high:
            narrow(box, left, (low + (low == other[0]), high - (high == other[0])))
