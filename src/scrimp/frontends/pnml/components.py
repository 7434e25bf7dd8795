"""Bounds of places from sets of places that no transition can add tokens to: mostly, the states of one process.

Such a set is grown around a place: as long as some transition adds tokens to it, one of the places that the transition
takes tokens from joins. Of several the one is tried first that brings the fewest tokens and the fewest transitions
which add to the set in turn; a choice that leads nowhere is taken back, for as long as there is work left for a place.
A set with a single token in it is looked for first: it is worth the most. Places take their turns at random: where each
can only be found with all that come before it in a row, few of them then are the first of theirs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random

from scrimp.frontends.pnml.knowledge import Knowledge
from scrimp.frontends.pnml.net import Net

Change = dict[int, int]
"""What a transition adds to places at the most."""

# Places that join or are thought of: for each place so many, and as many more for each place of the net.
_WORK_PER_PLACE = 400
_MORE_WORK_PER_PLACE = 4
_MOST_WORK = 60_000
_MORE_WORK = 20
_SEED = 1
# Of the transitions that add to the set; the one with the fewest places to take from is dealt with first.
_LOOKED_AT = 8


def look_for_sets(knowledge: Knowledge, changes: Sequence[Change]) -> None:
    """Look for sets around places that have no bound or are not known to be safe."""
    net, bounds = knowledge.net, knowledge.bounds
    growth = _Growth(net, changes)
    order = list(range(len(net.places)))
    Random(_SEED).shuffle(order)
    for most in (1, None):
        for place in order:
            bound = bounds[place]
            if bound is None or (most is not None and bound > most >= net.places[place].tokens):
                knowledge.learn(dict.fromkeys(growth.around(place, most), 1))


@dataclass(slots=True)
class _Open:
    """A place that has joined, and those that could have joined in its stead, the best last."""

    place: int
    others: list[int]


class _Growth:
    def __init__(self, net: Net, changes: Sequence[Change]) -> None:
        self.net = net
        self.changes = changes
        self.touching: list[list[tuple[int, int]]] = [[] for _ in net.places]
        for number, change in enumerate(changes):
            for place, added in change.items():
                self.touching[place].append((number, added))
        self.work_left = _MOST_WORK + _MORE_WORK * len(net.places)
        self.work_per_place = _WORK_PER_PLACE + _MORE_WORK_PER_PLACE * len(net.places)
        self.members: set[int] = set()
        self.balance: dict[int, int] = {}
        self.raising: dict[int, None] = {}
        self.tokens = 0
        self.most: int | None = None

    def around(self, place: int, most: int | None) -> set[int]:
        """A set with a place in it, of no more than `most` tokens; empty where none was found."""
        self.members, self.balance, self.raising, self.tokens, self.most = set(), {}, {}, 0, most
        trail = [_Open(place, [])]
        self._join(place)
        limit = max(0, self.work_left - self.work_per_place)
        while self.work_left > limit:
            candidates = self._candidates()
            if candidates is None:
                return self.members
            while not candidates:
                last = trail.pop()
                self._leave(last.place)
                if not trail:
                    return set()
                candidates = last.others
            chosen = candidates.pop()
            trail.append(_Open(chosen, candidates))
            self._join(chosen)
        return set()

    def _candidates(self) -> list[int] | None:
        """Who may join to make up for what some transition adds, the best last; None where no transition adds."""
        if not self.raising:
            return None
        found = [self._sources(number) for number in islice(self.raising, _LOOKED_AT)]
        fewest = min(found, key=len)
        return sorted(fewest, key=self._cost, reverse=True)

    def _sources(self, transition: int) -> list[int]:
        change = self.changes[transition]
        return [
            place
            for place, added in change.items()
            if added < 0
            and place not in self.members
            and (self.most is None or self.tokens + self.net.places[place].tokens <= self.most)
        ]

    def _cost(self, place: int) -> tuple[int, int, int]:
        """What it costs to let a place join: its tokens, then the transitions that would add to the set."""
        self.work_left -= 1
        raised = sum(1 for number, added in self.touching[place] if added > 0 >= self.balance.get(number, 0))
        settled = sum(1 for number, added in self.touching[place] if added < 0 < self.balance.get(number, 0))
        return self.net.places[place].tokens, raised - settled, place

    def _join(self, place: int) -> None:
        self.work_left -= 1
        self.members.add(place)
        self.tokens += self.net.places[place].tokens
        for number, added in self.touching[place]:
            self._add(number, added)

    def _leave(self, place: int) -> None:
        self.members.remove(place)
        self.tokens -= self.net.places[place].tokens
        for number, added in self.touching[place]:
            self._add(number, -added)

    def _add(self, transition: int, added: int) -> None:
        """Note that a transition adds so much more to the set."""
        self.balance[transition] = self.balance.get(transition, 0) + added
        if self.balance[transition] > 0:
            self.raising[transition] = None
        else:
            self.raising.pop(transition, None)
