"""What is known of the tokens in places before anything is searched."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from scrimp.frontends.pnml.net import Net


@dataclass
class Knowledge:
    """`bounds` has for each place how many tokens it never exceeds, None where this is not known. `exclusive` are sets
    of places which never hold more than one token between them."""

    net: Net
    bounds: list[int | None] = field(default_factory=list)
    exclusive: list[frozenset[int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.bounds = self.bounds or [None] * len(self.net.places)

    def learn(self, weights: Mapping[int, int]) -> None:
        """Take in weights of places such that no transition raises the weighted sum of tokens: it never exceeds what it
        is at first. Two tokens whose weights are more than that together are never there at once."""
        total = sum(weight * self.net.places[place].tokens for place, weight in weights.items())
        for place, weight in weights.items():
            bound, known = total // weight, self.bounds[place]
            self.bounds[place] = bound if known is None else min(bound, known)
        apart = frozenset(place for place, weight in weights.items() if total < 2 * weight)
        if len(apart) > 1:
            self.exclusive.append(apart)
