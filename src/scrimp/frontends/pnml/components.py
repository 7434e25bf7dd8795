"""Bounds of places from sets of places that no transition can add tokens to: mostly, the states of one process.

Such a set is grown around a place: as long as some transition adds tokens to it, one of the places from which the
transition takes tokens joins. Of several such places, the one with the fewest tokens is tried first, then the one with
the fewest transitions that would add to the set in turn. Choices that fail are undone, within a limit of work for each
place. Sets with a single token are sought first: they are worth the most. Places are tried in random order: if places
form a row, and the set of each contains all places before it, then most are found in the set of a later one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random

from scrimp.frontends.pnml.knowledge import Knowledge
from scrimp.frontends.pnml.net import Net

Change = dict[int, int]
"""The most that a transition adds to places."""

# Limits on the number of places that join or are considered: for each place, and in all; each with so many more for
# every place of the net.
_WORK_PER_PLACE = 400
_MORE_WORK_PER_PLACE = 4
_MOST_WORK = 60_000
_MORE_WORK = 20
_SEED = 1
# So many of the transitions that add to the set are compared; the one with the fewest candidates is chosen.
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
    """A place that has joined, and those that could have joined instead, the best last."""

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
        """A set that contains a place, with at most `most` tokens; empty if none was found."""
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
        """The places that may join to compensate for some transition's addition, the best last; None if no transition
        adds."""
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
        """The cost of letting a place join: its tokens, then the transitions that would add to the set."""
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
        """Record that a transition adds so much more to the set."""
        self.balance[transition] = self.balance.get(transition, 0) + added
        if self.balance[transition] > 0:
            self.raising[transition] = None
        else:
            self.raising.pop(transition, None)
