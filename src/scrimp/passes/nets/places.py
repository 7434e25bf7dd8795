"""Places that no transition needs to look at: their arcs are removed. All answers stay as they are.

These are Berthelot's simplifications of redundant places ("Transformations and decompositions of nets", Advances in
Petri Nets 1986, LNCS 254), in the forms that Thierry-Mieg lists ("Structural reductions revisited", Petri Nets 2020).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain

from scrimp.passes.nets.draft import Draft, Rule


@dataclass(frozen=True)
class ConstantPlaces(Rule):
    """No transition changes the tokens of the place. Transitions that need more of them, or that they inhibit, never
    fire, and all others have them whenever they are needed."""

    what = "constant places removed"

    def apply(self, draft: Draft) -> int:
        constant = [place for place in draft.places() if _is_constant(draft, place)]
        for place in constant:
            held = draft.tokens[place]
            for number in draft.needing[place] | draft.special[place]:
                if draft.needs(number).get(place, 0) > held or draft[number].inhibitors.get(place, held + 1) <= held:
                    draft.drop(number)
            draft.free(place)
            draft.constant.add(place)
        return len(constant)


def _is_constant(draft: Draft, place: int) -> bool:
    touching = draft.needing[place] | draft.giving[place] | draft.special[place]
    return bool(touching) and all(
        draft[number].consumes.get(place, 0) == draft[number].produces.get(place, 0)
        and place not in draft[number].resets
        for number in touching
    )


@dataclass(frozen=True)
class SinkPlaces(Rule):
    """No transition needs a token of the place or is inhibited by it, and no question looks at it."""

    what = "sink places removed"

    def apply(self, draft: Draft) -> int:
        sinks = [place for place in draft.places() if _is_sink(draft, place)]
        for place in sinks:
            draft.forget(place)
        return len(sinks)


def _is_sink(draft: Draft, place: int) -> bool:
    return (
        place not in draft.asked.observed
        and bool(draft.giving[place])
        and not draft.needing[place]
        and not any(place in draft[number].inhibitors for number in draft.special[place])
    )


@dataclass(frozen=True)
class ImpliedPlaces(Rule):
    """Another place *implies* this one: whenever a transition has the tokens that it needs of the other place, it has
    those of this one. With q the other place and c = M₀(p) − M₀(q):

      1. every transition adds at least as many tokens to p as to q, so that M(p) ≥ M(q) + c in all markings;
      2. a transition that needs n tokens of p needs at least n − c of q.

    Neither place is reset, and p neither inhibits nor is looked at."""

    what = "implied places removed"

    def apply(self, draft: Draft) -> int:
        count = 0
        for place in list(draft.places()):
            if _is_removable(draft, place) and any(_implies(draft, other, place) for other in _others(draft, place)):
                draft.forget(place)
                count += 1
        return count


def _is_removable(draft: Draft, place: int) -> bool:
    return draft.is_hidden(place) and bool(draft.needing[place]) and place not in draft.located


def _others(draft: Draft, place: int) -> set[int]:
    """The places that might imply another one: the consumers that need more tokens than it has at first need all of
    these."""
    needs = {number: draft.needs(number) for number in draft.needing[place]}
    demanding = [set(each) for each in needs.values() if each[place] > draft.tokens[place]]
    found = set.intersection(*demanding) if demanding else set[int]().union(*needs.values())
    return found - {place}


def _implies(draft: Draft, other: int, place: int) -> bool:
    if any(other in draft[number].resets for number in draft.special[other]):
        return False
    surplus = draft.tokens[place] - draft.tokens[other]
    # Most candidates fail at a transition that produces on the other place only: look at these first.
    touching = chain(draft.giving[other], draft.needing[place], draft.giving[place], draft.needing[other])
    return all(
        draft.change(number).get(place, 0) >= draft.change(number).get(other, 0)
        and draft.needs(number).get(place, 0) <= max(draft.needs(number).get(other, 0) + surplus, 0)
        for number in touching
    )


@dataclass(frozen=True)
class ExclusivePlaces(Rule):
    """The place is one of a set that always holds exactly one token. Whatever needs that token here also needs tokens
    elsewhere, and each other place of the set is empty while one of these is marked: they share a token, too. So the
    token is here whenever it is needed. The place is not looked at, is not reset, and does not inhibit.

    The tokens that a transition needs elsewhere must be those of places that are left: what was removed before, because
    others imply it, is not needed any more."""

    what = "places implied by a shared token removed"

    def apply(self, draft: Draft) -> int:
        found = 0
        for place in list(draft.places()):
            if draft.is_hidden(place) and draft.needing[place] and _must_be_marked(draft, place):
                draft.forget(place)
                found += 1
        return found


def _must_be_marked(draft: Draft, place: int) -> bool:
    """Whether the place is marked in every marking in which what a transition needs elsewhere is there."""
    if place not in draft.shared.rivals:
        return False
    empty = [_empty(draft, number, place) for number in draft.needing[place] if draft.needs(number)[place] == 1]
    return len(empty) == len(draft.needing[place]) and any(
        all(rivals & ~each == 0 for each in empty) for rivals in draft.shared.rivals[place]
    )


def _empty(draft: Draft, number: int, place: int) -> int:
    """The places that are empty if a transition has what it needs of other places than this one."""
    found = 0
    for other in draft.needs(number):
        if other != place:
            found |= draft.shared.apart.get(other, 0)
    return found
