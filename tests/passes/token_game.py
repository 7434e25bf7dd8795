"""The token game on a net before and after structural reductions: a second route, in a few lines, to all that the rules
must preserve.

Each marking of the smaller net is accompanied by one of the net as written, which is reached by firing the chains: that
undoes traces.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

from tests.passes.observed_runs import Graph, seen_difference
from tests.passes.random_nets import MOST_TOKENS, RandomNet

from scrimp.frontends.pnml.lower import Bounds
from scrimp.frontends.pnml.net import NetTransition
from scrimp.passes.kept import Kept
from scrimp.passes.nets.draft import Draft, Fused, Rule
from scrimp.passes.nets.reducing import RULES, draft_of, reduce

Marking: TypeAlias = tuple[int, ...]

# Longer completions of a path to a deadlock would be a mistake: the nets are small.
MOST_COMPLETING = 200


@dataclass
class Played:
    """Which markings of observed places, faults, fired transitions and dead markings a game has; `wrong` says what is
    wrong with traces."""

    seen: set[Marking] = field(default_factory=set)
    faults: set[int] = field(default_factory=set)
    fired: set[int] = field(default_factory=set)
    faulted: set[int] = field(default_factory=set)
    graph: Graph = field(default_factory=lambda: Graph(()))
    dead: int = 0
    states: int = 0
    wrong: str = ""


def is_enabled(transition: NetTransition, marking: Marking) -> bool:
    return all(marking[place] >= weight for place, weight in transition.needs.items()) and all(
        marking[place] < weight for place, weight in transition.inhibitors.items()
    )


def fire(transition: NetTransition, marking: Marking, bounds: Bounds) -> Marking | int:
    """The marking after a transition, or a place that exceeds the limit."""
    after = list(marking)
    for place in transition.resets:
        after[place] = transition.produces.get(place, 0)
    for place, added in sorted(transition.change.items()):
        after[place] += added
        if added > 0 and bounds[place] is None and after[place] > MOST_TOKENS:
            return place
    return tuple(after)


def difference(random: RandomNet, most: int, rules: Sequence[Rule] = RULES) -> str:
    """What differs in a net after reductions; empty if nothing does, or if the net has more than `most` markings."""
    return Compared(random, most).after(rules)


@dataclass(frozen=True)
class Compared:
    """A net and its game, which is played once for all rules."""

    random: RandomNet
    most: int

    def after(self, rules: Sequence[Rule]) -> str:
        draft = draft_of(self.random.source, self.random.seen, self.random.kept)
        if not reduce(draft, rules) or self.own is None:
            return ""
        smaller = self.game.play(list(draft.transitions.values()), tuple(draft.tokens), draft)
        return "more states" if smaller is None else "; ".join(_differences(draft, self.own, smaller))

    @cached_property
    def game(self) -> Game:
        source = self.random.source
        asked = draft_of(source, self.random.seen, self.random.kept).asked
        start = tuple(place.tokens for place in source.net.places)
        deadlock = asked.kept >= Kept.DEADLOCKS
        return Game(source.net.transitions, start, source.limits.bounds, sorted(asked.observed), deadlock, self.most)

    @cached_property
    def own(self) -> Played | None:
        written = [Fused(each, (number,), frozenset({number})) for number, each in enumerate(self.game.written)]
        return self.game.play(written, self.game.start)


def _differences(draft: Draft, own: Played, smaller: Played) -> Iterator[str]:
    if smaller.wrong:
        yield smaller.wrong
        return
    if own.seen != smaller.seen:
        yield f"markings: lost {own.seen - smaller.seen}, added {smaller.seen - own.seen}"
    elif different := seen_difference(own.graph, smaller.graph, draft.asked.kept):
        yield different
    if own.faults != smaller.faults:
        yield f"faults: {own.faults}, {smaller.faults}"
    if draft.asked.kept >= Kept.DEADLOCKS and bool(own.dead) != bool(smaller.dead):
        yield f"dead markings: {own.dead}, {smaller.dead}"
    if smaller.fired - own.fired - smaller.faulted:
        yield f"fired now: {smaller.fired - own.fired}"
    if own.fired - smaller.fired - draft.unknown:
        yield f"not fired any more: {own.fired - smaller.fired}"
    if smaller.states > own.states:
        yield f"{smaller.states} states instead of {own.states}"


@dataclass(frozen=True)
class Game:
    """`start` is the initial marking of the net as written, `deadlock` whether its deadlocks matter, and `most` the
    number of markings that there may be."""

    written: Sequence[NetTransition]
    start: Marking
    bounds: Bounds
    observed: Sequence[int]
    deadlock: bool
    most: int

    def play(
        self,
        transitions: Sequence[Fused],
        tokens: Marking,
        draft: Draft | None = None,
    ) -> Played | None:
        """All that can happen from `tokens` on. The net as written reaches the initial marking of a draft by its
        prefix, and the places that are gone do not matter."""
        fired, prefix, gone = (draft.fired, draft.prefix, draft.gone) if draft else (set[int](), (), frozenset[int]())
        played = Played(fired=set(fired), graph=Graph(tokens))
        start = self._follow(prefix, self.start)
        if not isinstance(start, tuple) or not _correspond(tokens, start, gone):
            played.wrong = f"{prefix} leads to {start}, not {tokens}"
            return played
        known, todo = {tokens: start}, [tokens]
        while todo and not played.wrong:
            marking = todo.pop()
            seen = tuple(marking[place] for place in self.observed)
            played.seen.add(seen)
            played.graph.labels[marking] = seen
            played.graph.edges[marking] = []
            enabled = [fused for fused in transitions if is_enabled(fused.transition, marking)]
            for fused in enabled:
                after, end = fire(fused.transition, marking, self.bounds), self._follow(fused.chain, known[marking])
                played.fired |= fused.covers
                played.graph.edges[marking].append(after)
                if isinstance(after, int):
                    played.faults.add(after)
                    played.faulted |= fused.covers
                    played.graph.labels[after] = "fault", after
                    played.graph.edges[after] = []
                if not _correspond(after, end, gone):
                    played.wrong = f"{fused.chain} leads from {known[marking]} to {end}, not {after}"
                elif isinstance(after, tuple) and isinstance(end, tuple) and after not in known:
                    known[after] = end
                    todo.append(after)
            if not enabled:
                played.dead += 1
                if self.deadlock and not self._ends(known[marking]):
                    played.wrong = f"{known[marking]} is not dead"
            if len(known) > self.most:
                return None
        played.states = len(known)
        return played

    def _follow(self, chain: Sequence[int], marking: Marking) -> Marking | int | None:
        for number in chain:
            if not is_enabled(self.written[number], marking):
                return None
            after = fire(self.written[number], marking, self.bounds)
            if isinstance(after, int):
                return after
            marking = after
        return marking

    def _ends(self, marking: Marking) -> bool:
        """Whether firing what can be fired leads to a dead marking."""
        for _ in range(MOST_COMPLETING):
            enabled = [transition for transition in self.written if is_enabled(transition, marking)]
            if not enabled:
                return True
            after = fire(enabled[0], marking, self.bounds)
            if isinstance(after, int):
                return False
            marking = after
        return False


def _correspond(after: Marking | int, end: Marking | int | None, gone: Collection[int]) -> bool:
    if not isinstance(after, tuple) or not isinstance(end, tuple):
        return after == end
    return all(one == other for place, (one, other) in enumerate(zip(after, end, strict=True)) if place not in gone)
