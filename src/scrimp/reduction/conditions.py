"""Conditions: the tests of a guard that compare a single value of the state with constants.

An event whose guard has a false condition stays disabled until that condition is true, whatever its other tests say. So
the events that may make *one* false condition true are a necessary enabling set: often a small part of those that may
change the guard. A receive that finds its channel empty waits for sends; one that finds a message of another type
waits for receives; a transition of a net waits for one of the places that have too few tokens.

Conditions also exclude each other: two events are never enabled together if a value would have to lie in two disjoint
intervals. What the one does to the other does not matter then.

A guard lets its event happen if it is true or if it faults. Tests are evaluated in order, so the tests up to the first
that may fault, without it, are true if the event is enabled.

A condition on the oldest message relies on the channel not being empty: only then is the oldest message changed by
nothing but receives, and writes to the whole channel. So it counts only if all conditions before it are true, and it is
left out unless these imply that there is a message. If a condition says that there is a message, those on the oldest
message say which one (messages.py): it counts as false only if the channel is empty.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from scrimp.machine.intervals import Interval, satisfying
from scrimp.machine.layout import Field, Layout
from scrimp.reduction.accesses import Reader
from scrimp.reduction.bits import union
from scrimp.reduction.guards import Bounds, Literal, bounds_of, is_among_the_oldest, literals, may_fault
from scrimp.reduction.messages import Demand, Wanted
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
)
from scrimp.system.system import Transition

MOST_BITS = 31


@dataclass(frozen=True, slots=True)
class Condition:
    """The bits at `word` and `shift` must hold a number of `interval`, or must not if it is `negated`. `cells` are
    those whose writes may make the condition true; if `relies`, only while all conditions before it are true. If it is
    false because a channel is empty, one of the messages that are `wanted` must be sent."""

    word: int
    shift: int
    bits: int
    interval: Interval
    negated: bool
    relies: bool
    cells: int
    wanted: Wanted | None = None

    def implies(self, other: Condition) -> bool:
        """Whether this condition is false whenever the other one is, as far as that is known before the search."""
        if (self.word, self.shift) != (other.word, other.shift):
            return False
        if self.negated:
            return other.negated and self.interval == other.interval
        if other.negated:
            return are_disjoint(self.interval, other.interval)
        return other.interval[0] <= self.interval[0] and self.interval[1] <= other.interval[1]


class Conditions:
    """Finds the conditions of transitions."""

    def __init__(self, reader: Reader, layout: Layout) -> None:
        self.reader = reader
        self.system = reader.system
        self.layout = layout

    def of(self, transition: Transition) -> list[Condition]:
        demands: dict[int, list[Demand]] = {}
        found = list(self._found(transition, demands))
        return [
            replace(condition, wanted=Wanted(channel, tuple(demands[channel]))) if channel in demands else condition
            for channel, condition in found
        ]

    def _found(
        self, transition: Transition, demands: dict[int, list[Demand]]
    ) -> Iterator[tuple[int | None, Condition]]:
        """The conditions, each with the channel that is empty if it is false; collects what is demanded of messages."""
        known: dict[int, Bounds] = {}
        tested: dict[int, Bounds] = {}  # by conditions
        for literal in literals(transition.guard):
            about = bounds_of(self.system, literal)
            if about is None and may_fault(self.system, literal.expression, known):
                return
            condition = self._condition(literal, known, tested)
            if condition is not None:
                yield self._channel_awaited(about), condition
            _demand(literal, demands)
            if about is not None:
                channel, bounds = about
                known[channel] = bounds.meet(known.get(channel, bounds))
                if condition is not None:
                    tested[channel] = bounds.meet(tested.get(channel, bounds))

    def _channel_awaited(self, about: tuple[int, Bounds] | None) -> int | None:
        """The channel that a test finds not to be empty, if that is all it says."""
        if about is None:
            return None
        channel, bounds = about
        return channel if bounds == (1, self.system.channels[channel].capacity) else None

    def _condition(self, literal: Literal, known: dict[int, Bounds], tested: dict[int, Bounds]) -> Condition | None:
        compared = _comparison(literal)
        if compared is None:
            return None
        value, operator, number = compared
        place = self._place(value, tested)
        if place is None:
            return None
        field, element = place
        if field.constants is not None or not 0 < field.bits <= MOST_BITS or field.is_circular:
            return None
        negated = operator == "!="
        low, high = satisfying("==" if negated else operator, (number, number))
        about = bounds_of(self.system, literal)
        cells = (
            self.reader.reads(value, known) if about is None else self.reader.side_of_length(*about, falsifying=False)
        )
        word, shift = field.position(element)
        interval = max(low - field.base, 0), min(high - field.base, field.mask)
        return Condition(word, shift, field.bits, interval, negated, isinstance(value, Message), cells)

    def _place(self, value: Expression, tested: dict[int, Bounds]) -> tuple[Field, int] | None:
        """The field and the element that hold a value, if they are known before the search."""
        match value:
            case Read(variable, None) if self.system.variables[variable].length is None:
                return self.layout.variables[variable], 0
            case Read(variable, Constant(index)):
                return self.layout.variables[variable], index
            case Length(channel):
                return self.layout.lengths[channel], 0
            case Message(channel, number, Constant(0) as oldest) if is_among_the_oldest(channel, oldest, tested):
                return self.layout.messages[channel][number], 0
        return None


def _demand(literal: Literal, demands: dict[int, list[Demand]]) -> None:
    match _comparison(literal):
        case (Message(channel, field, Constant(0)), operator, number):
            demands.setdefault(channel, []).append(Demand(field, operator, number))


def _comparison(literal: Literal) -> tuple[Expression, BinaryOperator, int] | None:
    """A value, and how it compares with a constant if the literal is as wanted."""
    match literal.expression:
        case Binary(operator, value, Constant(number)) if operator in MIRRORED:
            pass
        case Binary(operator, Constant(number), value) if operator in MIRRORED:
            operator = MIRRORED[operator]
        case (Read() | Length() | Message()) as value:
            operator, number = "!=", 0
        case _:
            return None
    return value, operator if literal.wanted else OPPOSITE[operator], number


Intervals: TypeAlias = tuple[tuple[tuple[int, int], Interval], ...]
"""The word and the shift of fields, each with the interval that its bits must lie in."""


def intervals(conditions: Sequence[Condition]) -> Intervals:
    """The interval of every field that the conditions bound."""
    found: dict[tuple[int, int], Interval] = {}
    for condition in conditions:
        if not condition.negated:
            place = condition.word, condition.shift
            low, high = found.get(place, condition.interval)
            found[place] = max(low, condition.interval[0]), min(high, condition.interval[1])
    return tuple(found.items())


def excluding(needed: Sequence[Intervals]) -> list[int]:
    """For each of several demands on fields, the set of those that contradict it."""
    where: dict[tuple[int, int], dict[Interval, int]] = {}
    for number, each in enumerate(needed):
        for place, interval in each:
            of_field = where.setdefault(place, {})
            of_field[interval] = of_field.get(interval, 0) | 1 << number
    contradicting = {
        (place, interval): union(numbers for other, numbers in of_field.items() if are_disjoint(interval, other))
        for place, of_field in where.items()
        for interval in of_field
    }
    return [union(contradicting[demand] for demand in each) for each in needed]


def are_disjoint(one: Interval, other: Interval) -> bool:
    return other[1] < one[0] or one[1] < other[0]
