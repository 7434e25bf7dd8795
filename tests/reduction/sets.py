"""Sets of events as reductions choose them, made from the relations as plainly as possible, and what they must be."""

from __future__ import annotations

from tests.reduction.passing import Related, TooLong, members

from scrimp.system.reference import State

FURTHER_STATES = 8
"""How far we look at what else may happen."""


def every_event(model: Related) -> range:
    return range(len(model.system.transitions))


def necessary_sets(model: Related, state: State, event: int) -> list[frozenset[int]]:
    """One per place that is not taken, or that of the guard."""
    missing = members(model.relations.moved_places, event) - set(model.places(state))
    if not missing:
        return [members(model.relations.enabling, event)]
    return [members(model.relations.entering, place) for place in missing]


def can_be_fired_alone(model: Related, state: State, events: frozenset[int]) -> bool:
    """Whether whatever else happens neither enables nor disables one of the events, and commutes with those that are
    enabled: they are a *persistent* set."""
    fired = model.enabled(state) & events
    try:
        for reached in model.reachable(state, FURTHER_STATES, lambda other: other not in events):
            others = model.enabled(reached) - events
            if model.enabled(reached) & events != fired:
                return False
            if not all(model.commute(reached, a, b) for a in fired for b in others):
                return False
    except TooLong:
        pass
    return True


def stubborn_set(model: Related, state: State, first: int) -> frozenset[int]:
    """Closed under: what depends on an enabled event, what is necessary to enable a disabled one."""
    found = {first}
    todo = [first]
    for event in todo:
        if event in model.enabled(state):
            wanted = {
                other for other in range(len(model.system.transitions)) if model.relations.dependent(event, other)
            }
        else:
            wanted = set(necessary_sets(model, state, event)[0])
        todo += wanted - found
        found |= wanted
    return frozenset(found)


def events_of_overmans_set(model: Related, state: State, first: int, refined: bool) -> frozenset[int]:
    """What the processes may do next that have to do, now or later, with what they access next."""
    relations = model.relations
    places = model.places(state)
    later = [
        members(relations.future_cells, place) if refined else members(relations.support, process)
        for process, place in enumerate(places)
    ]
    chosen = [first]
    for process in chosen:
        following = members(relations.place_cells, places[process])
        chosen += [other for other, cells in enumerate(later) if other not in chosen and cells & following]
    return frozenset().union(*(members(relations.leaving, places[process]) for process in chosen))
