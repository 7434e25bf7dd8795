"""Transitions that need not be there.

Thierry-Mieg, "Structural reductions revisited", Petri Nets 2020; Bønneland, Dyhr, Jensen, Johannsen, Srba, "Stubborn
versus structural reductions for Petri nets", Journal of Logical and Algebraic Methods in Programming 102, 2019.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace

from scrimp.frontends.pnml.net import NetTransition
from scrimp.passes.kept import Kept
from scrimp.passes.nets.draft import Draft, Rule

# Transitions of the same effect are compared pairwise only if there are at most this many of them.
MOST_COMPARED = 64


@dataclass(frozen=True)
class DeadTransitions(Rule):
    """The transition needs a token of a place that never has one, because all transitions that would produce on it are
    dead, too (the largest unmarked siphon), or more tokens than the place ever holds. It never fires."""

    what = "dead transitions removed"

    def apply(self, draft: Draft) -> int:
        alive = _possible(draft)
        dead = [number for number in draft.transitions if number not in alive]
        for number in dead:
            draft.drop(number)
        return len(dead)


def _possible(draft: Draft) -> set[int]:
    """The transitions that might fire if the number of tokens never mattered."""
    marked = {place for place, tokens in enumerate(draft.tokens) if tokens}
    missing: dict[int, int] = {}
    todo: list[int] = []
    for number in draft.transitions:
        needs = draft.needs(number)
        if any(_exceeds(draft, place, weight) for place, weight in needs.items()):
            continue
        missing[number] = sum(place not in marked for place in needs)
        if not missing[number]:
            todo.append(number)
    alive = set(todo)
    while todo:
        for place in set(draft[todo.pop()].produces) - marked:
            marked.add(place)
            for number in draft.needing[place] & missing.keys():
                missing[number] -= 1
                if not missing[number]:
                    alive.add(number)
                    todo.append(number)
    return alive


def _exceeds(draft: Draft, place: int, weight: int) -> bool:
    bound = draft.bounds[place]
    return bound is not None and weight > bound


@dataclass(frozen=True)
class IdenticalTransitions(Rule):
    """Two transitions are enabled in the same markings and lead to the same ones: one of them suffices, the one that
    stands for fewer transitions of the net as written."""

    what = "identical transitions removed"

    def apply(self, draft: Draft) -> int:
        alike: dict[Hashable, list[int]] = defaultdict(list)
        for number, fused in draft.transitions.items():
            alike[_effect(fused.transition), *_conditions(fused.transition)].append(number)
        for numbers in alike.values():
            kept, *others = sorted(numbers, key=lambda number: (len(draft.transitions[number].chain), number))
            covers = frozenset[int]().union(*(draft.drop(number).covers for number in others))
            draft.transitions[kept] = replace(draft.transitions[kept], covers=draft.transitions[kept].covers | covers)
        return sum(len(numbers) - 1 for numbers in alike.values())


def _effect(transition: NetTransition) -> Hashable:
    resets = frozenset((place, transition.produces.get(place, 0)) for place in transition.resets)
    return frozenset(transition.change.items()), resets


def _conditions(transition: NetTransition) -> tuple[Hashable, Hashable]:
    return frozenset(transition.needs.items()), frozenset(transition.inhibitors.items())


@dataclass(frozen=True)
class DominatedTransitions(Rule):
    """Another transition has the same effect and is enabled whenever this one is. Whether this one can fire is not
    known any more."""

    what = "dominated transitions removed"

    def apply(self, draft: Draft) -> int:
        groups: dict[Hashable, list[int]] = defaultdict(list)
        for number, fused in draft.transitions.items():
            groups[_effect(fused.transition)].append(number)
        dominated = [
            number
            for numbers in groups.values()
            if 1 < len(numbers) <= MOST_COMPARED
            for number in numbers
            if _is_dominated(draft, number, numbers)
        ]
        for number in dominated:
            draft.unknown |= draft.drop(number).covers
        return len(dominated)


def _is_dominated(draft: Draft, number: int, others: Sequence[int]) -> bool:
    return any(_dominates(draft[other], draft[number]) for other in others if other != number)


def _dominates(one: NetTransition, other: NetTransition) -> bool:
    """Whether one transition is enabled whenever the other is, and not the other way round."""
    needs = other.needs
    needs_less = all(weight <= needs.get(place, 0) for place, weight in one.needs.items())
    inhibited_less = all(
        place in other.inhibitors and other.inhibitors[place] <= weight for place, weight in one.inhibitors.items()
    )
    return needs_less and inhibited_less and _conditions(one) != _conditions(other)


@dataclass(frozen=True)
class UselessTransitions(Rule):
    """A transition is *useful* if

      1. it changes a place that a question looks at;
      2. it adds tokens to a place that a useful transition needs;
      3. it changes a place that inhibits a useful transition.

    Leave the firings of all others out of a run: the rest of it has at least as many tokens where it needs them, as
    many where they inhibit, and looks the same. So finite runs are preserved; useless transitions may be all that can
    fire, or go on forever. If no place is observed, nothing is asked but which transitions can fire: all stay."""

    what = "transitions removed that no question needs"
    keeps = Kept.PREFIXES

    def apply(self, draft: Draft) -> int:
        if not draft.asked.observed:
            return 0
        useful = _useful(draft)
        useless = [number for number in draft.transitions if number not in useful]
        for number in useless:
            draft.unknown |= draft.drop(number).covers
        return len(useless)


def _useful(draft: Draft) -> set[int]:
    adding, changing = _changing(draft)
    useful = set[int]().union(*(changing[place] for place in draft.asked.observed))  # 1
    todo = list(useful)
    while todo:
        number = todo.pop()
        found = set[int]().union(
            *(adding.pop(place, ()) for place in draft.needs(number)),  # 2
            *(changing.pop(place, ()) for place in draft[number].inhibitors),  # 3
        )
        todo += found - useful
        useful |= found
    return useful


def _changing(draft: Draft) -> tuple[dict[int, set[int]], dict[int, set[int]]]:
    """The transitions that add tokens to a place, and those that change it in any way, by place. One that empties a
    place and then produces on it may do either."""
    adding: dict[int, set[int]] = defaultdict(set)
    changing: dict[int, set[int]] = defaultdict(set)
    for number in draft.transitions:
        transition = draft[number]
        for place, added in draft.change(number).items():
            changing[place].add(number)
            if added > 0:
                adding[place].add(number)
        for place in transition.resets:
            changing[place].add(number)
            if place in transition.produces:
                adding[place].add(number)
    return adding, changing
