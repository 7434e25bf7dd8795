"""Facts about the tokens in places, known before the search."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from scrimp.frontends.pnml.net import Net


@dataclass
class Knowledge:
    """`bounds` has an upper bound on the tokens of each place, None if none is known. `exclusive` are sets of places
    that never hold more than one token together."""

    net: Net
    bounds: list[int | None] = field(default_factory=list)
    exclusive: list[frozenset[int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.bounds = self.bounds or [None] * len(self.net.places)

    def learn(self, weights: Mapping[int, int]) -> None:
        """Draw conclusions from weights of places such that no transition raises the weighted sum of tokens: it never
        exceeds its initial value, so two tokens whose weights together exceed that are never present at once."""
        total = sum(weight * self.net.places[place].tokens for place, weight in weights.items())
        for place, weight in weights.items():
            bound, known = total // weight, self.bounds[place]
            self.bounds[place] = bound if known is None else min(bound, known)
        apart = frozenset(place for place, weight in weights.items() if total < 2 * weight)
        if len(apart) > 1:
            self.exclusive.append(apart)
