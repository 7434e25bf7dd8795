"""Random systems, small but with every construct: the common ground on which two ways to an answer are compared.

One generator serves two sources of choice: `random_system(seed)` draws from a seeded random number generator and is
fast, `systems()` is a Hypothesis strategy that draws the structure itself and so shrinks it. Alternatives are listed
simplest first, because Hypothesis shrinks towards the first.

Most systems are finite in practice: narrow variables take whatever an expression gives, wide ones only a few values,
some of them extreme. What could fault is protected (an index masked, a divisor shifted away from 0, a send guarded by
the channel's length), except for `Profile.faults` per cent of the cases.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from random import Random
from typing import Protocol, TypeVar

from hypothesis import strategies as st

from scrimp.system.expressions import (
    TRUE,
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
    disjunction,
)
from scrimp.system.statements import OLDEST, Assert, Assign, Clear, Dequeue, Enqueue, If, Place, Statement
from scrimp.system.system import Channel, Invariant, Kind, Move, Position, Process, System, Transition, Variable
from scrimp.system.types import BYTE, INT, SHORT, Range

Bounds = tuple[int, int]
T = TypeVar("T")

# How many systems of each kind the tests that compile them look at; CONTRIBUTING.md says how to ask for more.
RANDOM_SYSTEMS = int(os.environ.get("SCRIMP_RANDOM_SYSTEMS", "30"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """What the systems are like: inclusive bounds on numbers of things, and chances in per cent."""

    processes: Bounds = (1, 3)
    locations: Bounds = (1, 4)
    transitions: Bounds = (2, 5)
    """Transitions with one move, per process; the number with several moves is drawn from `shared_transitions`."""
    shared_transitions: Bounds = (0, 2)
    globals: Bounds = (0, 4)
    locals: Bounds = (0, 2)
    """Local variables, per process."""
    channels: Bounds = (0, 2)
    capacity: Bounds = (1, 3)
    fields: Bounds = (0, 3)
    statements: Bounds = (0, 3)
    invariants: Bounds = (0, 2)
    depth: int = 2
    """How deep expressions nest."""
    arrays: int = 25
    wide: int = 15
    """How often a variable's range, or a constant, is large."""
    checked: int = 25
    """How often a value outside a variable's range is a fault."""
    faults: int = 4
    """How often something that may fault is left unprotected."""
    triples: int = 30
    """How often a transition with several moves has three (when there are three processes) rather than two."""
    foreign: int = 10
    """How often a transition may use the local variables of processes it does not move."""
    committed: int = 20
    """How often a system has committed locations."""
    valid_end: int = 30
    odd_names: int = 0
    """How often a name is no identifier."""
    holders: int = 0
    """How often a process goes on alone after a transition: mostly the one that leads it, so that there are chains and
    cycles of transient states, else any."""
    timeouts: int = 0
    """How often a guard waits for a timeout; elsewhere in transitions it is looked at less often."""
    messages: int = 0
    """How often a value is looked up in a channel."""
    sorted: int = 0
    """How often a message is inserted in order."""
    positions: int = 0
    """How often a message is taken from elsewhere than the front."""
    clears: int = 0
    """How often a statement empties a channel."""
    lenient: int = 0
    """How often an assertion is not fatal; such a one often fails."""
    odd_steps: int = 0
    """How often a transition counts as several steps, or as none."""
    offers: int = 0
    """How often a process offers handshakes."""
    claims: int = 0
    """How often the last process is a claim."""


