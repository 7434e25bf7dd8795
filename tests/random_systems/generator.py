"""Random systems as a whole."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial

from tests.random_systems.transitions import Transitions

from scrimp.system.expressions import At, Expression, disjunction
from scrimp.system.system import Channel, Invariant, Position, Process, System, Variable
from scrimp.system.types import BYTE, INT, SHORT, Range

SMALL_BOUNDS = ((0, 1), (0, 2), (0, 3), (-1, 1), (-2, 1), (1, 3), (0, 4), (7, 7), (-9, -5))
SMALL_RANGES = tuple(Range(low, high) for low, high in SMALL_BOUNDS)
LARGE_BOUNDS = ((0, 2**31 - 1), (-(2**31), -1), (-1000, 1000), (-5, 2**20), (0, 2**16))
LARGE_RANGES = (BYTE, SHORT, INT, *(Range(low, high) for low, high in LARGE_BOUNDS))
KEYWORDS = ("when", "_", "len", "if", "byte", "at")
STRANGE_NAMES = (*KEYWORDS, "a b", "", "3", 'q"uote', "back\\slash", "line\nbreak", "ü→\u2028", "P.x", "//")


class Generator(Transitions):
    """Draws one system. `variables`, `channels` and `processes` are drawn first; transitions refer to them."""

    def name(self, plain: str, taken: Collection[str] = ()) -> str:
        odd = self.pick(STRANGE_NAMES) if self.chance(self.profile.odd_names) else plain
        return plain if odd in taken else odd

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
        """Some locations, rarely all; sometimes a condition on the variables."""
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
