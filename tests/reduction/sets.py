"""Sets of events as reductions choose them, computed from the relations as simply as possible, and their properties."""

from __future__ import annotations

from collections.abc import Iterator

from tests.reduction.passing import Related, TooLong, members

from scrimp.reduction.lists import numbers
from scrimp.system.reference import State

FURTHER_STATES = 8
"""How many further states are examined."""


def every_event(model: Related) -> range:
    return range(len(model.system.transitions))


def necessary_sets(model: Related, state: State, event: int) -> list[frozenset[int]]:
    """One per place that a process has not reached, or one per false condition of the guard, or that of the guard."""
    missing = members(model.relations.moved_places, event) - set(model.places(state))
    if not missing:
        false = list(false_conditions(model, state, event))
        enabling = [members(model.relations.condition_enabling, condition) for condition in false]
        return [*enabling, members(model.relations.enabling, event)]
    return [members(model.relations.entering, place) for place in missing]


def false_conditions(model: Related, state: State, event: int) -> Iterator[int]:
    words = model.layout.encode(state)
    tests = numbers(model.relations.tests)
    all_are_true = True
    for condition in model.relations.conditions[event]:
        word, shift, bits, low, high, kind = tests[6 * condition : 6 * condition + 6]
        if kind & 2 and not all_are_true:
            continue
        if (low <= (words[word] >> shift & (1 << bits) - 1) <= high) == bool(kind & 1):
            all_are_true = False
            yield condition


def stays_disabled(model: Related, state: State, event: int, necessary: frozenset[int]) -> bool:
    try:
        reached = model.reachable(state, FURTHER_STATES, lambda other: other not in necessary)
    except TooLong:
        return True
    return not any(event in model.enabled(after) for after in reached)


def complaint(model: Related, state: State) -> str:
    """What is wrong with the conditions and the dependence of events in a state; empty if nothing is."""
    for event in every_event(model):
        if event not in model.enabled(state):
            if not all(stays_disabled(model, state, event, each) for each in necessary_sets(model, state, event)):
                return f"event {event} becomes enabled without any of those that should be necessary"
        elif list(false_conditions(model, state, event)):
            return f"event {event} is enabled, and a condition is false"
        elif not can_be_fired_alone(model, state, stubborn_set(model, state, event)):
            return f"the stubborn set of event {event} cannot be fired alone"
    return ""


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