DEFAULT = Profile()
TINY = Profile(processes=(1, 2), locations=(1, 2), transitions=(1, 2), globals=(0, 1), statements=(0, 2), depth=1)
LARGE = Profile(processes=(2, 4), locations=(2, 4), transitions=(3, 6), globals=(1, 3), locals=(0, 1), depth=3)
FAULTLESS = Profile(faults=0, checked=0)
FAULTY = Profile(faults=30, checked=60)
WIDE = Profile(wide=70)
ARRAYS = Profile(arrays=80, globals=(1, 3))
CHANNELS = Profile(channels=(1, 2), globals=(0, 2))
COMMITTED = Profile(committed=100, locations=(2, 4), processes=(2, 3))
SYNCHRONOUS = Profile(transitions=(0, 1), shared_transitions=(2, 6), processes=(2, 4), triples=50)
ODD_NAMES = Profile(odd_names=50)
PROFILES = {
    "default": DEFAULT,
    "tiny": TINY,
    "large": LARGE,
    "faultless": FAULTLESS,
    "faulty": FAULTY,
    "wide": WIDE,
    "arrays": ARRAYS,
    "channels": CHANNELS,
    "committed": COMMITTED,
    "synchronous": SYNCHRONOUS,
    "odd names": ODD_NAMES,
}
HELD = Profile(holders=35, locations=(2, 4), processes=(2, 3), globals=(0, 2), odd_steps=30, offers=50)
TIMEOUTS = Profile(timeouts=40, locations=(2, 4))
MESSAGES = Profile(channels=(1, 2), globals=(0, 2), messages=20, sorted=50, positions=50, clears=8, lenient=50)
CLAIMED = Profile(claims=100, processes=(2, 3), holders=15, timeouts=15, offers=50, globals=(0, 2))
PROMELA = replace(MESSAGES, holders=20, timeouts=10, odd_steps=10, offers=30, claims=10, committed=0, messages=10)
CHAINED = Profile(
    holders=80,
    locations=(3, 5),
    transitions=(3, 5),
    shared_transitions=(0, 1),
    globals=(1, 2),
    channels=(0, 1),
    statements=(0, 2),
    lenient=30,
    faults=8,
    odd_steps=30,
    committed=5,
)
PROMELA_PROFILES = {
    "held": HELD,
    "chained": CHAINED,
    "timeouts": TIMEOUTS,
    "messages": MESSAGES,
    "claimed": CLAIMED,
    "promela": PROMELA,
}
ALL_PROFILES = {**PROFILES, **PROMELA_PROFILES}


def random_system(seed: int, *, profile: Profile = DEFAULT) -> System:
    """A system that depends on `seed` and `profile` only."""
    return _Generator(_Seeded(seed), profile).system()


SHRINKABLE = replace(DEFAULT, transitions=(0, 5))
"""A process without transitions is easily removed."""


@st.composite
def systems(draw: st.DrawFn, profile: Profile = SHRINKABLE) -> System:
    """Systems that shrink: fewer parts, simpler expressions, smaller numbers."""
    return _Generator(_Drawn(draw), profile).system()


class _Choices(Protocol):
    def number(self, low: int, high: int) -> int:
        """One of low…high; the lower, the simpler."""

    def chance(self, percent: int) -> bool:
        """True that often; False is simpler."""

    def some(self, bounds: Bounds, make: Callable[[int], T]) -> list[T]:
        """As many as `bounds` allow, each made from its number."""


class _Seeded:
    def __init__(self, seed: int) -> None:
        self._random = Random(seed).random

    def number(self, low: int, high: int) -> int:
        return low + int(self._random() * (high - low + 1))

    def chance(self, percent: int) -> bool:
        return self._random() * 100 < percent

    def some(self, bounds: Bounds, make: Callable[[int], T]) -> list[T]:
        return [make(i) for i in range(self.number(*bounds))]


class _Drawn:
    def __init__(self, draw: st.DrawFn) -> None:
        self._draw = draw

    def number(self, low: int, high: int) -> int:
        return self._draw(st.integers(low, high)) if low < high else low

    def chance(self, percent: int) -> bool:
        return percent > 0 and self._draw(st.integers(0, 99)) >= 100 - percent

    def some(self, bounds: Bounds, make: Callable[[int], T]) -> list[T]:
        """A list of parts rather than a loop: so Hypothesis knows which choices belong together."""
        low, high = bounds
        numbers = count()
        return self._draw(st.lists(st.builds(lambda: make(next(numbers))), min_size=low, max_size=high))


