"""Place/transition nets: the form of every net before it becomes a system.

A transition is enabled if every place holds at least the tokens that the transition consumes and tests for, and fewer
than inhibit it. Firing removes the consumed tokens, empties the places that are reset, and adds the produced tokens.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from scrimp.system.system import Position

Weights = Mapping[int, int]
"""Numbers of tokens by place."""


@dataclass(frozen=True, slots=True)
class Place:
    """`name` is the one that users see; it is unique in a net."""

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
        """The least numbers of tokens with which the transition is enabled."""
        needed = dict(self.consumes)
        for place, weight in self.tests.items():
            needed[place] = max(needed.get(place, 0), weight)
        return needed

    @property
    def change(self) -> dict[int, int]:
        """The tokens that firing adds to places that are not reset; places that it does not change are left out."""
        touched = dict.fromkeys((*self.consumes, *self.produces))
        found = {place: self.produces.get(place, 0) - self.consumes.get(place, 0) for place in touched}
        return {place: added for place, added in found.items() if added and place not in self.resets}


@dataclass(frozen=True, slots=True)
class Net:
    """`place_names` and `transition_names` map names to places and transitions: to one in a P/T net, to those of all
    colours or bindings in an unfolded one."""

    name: str
    places: tuple[Place, ...]
    transitions: tuple[NetTransition, ...]
    place_names: Mapping[str, tuple[int, ...]]
    transition_names: Mapping[str, tuple[int, ...]]
