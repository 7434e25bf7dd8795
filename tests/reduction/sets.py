"""Sets of events as reductions choose them, computed from the relations as simply as possible, and their properties."""

from __future__ import annotations

from tests.reduction.passing import Related, TooLong, members

from scrimp.system.reference import State

FURTHER_STATES = 8
"""How many further states are examined."""


def every_event(model: Related) -> range:
    return range(len(model.system.transitions))


def necessary_sets(model: Related, state: State, event: int) -> list[frozenset[int]]:
    """One per place that a process has not reached, or the set for the guard."""
    missing = members(model.relations.moved_places, event) - set(model.places(state))
    if not missing:
        return [members(model.relations.enabling, event)]
    return [members(model.relations.entering, place) for place in missing]


def can_be_fired_alone(model: Related, state: State, events: frozenset[int]) -> bool:
    """Whether other events neither enable nor disable one of the events, and commute with those that are enabled: they
    are a *persistent* set."""
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
    """The closure of the first event: with an enabled event its dependent events, with a disabled one a necessary
    set."""
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
    """The next events of the smallest set of processes that contains the first and, with each process, all processes
    that access, now or later, what it accesses next."""
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
