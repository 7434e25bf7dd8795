"""Systems whose processes end early, in which relations between events are tried."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations

from tests.passes.random_stacks import random_stack
from tests.passes.stacks import model_of
from tests.reduction.passing import Related, examinable, related
from tests.reduction.sets import complaint

from scrimp.passes import PASSES, passed
from scrimp.reduction.relations import Relations, build_relations
from scrimp.system.reference import Outgrown, State


def stack_states(
    seed: int, kind: str, most: int, build: Callable[..., Relations] = build_relations
) -> Iterator[tuple[Related, State]]:
    """Some states of a random model whose processes end early; none if it outgrows itself."""
    smaller = passed(model_of(random_stack(seed, kind)).system, (), PASSES)
    if not any(note.name == "ends" for note in smaller.notes):
        return
    try:
        yield from examinable(related(smaller.system, build), most)
    except Outgrown:
        return


def stack_complaint(seed: int, kind: str, most: int, build: Callable[..., Relations] = build_relations) -> str:
    """What is wrong with relations in some of these states; empty if nothing is."""
    try:
        for model, state in stack_states(seed, kind, most, build):
            if found := _dependence_missed(model, state) or complaint(model, state):
                return found
    except Outgrown:
        pass
    return ""


def _dependence_missed(model: Related, state: State) -> str:
    for a, b in combinations(sorted(model.enabled(state)), 2):
        if not model.relations.dependent(a, b) and not model.commute(state, a, b):
            return f"events {a} and {b} are independent, and do not commute"
    return ""
