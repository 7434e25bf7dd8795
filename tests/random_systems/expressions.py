"""Random expressions over the declarations of a system."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from tests.random_systems.choices import Choices
from tests.random_systems.profiles import Bounds, Profile

from scrimp.system.expressions import (
    At,
    Binary,
    BinaryOperator,
    Conditional,
    Constant,
    Expression,
    Find,
    Length,
    Message,
    Read,
    Timeout,
    Unary,
    UnaryOperator,
    conjunction,
)
from scrimp.system.system import Channel, Process, Variable
from scrimp.system.types import Range

T = TypeVar("T")

EXTREMES = (-1, 255, 256, 127, 128, -128, 2**15, -(2**15) - 1, 2**16, 31, 32, 2**31 - 1, -(2**31), -(2**31) + 1, 2**30)
WIDE_FROM = 17
"""Variables with this many values or more count as wide."""

ARITHMETIC: tuple[BinaryOperator, ...] = ("+", "-", "*", "&", "|", "^", "<<", ">>")
DIVISION: tuple[BinaryOperator, ...] = ("%", "/")
COMPARISONS: tuple[BinaryOperator, ...] = ("==", "!=", "<", "<=", ">", ">=")
CONNECTIVES: tuple[BinaryOperator, ...] = ("&&", "||")
UNARY: tuple[UnaryOperator, ...] = ("-", "!", "~")


class Expressions:
    """Draws expressions over `variables`, `channels` and `processes`, reading `readable` variables only."""

    def __init__(self, choices: Choices, profile: Profile) -> None:
        self.number = choices.number
        self.chance = choices.chance
        self.choices = choices
        self.profile = profile
        self.faults = profile.faults
        self.variables: list[Variable] = []
        self.channels: list[Channel] = []
        self.processes: list[Process] = []
        self.committed_locations: set[tuple[int, int]] = set()
        self.claim: int | None = None
        self.timeouts = 0
        self.readable: list[int] = []
        self.writable: list[int] = []

    def pick(self, alternatives: Sequence[T]) -> T:
        return alternatives[self.number(0, len(alternatives) - 1)]

    def some(self, bounds: Bounds, make: Callable[[int], T]) -> list[T]:
        return self.choices.some(bounds, make)

    def maybe(self, percent: int) -> bool:
        """Like `chance`, but draws nothing if the chance is 0, as if the construct did not exist."""
        return percent > 0 and self.chance(percent)

    def constant_in(self, type_: Range) -> int:
        if type_.size < WIDE_FROM:
            return self.number(type_.low, type_.high)
        inside = [v for v in (0, type_.low, type_.high, type_.high - 1, *EXTREMES) if type_.contains(v)]
        return self.pick(inside)

    def constant(self) -> Constant:
        return Constant(self.pick(EXTREMES) if self.chance(self.profile.wide // 2) else self.number(-1, 4))

    def value(self, depth: int) -> Expression:
        """Any number."""
        if self.maybe(self.timeouts):
            return Timeout()
        if depth > 0 and self.channels and self.maybe(self.profile.messages):
            return self.look_up()
        kind = self.number(0, 11)
        if kind <= 2 or depth == 0:
            return self.constant() if kind == 0 or not self.readable else self.read(self.pick(self.readable), depth)
        if kind <= 6:
            return Binary(self.pick(ARITHMETIC), self.value(depth - 1), self.value(depth - 1))
        if kind == 7:
            return self.division(depth - 1)
        if kind == 8:
            return Unary(self.pick(UNARY), self.value(depth - 1))
        if kind == 9:
            return Conditional(self.truth(depth - 1), self.value(depth - 1), self.value(depth - 1))
        if kind == 10 and self.channels:
            return Length(self.number(0, len(self.channels) - 1))
        return self.truth(depth - 1)

    def division(self, depth: int) -> Expression:
        operator = self.pick(DIVISION)
        left = self.value(depth)
        if self.chance(self.faults):
            return Binary(operator, left, self.value(depth))
        if self.chance(30):
            return Binary(operator, left, Binary("+", Binary("&", self.value(depth), Constant(3)), Constant(1)))
        return Binary(operator, left, Constant(self.pick((2, 3, 5, -2))))

    def read(self, variable: int, depth: int) -> Read:
        length = self.variables[variable].length
        return Read(variable, None if length is None else self.index(length, depth))

    def index(self, length: int, depth: int) -> Expression:
        """A constant, or a computed index that mostly lies inside the array."""
        if depth == 0 or self.chance(40):
            return Constant(self.number(0, length - 1))
        if self.chance(self.faults):
            return self.value(depth - 1)
        safe = [v for v in self.readable if self.variables[v].length is None and self.fits(v, Range(0, length - 1))]
        if safe and self.chance(50):
            return Read(self.pick(safe))
        return self.below(length, self.value(depth - 1))

    def truth(self, depth: int) -> Expression:
        """A number meant as true or false, true about half of the time."""
        kind = self.number(0, 9)
        if kind <= 1 or (depth == 0 and kind > 5):
            process = self.number(0, len(self.processes) - 1)
            return At(process, self.number(0, len(self.processes[process].locations) - 1))
        if kind <= 5:
            below = max(depth - 1, 0)
            return Binary(self.pick(COMPARISONS), self.value(below), self.value(0))
        if kind <= 7:
            return Binary(self.pick(CONNECTIVES), self.truth(depth - 1), self.truth(depth - 1))
        if kind == 8:
            return Unary("!", self.truth(depth - 1))
        return self.value(depth - 1)

    # Values to store

    def value_for(self, type_: Range) -> Expression:
        """A value for a variable or field of that type: one of few if it is wide, inside the range if values outside
        are faults."""
        if type_.size >= WIDE_FROM:
            return self.rare_value(type_)
        if type_.wraps or self.chance(self.faults):
            return self.value(self.profile.depth)
        return self.inside(type_)

    def rare_value(self, type_: Range) -> Expression:
        """A constant of the wide range, sometimes plus a number below 4, so that the variable takes only a handful of
        values."""
        any_will_do = type_.wraps or self.chance(self.faults)
        anchor = Constant(self.pick(EXTREMES) if any_will_do else self.constant_in(type_))
        if self.chance(50):
            return anchor
        offset = Binary("&", self.value(1), Constant(self.pick((1, 3))))
        if type_.wraps:
            return Binary(self.pick(ARITHMETIC), anchor, offset)
        room_above = anchor.value + 3 <= type_.high
        return Binary("+" if room_above else "-", anchor, offset)

    def inside(self, type_: Range) -> Expression:
        """Any value, mapped into a small range by arithmetic."""
        fitting = [v for v in self.readable if self.fits(v, type_)]
        kind = self.number(0, 2)
        if kind == 0 or type_.size == 1:
            return Constant(self.number(type_.low, type_.high))
        if kind == 1 and fitting:
            return self.read(self.pick(fitting), 1)
        return plus(self.below(type_.size, self.value(1)), type_.low)

    def fits(self, variable: int, type_: Range) -> bool:
        own = self.variables[variable].type
        return type_.contains(own.low) and type_.contains(own.high)

    def below(self, bound: int, value: Expression) -> Expression:
        """`value` mapped into 0…bound-1."""
        if bound & (bound - 1) == 0:
            return Binary("&", value, Constant(bound - 1))
        size = Constant(bound)
        return Binary("%", Binary("+", Binary("%", value, size), size), size)

    # Messages in channels

    def position(self, channel: int) -> Expression:
        """A position that may hold a message."""
        if self.chance(50):
            return Constant(self.number(0, self.channels[channel].capacity - 1))
        return self.find(channel) if self.chance(70) else self.value(0)

    def find(self, channel: int) -> Find:
        fields = self.channels[channel].fields
        return Find(channel, tuple(None if self.chance(40) else self.wanted(field) for field in fields))

    def wanted(self, field: Range) -> Expression:
        """A value that the field may have, or any."""
        return Constant(self.constant_in(field)) if self.chance(60) else self.value(0)

    def is_message(self, channel: int, position: Expression) -> Expression:
        return conjunction(
            Binary(">=", position, Constant(0)),
            Binary("<", position, Length(channel)),
        )

    def look_up(self) -> Expression:
        """The position of a message, or one of its fields."""
        channel = self.number(0, len(self.channels) - 1)
        fields = len(self.channels[channel].fields)
        if fields == 0 or self.chance(50):
            return self.find(channel)
        position = (
            Constant(self.number(0, self.channels[channel].capacity - 1)) if self.chance(50) else self.find(channel)
        )
        message = Message(channel, self.number(0, fields - 1), position)
        if self.chance(self.faults):
            return message
        return Conditional(self.is_message(channel, position), message, self.constant())


def plus(value: Expression, offset: int) -> Expression:
    return Binary("+", value, Constant(offset)) if offset else value
