"""A net while it is reduced: rules remove its places and transitions, or fuse transitions, one at a time."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import ClassVar

from scrimp.frontends.pnml.lower import TokenLimits
from scrimp.frontends.pnml.net import Net, NetTransition, Weights
from scrimp.passes.kept import Kept
from scrimp.passes.nets.tokens import SharedTokens


@dataclass(frozen=True, slots=True)
class Fused:
    """A transition of a draft. It stands for the transitions `chain` of the net as written, fired in this order; if it
    can fire, all of `covers` can."""

    transition: NetTransition
    chain: tuple[int, ...]
    covers: frozenset[int]


@dataclass(frozen=True)
class Asked:
    """What must be preserved: what is `kept` of the `observed` places. Places without a known bound are observed, too:
    exceeding a limit is a fault."""

    observed: frozenset[int]
    kept: Kept


class Draft:
    """`needing`, `giving` and `special` have, by place, the transitions that consume from it or test it, that produce
    on it, and that have an inhibitor or reset arc from it. Places that are `gone` have no arcs, and their tokens are
    forgotten. Whether the transitions in `unknown` can fire is not known unless some transition covers them. `prefix`
    are the transitions of the net as written that lead to the initial marking, and `fired` those known to fire by that.
    """

    def __init__(self, net: Net, limits: TokenLimits, asked: Asked, located: frozenset[int] = frozenset()) -> None:
        self.asked = asked
        self.bounds = limits.bounds
        self.shared = SharedTokens(net, limits.exclusive)
        self.located = located
        self.tokens = [place.tokens for place in net.places]
        self.transitions: dict[int, Fused] = {}
        self.needing: list[set[int]] = [set() for _ in net.places]
        self.giving: list[set[int]] = [set() for _ in net.places]
        self.special: list[set[int]] = [set() for _ in net.places]
        self.gone: set[int] = set()
        self.constant: set[int] = set()
        self.unknown: set[int] = set()
        self.prefix: list[int] = []
        self.fired: set[int] = set()
        self.completes = False
        self._needs: dict[int, Weights] = {}
        self._changes: dict[int, Weights] = {}
        self._next = 0
        for number, transition in enumerate(net.transitions):
            self.add(Fused(transition, (number,), frozenset({number})))

    def __getitem__(self, number: int) -> NetTransition:
        return self.transitions[number].transition

    def needs(self, number: int) -> Weights:
        """The tokens that a transition needs."""
        if number not in self._needs:
            self._needs[number] = self[number].needs
        return self._needs[number]

    def change(self, number: int) -> Weights:
        """The tokens that a transition adds to places that it does not reset."""
        if number not in self._changes:
            self._changes[number] = self[number].change
        return self._changes[number]

    def add(self, fused: Fused) -> None:
        self.transitions[self._next] = fused
        self._link(self._next, fused.transition)
        self._next += 1

    def drop(self, number: int) -> Fused:
        fused = self.transitions.pop(number)
        for places, index in self._arcs(fused.transition):
            for place in places:
                index[place].discard(number)
        return fused

    def begin_with(self, number: int) -> None:
        """Fire a transition that is enabled at first, and resets nothing, before everything else."""
        for place, added in self.change(number).items():
            self.tokens[place] += added
        self.prefix += self.transitions[number].chain
        self.fired |= self.transitions[number].covers

    def free(self, place: int) -> None:
        """Remove all arcs at a place."""
        for number in self.needing[place] | self.giving[place] | self.special[place]:
            fused = self.transitions[number]
            old = fused.transition
            new = replace(
                old,
                consumes=_without(old.consumes, place),
                produces=_without(old.produces, place),
                tests=_without(old.tests, place),
                inhibitors=_without(old.inhibitors, place),
                resets=old.resets - {place},
            )
            self.transitions[number] = replace(fused, transition=new)
            self._needs.pop(number, None)
            self._changes.pop(number, None)
        for index in (self.needing, self.giving, self.special):
            index[place] = set()

    def forget(self, place: int) -> None:
        """Remove all arcs at a place, and its tokens."""
        self.free(place)
        self.tokens[place] = 0
        self.gone.add(place)

    def is_hidden(self, place: int) -> bool:
        """Whether nothing looks at the place but the needs of transitions."""
        return place not in self.asked.observed and not self.special[place] and place not in self.gone

    def places(self) -> Iterable[int]:
        return (place for place in range(len(self.tokens)) if place not in self.gone and place not in self.constant)

    def _link(self, number: int, transition: NetTransition) -> None:
        for places, index in self._arcs(transition):
            for place in places:
                index[place].add(number)

    def _arcs(self, transition: NetTransition) -> Iterable[tuple[Iterable[int], list[set[int]]]]:
        yield transition.consumes, self.needing
        yield transition.tests, self.needing
        yield transition.produces, self.giving
        yield transition.inhibitors, self.special
        yield transition.resets, self.special


def _without(weights: Weights, place: int) -> Weights:
    return {other: weight for other, weight in weights.items() if other != place}


@dataclass(frozen=True)
class Rule:
    """One way to make a net smaller. `what` says what it did, as in `Note`."""

    what: ClassVar[str]
    keeps_steps: ClassVar[bool] = True
    keeps: ClassVar[Kept] = Kept.STEPS
    """The most that the rule preserves: it is applied only if no more is asked for."""

    def apply(self, draft: Draft) -> int:
        """Apply the rule wherever it can be; how often it was."""
        raise NotImplementedError

    @property
    def keeps_deadlocks(self) -> bool:
        return self.keeps >= Kept.DEADLOCKS
