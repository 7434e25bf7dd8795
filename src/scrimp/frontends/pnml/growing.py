"""Places that are known to grow without bound: some walk reaches a marking that covers an earlier one of the same walk.

The transitions between the two can be fired again and again, and add the same tokens each time (Karp and Miller,
"Parallel program schemata", 1969). This holds only if more tokens cannot disable a transition, so nothing is concluded
for nets with inhibitor or reset arcs.

A few random walks are taken. A place that grows is limited to the tokens it had, as in the search, and walks continue:
others may grow after it. So most nets are found on which a search would never end; those that are missed are searched
until memory is full or a place exceeds the limit for all places.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from scrimp.frontends.pnml.net import Net

_WALKS = 30
_LONGEST_WALK = 150
_MOST_WORK = 300_000
_SEED = 1

Marking = tuple[int, ...]


def growing_places(net: Net, bounds: Sequence[int | None]) -> dict[int, int]:
    """The places that were seen to grow, and how many tokens each had by then; none if all places are bounded."""
    if None not in bounds or any(t.inhibitors or t.resets for t in net.transitions):
        return {}
    return _Walks(net).growing()


class _Walks:
    def __init__(self, net: Net) -> None:
        self.random = Random(_SEED)
        self.initial: Marking = tuple(place.tokens for place in net.places)
        self.needs = [tuple(transition.needs.items()) for transition in net.transitions]
        self.changes = [tuple(transition.change.items()) for transition in net.transitions]
        self.work_left = _MOST_WORK
        self.held: dict[int, int] = {}

    def growing(self) -> dict[int, int]:
        in_vain = 0
        while in_vain < _WALKS and self.work_left > 0:
            grown = self._walk()
            self.held |= grown
            in_vain = 0 if grown else in_vain + 1
        return self.held

    def _walk(self) -> dict[int, int]:
        """The places that one walk finds to grow, except those already limited."""
        marking = self.initial
        path = [(sum(marking), marking)]
        while len(path) <= _LONGEST_WALK and self.work_left > 0:
            following = self._successor(marking)
            if following is None:
                return {}
            marking = following
            grown = self._grown(path, marking)
            if grown:
                return grown
            path.append((sum(marking), marking))
        return {}

    def _successor(self, marking: Marking) -> Marking | None:
        self.work_left -= len(self.needs)
        enabled = [
            number
            for number, needs in enumerate(self.needs)
            if all(marking[place] >= weight for place, weight in needs) and not self._passes(number, marking)
        ]
        if not enabled:
            return None
        following = list(marking)
        for place, added in self.changes[self.random.choice(enabled)]:
            following[place] += added
        return tuple(following)

    def _passes(self, transition: int, marking: Marking) -> bool:
        """Whether a transition would exceed the limit of a growing place."""
        return any(
            place in self.held and marking[place] + added > self.held[place]
            for place, added in self.changes[transition]
        )

    def _grown(self, path: Sequence[tuple[int, Marking]], marking: Marking) -> dict[int, int]:
        """The places not limited yet that have more tokens than in an earlier marking that is covered."""
        self.work_left -= len(path)
        total = sum(marking)
        for earlier_total, earlier in path:
            if earlier_total < total and all(a <= b for a, b in zip(earlier, marking, strict=True)):
                more = {place: b for place, (a, b) in enumerate(zip(earlier, marking, strict=True)) if a < b}
                grown = {place: tokens for place, tokens in more.items() if place not in self.held}
                if grown:
                    return grown
        return {}
