"""Sets of places that share a single token, and what one place says about the others.

What holds in all markings of the net as written holds in a draft: each of its markings, on the places that are left, is
one of these.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cached_property

from scrimp.frontends.pnml.net import Net


class SharedTokens:
    """Sets of places are bits of numbers. The places of an exclusive set hold at most one token together."""

    def __init__(self, net: Net, exclusive: Sequence[frozenset[int]]) -> None:
        self.net = net
        self.exclusive = exclusive

    @cached_property
    def apart(self) -> dict[int, int]:
        """By place, the places that are empty whenever it is marked."""
        found: dict[int, int] = defaultdict(int)
        for places in self.exclusive:
            mask = sum(1 << place for place in places)
            for place in places:
                found[place] |= mask & ~(1 << place)
        return found

    @cached_property
    def rivals(self) -> dict[int, list[int]]:
        """By place, sets of other places: if all of a set are empty, the place is marked."""
        found: dict[int, list[int]] = defaultdict(list)
        for places in self._kept():
            mask = sum(1 << place for place in places)
            for place in places:
                found[place].append(mask & ~(1 << place))
        return found

    def _kept(self) -> Iterator[frozenset[int]]:
        """The exclusive sets that always hold exactly one token: one at first, and every transition takes as many
        tokens from them as it adds."""
        touching: dict[int, set[int]] = defaultdict(set)
        for number, transition in enumerate(self.net.transitions):
            for place in (*transition.consumes, *transition.produces, *transition.resets):
                touching[place].add(number)
        for places in self.exclusive:
            if sum(self.net.places[place].tokens for place in places) == 1 and all(
                self._keeps(number, places) for number in set[int]().union(*(touching[place] for place in places))
            ):
                yield places

    def _keeps(self, number: int, places: frozenset[int]) -> bool:
        transition = self.net.transitions[number]
        added = sum(added for place, added in transition.change.items() if place in places)
        return not added and not transition.resets & places
