"""Boxes: an interval for every variable and channel length, and what tests and expressions mean for them."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass, field

from scrimp.machine.intervals import BOOLEAN, NO, YES, Interval, binary, join, meet, negation, unary
from scrimp.system.expressions import At, Binary, Conditional, Constant, Expression, Length, Read, Unary

_MIRRORED = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}


@dataclass(slots=True)
class Box:
    """Where values lie: `variables` and `lengths` in every state, the `local…` ones at one point of one transition.

    The elements of an array share one interval; only `scalars` and lengths are known better locally.
    """

    variables: Sequence[Interval]
    lengths: Sequence[Interval]
    scalars: Container[int]
    local: dict[int, Interval] = field(default_factory=dict)
    local_lengths: dict[int, Interval] = field(default_factory=dict)

    def fork(self) -> Box:
        return Box(self.variables, self.lengths, self.scalars, dict(self.local), dict(self.local_lengths))

    def absorb(self, other: Box) -> None:
        """Make this box hold what either held: the end of two branches."""
        for mine, theirs, everywhere in (
            (self.local, other.local, self.variables),
            (self.local_lengths, other.local_lengths, self.lengths),
        ):
            for key in mine.keys() | theirs.keys():
                mine[key] = join(mine.get(key, everywhere[key]), theirs.get(key, everywhere[key]))

    def variable(self, variable: int) -> Interval:
        return self.local.get(variable) or self.variables[variable]

    def length(self, channel: int) -> Interval:
        return self.local_lengths.get(channel) or self.lengths[channel]


def evaluate(expression: Expression, box: Box) -> Interval:
    """Where the value of an expression lies, if it has one."""
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
        case At():
            return BOOLEAN
        case Length(channel):
            return box.length(channel)
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
    """Narrow the box to where `test` is true (or false, as `wanted` says); keep it where that is impossible."""
    match test:
        case Binary("&&", left, right) if wanted:
            refine(box, left, True)
            refine(box, right, True)
        case Binary("||", left, right) if not wanted:
            refine(box, left, False)
            refine(box, right, False)
        case Unary("!", operand):
            refine(box, operand, not wanted)
        case Binary(operator, left, right) if operator in _MIRRORED:
            relation = operator if wanted else _OPPOSITE[operator]
            if isinstance(left, Read | Length):
                _narrow(box, left, relation, evaluate(right, box))
            if isinstance(right, Read | Length):
                _narrow(box, right, _MIRRORED[relation], evaluate(left, box))
        case Read() | Length():
            _narrow(box, test, "!=" if wanted else "==", NO)
        case _:
            pass


def _narrow(box: Box, place: Read | Length, relation: str, other: Interval) -> None:
    if isinstance(place, Length):
        narrower = _related(box.length(place.channel), relation, other)
        box.local_lengths[place.channel] = narrower or box.length(place.channel)
    elif place.index is None and place.variable in box.scalars:
        narrower = _related(box.variable(place.variable), relation, other)
        box.local[place.variable] = narrower or box.variable(place.variable)


def _related(mine: Interval, relation: str, other: Interval) -> Interval | None:
    low, high = mine
    match relation:
        case "==":
            return meet(mine, other)
        case "<":
            high = min(high, other[1] - 1)
        case "<=":
            high = min(high, other[1])
        case ">":
            low = max(low, other[0] + 1)
        case ">=":
            low = max(low, other[0])
        case _ if other[0] == other[1]:
            low, high = low + (low == other[0]), high - (high == other[0])
    return (low, high) if low <= high else None
