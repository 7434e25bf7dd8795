"""Places that are known to grow without bound: some walk leads to a marking which covers an earlier one of its own.

What was fired between the two can be fired again and again, and adds the same each time (Karp and Miller, "Parallel
program schemata", 1969). That needs transitions that more tokens cannot disable: where there are
inhibitor or reset arcs, nothing is concluded.

A few random walks are taken. They find most nets of which a search would never end; those that they miss are searched
until the memory is full or a place passes the limit that all places have.
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
    """The places that a walk was seen to grow, and how many tokens each had by then; none where all are bounded."""
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

    def growing(self) -> dict[int, int]:
        for _ in range(_WALKS):
            grown = self._walk()
            if grown:
                return grown
        return {}

    def _walk(self) -> dict[int, int]:
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
            if all(marking[place] >= weight for place, weight in needs)
        ]
        if not enabled:
            return None
        following = list(marking)
        for place, added in self.changes[self.random.choice(enabled)]:
            following[place] += added
        return tuple(following)

    def _grown(self, path: Sequence[tuple[int, Marking]], marking: Marking) -> dict[int, int]:
        """The places that hold more than in an earlier marking which is covered."""
        self.work_left -= len(path)
        total = sum(marking)
        for earlier_total, earlier in path:
            if earlier_total < total and all(a <= b for a, b in zip(earlier, marking, strict=True)):
                return {place: b for place, (a, b) in enumerate(zip(earlier, marking, strict=True)) if a < b}
        return {}
