"""The cells that one transition reads and writes, and those through which it can be enabled and disabled.

A true test of a channel's length, or of a process's location, can be made false from one side only and, when false,
made true from the other: see cells.py. Every other part of a guard can change either way with anything that it reads.
An effect is executed only if the guard is true, so it relies on what the guard says about channels: an `Enqueue` into a
channel that is known not to be full never depends on receives.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scrimp.reduction.bits import union
from scrimp.reduction.cells import Cells
from scrimp.reduction.guards import (
    NOTHING_KNOWN,
    Bounds,
    Known,
    Literal,
    bounds_of,
    is_among_the_oldest,
    known_where_true,
    literals,
    may_fault,
)
from scrimp.system.expressions import TRUE, At, Expression, Find, Length, Message, Read, Timeout, Unary
from scrimp.system.statements import OLDEST, Assert, Clear, Dequeue, Enqueue, If, Statement
from scrimp.system.system import System, Transition
from scrimp.system.traverse import assigned, evaluated, subexpressions


@dataclass(frozen=True, slots=True)
class Access:
    """The cells of one transition.

    If it is enabled, only a write to `disabled_by` can disable it or change whether it faults; if it is disabled
    although the processes that it moves are at their `places`, only a write to `enabled_by` can enable it. `effect` has
    the cells that the effect reads, given the guard.
    """

    disabled_by: int
    enabled_by: int
    tested: int
    places: int
    effect: int
    writes: int
    known: Known

    @property
    def any_time(self) -> int:
        """Everything that the transition reads if it is not known whether it is enabled."""
        return self.tested | self.effect


class Reader:
    """Finds the cells that the transitions of a system access."""

    def __init__(self, system: System, cells: Cells) -> None:
        self.system = system
        self.cells = cells
        # Part of the guard of every transition that is not urgent.
        self.allowed = TRUE if system.committed is None else Unary("!", system.committed)
        # By identity, since comparing expressions takes long; they are kept, so that no other gets the same identity.
        self._read: dict[int, tuple[Expression, int]] = {}
        self._literals: dict[int, tuple[Expression, tuple[Literal, ...]]] = {}

    def access(self, transition: Transition) -> Access:
        known = known_where_true(self.system, transition.guard)
        effect = _Effect(self, known)
        effect.execute(transition.effect)
        places = self._places(transition)
        return Access(
            self._sides(transition, falsifying=True),
            self._sides(transition, falsifying=False) & ~places,
            self.tested(transition),
            places,
            effect.read,
            effect.written | self._moved(transition),
            known,
        )

    def tested(self, transition: Transition, known: Known = NOTHING_KNOWN) -> int:
        """All cells that decide whether the transition is enabled, given what is known about channels. That knowledge
        stays valid as long as none of the returned cells is written."""
        return union(self.tests(test, known) for test in self._guards(transition))

    def tests(self, test: Expression, known: Known) -> int:
        """All cells that decide whether a test is true."""
        found = 0
        for literal in self.literals(test):
            about = bounds_of(self.system, literal)
            if about is not None and about[0] in known and known[about[0]].implies(about[1]):
                found |= self.side_of_length(*about, falsifying=True)
            else:
                found |= self.reads(literal.expression, known)
        return found

    def reads(self, expression: Expression, known: Known = NOTHING_KNOWN) -> int:
        """All cells that the value of an expression depends on."""
        if known:
            return self._cells_read(expression, known)
        if id(expression) not in self._read:
            self._read[id(expression)] = expression, self._cells_read(expression, known)
        return self._read[id(expression)][1]

    def literals(self, guard: Expression) -> tuple[Literal, ...]:
        if id(guard) not in self._literals:
            self._literals[id(guard)] = guard, tuple(literals(guard))
        return self._literals[id(guard)][1]

    def _cells_read(self, expression: Expression, known: Known) -> int:
        found = 0
        for part in subexpressions(expression):
            match part:
                case Read(variable, index):
                    found |= self.cells.elements(variable, index)
                case At(process, location):
                    found |= self.cells.presence(process, location)
                case Message(channel, _, position) if is_among_the_oldest(channel, position, known):
                    found |= self.cells.front(channel)
                case Message(channel) | Length(channel) | Find(channel):
                    found |= self.cells.channel(channel)
                case Timeout():
                    found |= self.cells.timeout
        return found

    def _guards(self, transition: Transition) -> list[Expression]:
        return [transition.guard] if transition.urgent else [self.allowed, transition.guard]

    def _sides(self, transition: Transition, *, falsifying: bool) -> int:
        """The cells whose writes can disable an enabled transition or make its guard fault, or else enable it."""
        return union(self._sides_of(test, falsifying=falsifying) for test in self._guards(transition))

    def _sides_of(self, guard: Expression, *, falsifying: bool) -> int:
        """The cells whose writes can make a true guard false or fault, or a false one true or fault."""
        found = 0
        known: dict[int, Bounds] = {}
        is_sure = True
        for literal in self.literals(guard):
            about = bounds_of(self.system, literal)
            if about is not None:
                found |= self.side_of_length(*about, falsifying=falsifying)
                if is_sure:
                    channel, bounds = about
                    known[channel] = bounds.meet(known.get(channel, bounds))
            elif isinstance(literal.expression, At):
                found |= self._side_of_presence(literal.expression, literal.wanted != falsifying)
            else:
                found |= self.reads(literal.expression, known)
                is_sure = is_sure and not may_fault(self.system, literal.expression, known)
        return found

    def side_of_length(self, channel: int, bounds: Bounds, *, falsifying: bool) -> int:
        """The ends of a channel whose use can bring its length out of its bounds, or else into them: receives decrease
        it, sends increase it."""
        receives, sends = self.cells.front(channel), self.cells.back(channel)
        across_the_least, across_the_most = (receives, sends) if falsifying else (sends, receives)
        has_least, has_most = bounds.least > 0, bounds.most < self.system.channels[channel].capacity
        return (across_the_least if has_least else 0) | (across_the_most if has_most else 0)

    def _side_of_presence(self, at: At, becomes_true: bool) -> int:
        side = self.cells.entered if becomes_true else self.cells.left
        return side(at.process, at.location)

    def _places(self, transition: Transition) -> int:
        """The presence of the moved processes at their source locations."""
        return union(self.cells.presence(move.process, move.source) for move in transition.moves)

    def _moved(self, transition: Transition) -> int:
        found = 0
        for move in transition.moves:
            found |= self.cells.mover(move.process)
            if move.source != move.target:
                found |= self.cells.left(move.process, move.source) | self.cells.entered(move.process, move.target)
        return found


class _Effect:
    """Walks through an effect, tracking what is known about channels at each point."""

    def __init__(self, reader: Reader, known: Known) -> None:
        self.reader = reader
        self.cells = reader.cells
        self.known = dict(known)
        self.read = 0
        self.written = 0

    def execute(self, statements: Sequence[Statement]) -> None:
        for statement in statements:
            for place in assigned(statement):
                self.written |= self.cells.elements(place.variable, place.index)
            match statement:
                case If(test, then, otherwise):
                    self.read |= self.reader.tests(test, self.known)
                    self._branch(then, otherwise)
                case Assert(test):
                    self.read |= self.reader.tests(test, self.known)
                case Dequeue(channel, _, position):
                    self._receive(channel, is_oldest=position == OLDEST)
                    self._evaluate(statement)  # the indices of places are evaluated after it
                case Enqueue(channel, _, in_order):
                    self._evaluate(statement)
                    self._send(channel, in_order)
                case Clear(channel):
                    self.written |= self.cells.channel(channel)
                    self.known[channel] = Bounds(0, 0)
                case _:
                    self._evaluate(statement)

    def _evaluate(self, statement: Statement) -> None:
        for expression in evaluated(statement):
            self.read |= self.reader.reads(expression, self.known)

    def _send(self, channel: int, in_order: bool) -> None:
        bounds = self._bounds(channel)
        is_plain = bounds.most < self._capacity(channel) and not in_order
        self.written |= self.cells.channel(channel) if in_order else self.cells.back(channel)
        self.read |= 0 if is_plain else self.cells.channel(channel)
        self.known[channel] = Bounds(bounds.least + 1, min(bounds.most + 1, self._capacity(channel)))

    def _receive(self, channel: int, is_oldest: bool) -> None:
        bounds = self._bounds(channel)
        is_plain = bounds.least > 0 and is_oldest
        self.written |= self.cells.front(channel) if is_oldest else self.cells.channel(channel)
        self.read |= 0 if is_plain else self.cells.channel(channel)
        self.known[channel] = Bounds(max(bounds.least - 1, 0), bounds.most - 1)

    def _branch(self, then: Sequence[Statement], otherwise: Sequence[Statement]) -> None:
        before = dict(self.known)
        self.execute(then)
        after, self.known = self.known, before
        self.execute(otherwise)
        self.known = {
            channel: bounds.join(after[channel]) for channel, bounds in self.known.items() if channel in after
        }

    def _bounds(self, channel: int) -> Bounds:
        return self.known.get(channel, Bounds(0, self._capacity(channel)))

    def _capacity(self, channel: int) -> int:
        return self.reader.system.channels[channel].capacity
