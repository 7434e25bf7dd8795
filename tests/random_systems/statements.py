"""Random statements."""

from __future__ import annotations

from tests.random_systems.expressions import WIDE_FROM, Expressions, plus
from tests.random_systems.profiles import Bounds

from scrimp.system.expressions import TRUE, Binary, Constant, Read
from scrimp.system.statements import OLDEST, Assert, Assign, Clear, Dequeue, Enqueue, If, Place, Statement
from scrimp.system.types import Range


class Statements(Expressions):
    """Draws statements, which write `writable` variables only."""

    def effect(self, bounds: Bounds, nesting: int) -> tuple[Statement, ...]:
        return tuple(self.some(bounds, lambda _: self.statement(nesting)))

    def statement(self, nesting: int) -> Statement:
        if self.channels and self.maybe(self.profile.clears):
            return Clear(self.number(0, len(self.channels) - 1))
        kind = self.number(0, 9)
        if self.channels and kind in (6, 7):
            return self.enqueue() if kind == 6 else self.dequeue()
        if kind == 8 and nesting:
            return If(self.truth(1), self.effect((0, 2), nesting - 1), self.effect((0, 1), nesting - 1))
        if kind == 9 or not self.writable:
            return self.assertion()
        return self.assignment()

    def assignment(self) -> Assign:
        """Some value, or the old one plus a little, which makes long paths through the values."""
        place = self.place()
        type_ = self.variables[place.variable].type
        if type_.size >= WIDE_FROM or self.chance(60):
            return Assign(place, self.value_for(type_))
        more = plus(Read(place.variable, place.index), self.pick((1, -1, 2)))
        if type_.wraps or self.chance(self.faults):
            return Assign(place, more)
        return Assign(place, plus(self.below(type_.size, plus(more, -type_.low)), type_.low))

    def assertion(self) -> Assert:
        """Mostly one that holds, if it is fatal: a variable is inside its range."""
        if self.maybe(self.profile.lenient):
            return Assert(self.truth(1), "as it might be", fatal=False)
        if self.chance(self.faults):
            return Assert(self.truth(self.profile.depth), "as it should be")
        if not self.readable:
            return Assert(TRUE, "always")
        variable = self.pick(self.readable)
        return Assert(Binary("<=", Constant(self.variables[variable].type.low), self.read(variable, 0)), "in range")

    def enqueue(self) -> Enqueue:
        channel = self.number(0, len(self.channels) - 1)
        values = tuple(self.value_for(field) for field in self.channels[channel].fields)
        return Enqueue(channel, values, self.maybe(self.profile.sorted))

    def dequeue(self) -> Dequeue | If:
        """If `channel_tests` does not guarantee the message, the statement tests for it."""
        channel = self.number(0, len(self.channels) - 1)
        places = tuple(self.place_for(field) for field in self.channels[channel].fields)
        position = self.position(channel) if self.maybe(self.profile.positions) else OLDEST
        dequeue = Dequeue(channel, places, position)
        is_sure = position == OLDEST and not self.profile.clears
        return dequeue if is_sure or self.maybe(self.faults) else If(self.is_message(channel, position), (dequeue,))

    def place(self) -> Place:
        variable = self.pick(self.writable)
        length = self.variables[variable].length
        return Place(variable, None if length is None else self.index(length, 1))

    def place_for(self, field: Range) -> Place | None:
        """The target of a message's field: none if the value might not fit, or in one case of five."""
        if not self.writable or self.chance(20):
            return None
        place = self.place()
        type_ = self.variables[place.variable].type
        fits = type_.wraps or (type_.contains(field.low) and type_.contains(field.high))
        return place if fits or self.chance(self.faults) else None
