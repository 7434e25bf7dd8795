"""Random nets, with questions that look at some of their places."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from scrimp.frontends.pnml.lower import NetSource, TokenLimits, lower, source_of
from scrimp.frontends.pnml.net import Net, NetTransition, Place
from scrimp.frontends.pnml.placement import Placement, place_tokens
from scrimp.frontends.pnml.semiflows import what_is_known
from scrimp.passes.kept import Kept
from scrimp.system.expressions import Binary, Constant, Expression
from scrimp.system.system import Position, System

ASKED = (Kept.PREFIXES, Kept.DEADLOCKS, Kept.RUNS, Kept.RUNS, Kept.STEPS)

MOST_TOKENS = 3
"""More are a fault, in places without a known bound."""


@dataclass(frozen=True)
class NetProfile:
    """`ways` are sequences of places along which single tokens move, by a transition for most steps; `others` are
    further transitions. On a `batched` way one token becomes two, and two become one. Single numbers are per cent."""

    ways: tuple[int, int] = (1, 3)
    length: tuple[int, int] = (2, 5)
    buffers: tuple[int, int] = (0, 3)
    others: tuple[int, int] = (0, 4)
    synchronised: int = 20
    buffered: int = 25
    heavy: int = 10
    special: int = 0
    copied: int = 10
    batched: int = 0
    observed: tuple[int, int] = (0, 2)
    placed: bool = True


NET_PROFILES = {
    "processes": NetProfile(),
    "long": NetProfile(ways=(1, 2), length=(4, 8), buffers=(0, 1), synchronised=10, buffered=10),
    "buffers": NetProfile(ways=(0, 1), buffers=(2, 6), others=(2, 7), buffered=70, heavy=30),
    "special": NetProfile(special=25),
    "special buffers": NetProfile(ways=(0, 1), buffers=(2, 5), others=(2, 6), buffered=60, heavy=20, special=30),
    "variables": NetProfile(placed=False, copied=25),
    "choices": NetProfile(ways=(1, 2), length=(3, 5), buffers=(0, 2), others=(2, 5), synchronised=45, copied=0),
    "batches": NetProfile(ways=(1, 2), length=(3, 5), buffers=(0, 2), others=(0, 1), copied=0, batched=80),
}


@dataclass(frozen=True)
class RandomNet:
    """`seen` are the questions: which numbers of tokens some places hold together."""

    system: System
    source: NetSource
    seen: tuple[Expression, ...]
    kept: Kept


def random_net(seed: int, profile: NetProfile) -> RandomNet:
    random = Random(seed)
    net = _Writer(random, profile).net()
    knowledge = what_is_known(net)
    every = Placement(tuple(range(len(net.places))), ((None,),))
    placement = place_tokens(knowledge) if profile.placed else every
    limits = TokenLimits(tuple(knowledge.bounds), MOST_TOKENS, exclusive=tuple(knowledge.exclusive))
    system = lower(net, placement, limits)
    count = min(random.randint(*profile.observed), len(net.places))
    observed = random.sample(range(len(net.places)), count)
    source = source_of(system)
    assert source is not None
    return RandomNet(system, source, tuple(_questions(placement, observed)), random.choice(ASKED))


def _questions(placement: Placement, observed: Sequence[int]) -> Iterator[Expression]:
    """For each combination of numbers of tokens, whether the observed places hold these together."""
    tests: list[Expression] = [Constant(1)]
    for place in observed:
        tests = [
            Binary("&&", test, Binary("==", placement.tokens(place), Constant(tokens)))
            for test in tests
            for tokens in range(MOST_TOKENS + 1)
        ]
    if observed:
        yield from tests


class _Writer:
    def __init__(self, random: Random, profile: NetProfile) -> None:
        self.random = random
        self.profile = profile
        self.tokens: list[int] = []
        self.split: set[tuple[int, int]] = set()
        self.ways = [self._way() for _ in range(random.randint(*profile.ways))]
        self.buffers = [self._place(random.choice((0, 0, 1, 1, 2))) for _ in range(random.randint(*profile.buffers))]

    def _way(self) -> list[int]:
        way = [self._place(int(step == 0)) for step in range(self.random.randint(*self.profile.length))]
        if self._happens(self.profile.batched):
            step = self.random.randrange(len(way) - 1)
            self.split.add((way[step], way[step + 1]))
        return way

    def _weights(self, way: list[int], source: int, target: int) -> tuple[int, int]:
        """The tokens of a step on a way: where they were split, there are twice as many up to the last place."""
        is_split = any(place in way for place, _ in self.split)
        joins = is_split and source == way[-1] and target == way[0]
        return 1 + joins, 1 + ((source, target) in self.split)

    def _place(self, tokens: int) -> int:
        self.tokens.append(tokens)
        return len(self.tokens) - 1

    def _happens(self, per_cent: int) -> bool:
        return self.random.randrange(100) < per_cent

    def net(self) -> Net:
        if not self.tokens:
            self.buffers.append(self._place(1))
        steps = [(way, step) for way in self.ways for step in range(len(way)) if self._happens(85)]
        others = self.random.randint(*self.profile.others)
        transitions = [self._transition(number, [step]) for number, step in enumerate(steps)]
        transitions += [self._transition(len(steps) + number, self._anywhere()) for number in range(others)]
        places = tuple(Place(f"p{number}", tokens) for number, tokens in enumerate(self.tokens))
        names = {place.name: (number,) for number, place in enumerate(places)}
        return Net("random", places, tuple(self._copied(transitions)), names, {})

    def _anywhere(self) -> list[tuple[list[int], int]]:
        if not self.ways or self._happens(30):
            return []
        way = self.random.choice(self.ways)
        return [(way, self.random.randrange(len(way)))]

    def _transition(self, number: int, steps: list[tuple[list[int], int]]) -> NetTransition:
        """A transition that makes these steps, perhaps together with that of another way."""
        consumes: dict[int, int] = {}
        produces: dict[int, int] = {}
        others = [way for way in self.ways if all(way is not taken for taken, _ in steps)]
        if others and self._happens(self.profile.synchronised):
            other = self.random.choice(others)
            steps = [*steps, (other, self.random.randrange(len(other)))]
        for way, step in steps:
            target = way[(step + 1) % len(way)] if self._happens(85) else self.random.choice(way)
            taken, given = self._weights(way, way[step], target)
            consumes[way[step]] = taken
            if self._happens(95):
                produces[target] = given
        if self.buffers and (not steps or self._happens(self.profile.buffered)):
            self._use_buffers(consumes, produces)
        tests, inhibitors, resets = self._special()
        return NetTransition(
            f"t{number}", Position(number + 1, 1), consumes, produces, tests, inhibitors, frozenset(resets)
        )

    def _use_buffers(self, consumes: dict[int, int], produces: dict[int, int]) -> None:
        for weights, count in ((consumes, self.random.choice((0, 1, 1, 2))), (produces, self.random.choice((0, 1, 1)))):
            for place in self.random.sample(self.buffers, min(count, len(self.buffers))):
                weights[place] = 1 + self._happens(self.profile.heavy)

    def _special(self) -> tuple[dict[int, int], dict[int, int], set[int]]:
        tests: dict[int, int] = {}
        inhibitors: dict[int, int] = {}
        resets: set[int] = set()
        if self._happens(self.profile.special):
            place, weight = self.random.randrange(len(self.tokens)), self.random.choice((1, 1, 2))
            match self.random.randrange(4):
                case 0 | 1:
                    tests[place] = weight
                case 2:
                    inhibitors[place] = weight
                case 3:
                    resets.add(place)
        return tests, inhibitors, resets

    def _copied(self, transitions: Sequence[NetTransition]) -> Iterator[NetTransition]:
        """Some transitions twice, a copy with another need more."""
        for number, transition in enumerate(transitions):
            yield transition
            if self._happens(self.profile.copied):
                tests = {self.random.randrange(len(self.tokens)): 1} if self._happens(50) else {}
                position = Position(100 + number, 1)
                yield NetTransition(
                    f"c{number}",
                    position,
                    transition.consumes,
                    transition.produces,
                    {**transition.tests, **tests},
                    transition.inhibitors,
                    transition.resets,
                )