SMALL_BOUNDS = ((0, 1), (0, 2), (0, 3), (-1, 1), (-2, 1), (1, 3), (0, 4), (7, 7), (-9, -5))
SMALL_RANGES = tuple(Range(low, high) for low, high in SMALL_BOUNDS)
LARGE_BOUNDS = ((0, 2**31 - 1), (-(2**31), -1), (-1000, 1000), (-5, 2**20), (0, 2**16))
LARGE_RANGES = (BYTE, SHORT, INT, *(Range(low, high) for low, high in LARGE_BOUNDS))
EXTREMES = (-1, 255, 256, 127, 128, -128, 2**15, -(2**15) - 1, 2**16, 31, 32, 2**31 - 1, -(2**31), -(2**31) + 1, 2**30)
WIDE_FROM = 17
"""Variables with this many values or more count as wide."""

ARITHMETIC: tuple[BinaryOperator, ...] = ("+", "-", "*", "&", "|", "^", "<<", ">>")
DIVISION: tuple[BinaryOperator, ...] = ("%", "/")
COMPARISONS: tuple[BinaryOperator, ...] = ("==", "!=", "<", "<=", ">", ">=")
CONNECTIVES: tuple[BinaryOperator, ...] = ("&&", "||")
UNARY: tuple[UnaryOperator, ...] = ("-", "!", "~")
KEYWORDS = ("when", "_", "len", "if", "byte", "at")
STRANGE_NAMES = (*KEYWORDS, "a b", "", "3", 'q"uote', "back\\slash", "line\nbreak", "ü→\u2028", "P.x", "//")


