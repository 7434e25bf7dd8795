"""Place/transition nets: what every net becomes before it becomes a system.

A transition is enabled where every place holds what the transition consumes of it and what it tests for, and less than
what inhibits it. Firing removes what is consumed, empties the places that are reset, and adds what is produced.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from scrimp.system.system import Position

Weights = Mapping[int, int]
"""Numbers of tokens by place."""


@dataclass(frozen=True, slots=True)
class Place:
    """`name` is how users know it; no two places of a net share one."""

    name: str
    tokens: int


@dataclass(frozen=True, slots=True)
class NetTransition:
    name: str
    position: Position
    consumes: Weights
    produces: Weights
    tests: Weights = field(default_factory=dict)
    inhibitors: Weights = field(default_factory=dict)
    resets: frozenset[int] = frozenset()

    @property
    def needs(self) -> dict[int, int]:
        """The least that places must hold for the transition to be enabled."""
        needed = dict(self.consumes)
        for place, weight in self.tests.items():
            needed[place] = max(needed.get(place, 0), weight)
        return needed

    @property
    def change(self) -> dict[int, int]:
        """What firing adds to places that are not reset; those it leaves as they are are left out."""
        touched = dict.fromkeys((*self.consumes, *self.produces))
        found = {place: self.produces.get(place, 0) - self.consumes.get(place, 0) for place in touched}
        return {place: added for place, added in found.items() if added and place not in self.resets}


@dataclass(frozen=True, slots=True)
class Net:
    """`place_names` and `transition_names` say which places and transitions a name stands for: one in a P/T net, every
    colour and every binding in an unfolded one."""

    name: str
    places: tuple[Place, ...]
    transitions: tuple[NetTransition, ...]
    place_names: Mapping[str, tuple[int, ...]]
    transition_names: Mapping[str, tuple[int, ...]]