class _Generator:
    """Draws one system. `variables`, `channels` and `processes` are drawn first; transitions refer to them."""

    def __init__(self, choices: _Choices, profile: Profile) -> None:
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
        """Like `chance`, but a profile in which something never happens draws as if there were no such thing."""
        return percent > 0 and self.chance(percent)

    def name(self, plain: str, taken: Collection[str] = ()) -> str:
        odd = self.pick(STRANGE_NAMES) if self.chance(self.profile.odd_names) else plain
        return plain if odd in taken else odd

    # Declarations

    def system(self) -> System:
        profile = self.profile
        self.some(profile.processes, self.process)
        self.some(profile.globals, lambda i: self.variable(f"g{i}", None))
        for owner in range(len(self.processes)):
            self.some(profile.locals, partial(self.local_variable, owner))
        self.some(profile.channels, self.channel)
        self.claim = len(self.processes) - 1 if self.maybe(profile.claims) else None
        committed = self.committed() if self.chance(profile.committed) else None
        transitions = self.transitions()
        self.enter_scope(tuple(range(len(self.processes))))
        self.faults = self.timeouts = 0
        return System(
            name=self.name("random"),
            variables=tuple(self.variables),
            channels=tuple(self.channels),
            processes=tuple(self.processes),
            transitions=transitions,
            invariants=tuple(self.some(profile.invariants, self.invariant)),
            committed=committed,
            valid_end=self.truth(profile.depth) if self.chance(profile.valid_end) else None,
            offers=tuple((p, self.truth(1)) for p in range(len(self.processes)) if self.maybe(profile.offers)),
            claim=self.claim,
        )

    def process(self, number: int) -> None:
        names: list[str] = []
        self.some(self.profile.locations, lambda i: names.append(self.name(f"s{i}", taken=names)))
        accepting = frozenset(i for i in range(len(names)) if self.chance(10))
        initial = self.number(0, len(names) - 1) if self.chance(20) else 0
        name = self.name(f"P{number}", taken=[process.name for process in self.processes])
        self.processes.append(Process(name, tuple(names), initial, accepting))

    def range(self) -> Range:
        base = self.pick(LARGE_RANGES) if self.chance(self.profile.wide) else self.pick(SMALL_RANGES)
        return Range(base.low, base.high, wraps=False) if self.chance(self.profile.checked) else base

    def local_variable(self, owner: int, number: int) -> None:
        self.variable(f"l{number}", owner)

    def variable(self, plain: str, owner: int | None) -> None:
        type_ = self.range()
        length = self.number(1, 3) if self.chance(self.profile.arrays) else None
        initial = tuple(self.constant_in(type_) for _ in range(length or 1))
        name = self.name(plain, taken=[variable.name for variable in self.variables if variable.owner == owner])
        self.variables.append(Variable(name, type_, initial, length, owner))

    def channel(self, number: int) -> None:
        fields = tuple(self.some(self.profile.fields, lambda _: self.range()))
        name = self.name(f"c{number}", taken=[channel.name for channel in self.channels])
        self.channels.append(Channel(name, self.number(*self.profile.capacity), fields))

    def committed(self) -> Expression:
        """Some locations, seldom all; sometimes a condition on the variables."""
        for process, declaration in enumerate(self.processes):
            if len(declaration.locations) > 1 and self.chance(60):
                self.committed_locations.add((process, self.number(0, len(declaration.locations) - 1)))
        tests: list[Expression] = [At(process, location) for process, location in sorted(self.committed_locations)]
        if self.chance(15):
            self.enter_scope(())
            self.faults = 0
            tests.append(self.truth(1))
            self.faults = self.profile.faults
        return disjunction(*tests)

    def invariant(self, number: int) -> Invariant:
        position = Position(number + 1, 1) if self.chance(50) else None
        return Invariant(self.name(f"i{number}"), self.truth(self.profile.depth), position)

    # Transitions

    def transitions(self) -> tuple[Transition, ...]:
        """Of each process in turn, then those of several processes."""
        result: list[Transition] = []
        for process in range(len(self.processes)):
            result += self.some(self.profile.transitions, partial(self.single_transition, process))
        if len(self.processes) > 1:
            result += self.some(self.profile.shared_transitions, self.shared_transition)
        return tuple(result)

    def single_transition(self, process: int, number: int) -> Transition:
        """The first ones leave each location in turn, so that few locations are dead ends."""
        locations = len(self.processes[process].locations)
        source = number if number < locations else self.number(0, locations - 1)
        return self.transition((self.move(process, source, number),))

    def shared_transition(self, number: int) -> Transition:
        return self.transition(self.several_moves(number))

    def move(self, process: int, source: int, number: int) -> Move:
        locations = len(self.processes[process].locations)
        target = self.number(0, locations - 1) if self.chance(30) else (source + 1) % locations
        name = f"other {process}" if number % 7 == 6 else ""
        return Move(process, source, target, f"step {number}", Position(number + 1, process + 1), name)

    def several_moves(self, number: int) -> tuple[Move, ...]:
        movers = list(range(len(self.processes)))
        wanted = 3 if len(movers) > 2 and self.chance(self.profile.triples) else 2
        while len(movers) > wanted:
            movers.pop(self.number(0, len(movers) - 1))
        if self.chance(50):
            movers.reverse()
        return tuple(self.move(p, self.number(0, len(self.processes[p].locations) - 1), number) for p in movers)

    def transition(self, moves: tuple[Move, ...]) -> Transition:
        movers = tuple(move.process for move in moves)
        self.enter_scope(tuple(range(len(self.processes))) if self.chance(self.profile.foreign) else movers)
        self.timeouts = self.profile.timeouts // 4
        guard = self.truth(self.profile.depth) if self.chance(40) else TRUE
        effect = self.effect(self.profile.statements, nesting=1)
        protection = () if self.chance(self.faults) else self.channel_tests(effect)
        leaves_committed = any((move.process, move.source) in self.committed_locations for move in moves)
        urgent = leaves_committed != self.chance(10)
        kind = self.pick((Kind.OTHER, *Kind))
        waits = (Timeout(),) if self.maybe(self.profile.timeouts) else ()
        return Transition(
            moves,
            conjunction(*protection, *waits, guard),
            effect,
            kind,
            urgent,
            holder=self.holder(movers) if self.maybe(self.profile.holders) else None,
            steps=self.pick((2, 0, 3)) if self.maybe(self.profile.odd_steps) else 1,
        )

    def holder(self, movers: tuple[int, ...]) -> int | None:
        """Nobody goes on alone after a claim, nor does a claim."""
        holder = self.number(0, len(self.processes) - 1) if self.chance(25) else movers[0]
        return None if self.claim in (holder, movers[0]) else holder

    def enter_scope(self, movers: tuple[int, ...]) -> None:
        """Expressions and statements from here on use the global variables and those of `movers`."""
        self.readable = [i for i, v in enumerate(self.variables) if v.owner is None or v.owner in movers]
        self.writable = self.readable

    def channel_tests(self, effect: Sequence[Statement]) -> list[Expression]:
        """Room for every message that `effect` may send, and a message for every one it may receive."""
        sends = [0] * len(self.channels)
        receives = [0] * len(self.channels)
        for statement in _flatten(effect):
            if isinstance(statement, Enqueue):
                sends[statement.channel] += 1
            elif isinstance(statement, Dequeue):
                receives[statement.channel] += 1
        tests: list[Expression] = []
        for number, channel in enumerate(self.channels):
            if sends[number]:
                tests.append(Binary("<=", Length(number), Constant(channel.capacity - sends[number])))
            if receives[number]:
                tests.append(Binary(">=", Length(number), Constant(receives[number])))
        return tests

    # Statements

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
        """Some value, or the old one and a little more, which makes long ways through the values."""
        place = self.place()
        type_ = self.variables[place.variable].type
        if type_.size >= WIDE_FROM or self.chance(60):
            return Assign(place, self.value_for(type_))
        more = _sum(Read(place.variable, place.index), self.pick((1, -1, 2)))
        if type_.wraps or self.chance(self.faults):
            return Assign(place, more)
        return Assign(place, _sum(self.below(type_.size, _sum(more, -type_.low)), type_.low))

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
        """From where `channel_tests` does not know that there is a message, a test of its own protects it."""
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
        """Where a message's field goes: dropped when it might not fit, or in one case of five."""
        if not self.writable or self.chance(20):
            return None
        place = self.place()
        type_ = self.variables[place.variable].type
        fits = type_.wraps or (type_.contains(field.low) and type_.contains(field.high))
        return place if fits or self.chance(self.faults) else None

    # Messages in channels

    def position(self, channel: int) -> Expression:
        """Where a message may be."""
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
        """Where a message is, or what is in it."""
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

    # Values to store

    def value_for(self, type_: Range) -> Expression:
        """A value for a place of that type: one of few if it is wide, inside the range if outside is a fault."""
        if type_.size >= WIDE_FROM:
            return self.rare_value(type_)
        if type_.wraps or self.chance(self.faults):
            return self.value(self.profile.depth)
        return self.inside(type_)

    def rare_value(self, type_: Range) -> Expression:
        """A constant of the wide range, plus a number below 4 at times: so the variable takes a handful of values."""
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
        """Any value, brought between the bounds of a small range by arithmetic."""
        fitting = [v for v in self.readable if self.fits(v, type_)]
        kind = self.number(0, 2)
        if kind == 0 or type_.size == 1:
            return Constant(self.number(type_.low, type_.high))
        if kind == 1 and fitting:
            return self.read(self.pick(fitting), 1)
        return _sum(self.below(type_.size, self.value(1)), type_.low)

    def fits(self, variable: int, type_: Range) -> bool:
        own = self.variables[variable].type
        return type_.contains(own.low) and type_.contains(own.high)

    def below(self, bound: int, value: Expression) -> Expression:
        """`value` brought into 0…bound-1."""
        if bound & (bound - 1) == 0:
            return Binary("&", value, Constant(bound - 1))
        size = Constant(bound)
        return Binary("%", Binary("+", Binary("%", value, size), size), size)

    # Expressions

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


def _sum(value: Expression, offset: int) -> Expression:
    return Binary("+", value, Constant(offset)) if offset else value


def _flatten(effect: Sequence[Statement]) -> list[Statement]:
    result: list[Statement] = []
    for statement in effect:
        if isinstance(statement, If):
            result += [*_flatten(statement.then), *_flatten(statement.otherwise)]
        else:
            result.append(statement)
    return result
