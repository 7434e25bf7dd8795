"""The relations hold in random systems: independent events commute, only the listed events enable an event, and the
sets of events that follow from the relations can be fired alone."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

import pytest
from tests.frontends.lowering import system_of
from tests.random_systems import Profile
from tests.reduction.mutants import MUTANTS, Mutant
from tests.reduction.outgrowing import MOST_STATES, outgrowing_complaint
from tests.reduction.passing import Related, examinable, members, related, sampled
from tests.reduction.profiles import PROFILES
from tests.reduction.sets import (
    can_be_fired_alone,
    complaint,
    events_of_overmans_set,
    every_event,
    false_conditions,
    necessary_sets,
    stays_disabled,
    stubborn_set,
)
from tests.reduction.stacks import stack_complaint
from tests.reduction.typed_messages import random_traffic

from scrimp.reduction.accesses import Reader
from scrimp.reduction.bits import of
from scrimp.reduction.cells import Cells
from scrimp.reduction.conditions import Conditions, excluding, intervals
from scrimp.reduction.relations import Relations, build_relations
from scrimp.system.reference import EvaluationFault, State, evaluate

SEEDS = range(int(os.environ.get("SCRIMP_RANDOM_SYSTEMS", "20")) // 4)
STATES = 12

every_profile = pytest.mark.parametrize("profile", PROFILES.values(), ids=PROFILES)


@every_profile
def test_independent_events_commute_and_keep_each_other_enabled(profile: Profile) -> None:
    for model, state in sampled(profile, SEEDS, STATES):
        events = sorted(model.enabled(state))
        for a in events:
            for b in events:
                if a < b and not model.relations.dependent(a, b):
                    assert model.commute(state, a, b)


@every_profile
def test_dependence_is_symmetric_and_two_events_that_move_one_process_depend_on_each_other(profile: Profile) -> None:
    for model, _ in sampled(profile, SEEDS, 1):
        movers = [{move.process for move in transition.moves} for transition in model.system.transitions]
        for a in range(len(movers)):
            for b in range(len(movers)):
                assert model.relations.dependent(a, b) == model.relations.dependent(b, a)
                assert model.relations.dependent(a, b) or movers[a].isdisjoint(movers[b])


@every_profile
def test_events_find_processes_at_their_places_and_bring_them_to_others(profile: Profile) -> None:
    for model, state in sampled(profile, SEEDS, STATES):
        before = model.places(state)
        for event in model.enabled(state):
            assert members(model.relations.moved_places, event) <= set(before)
            for after in model.step(state, event).states:
                for old, new in zip(before, model.places(after), strict=True):
                    if old != new:
                        assert event in members(model.relations.leaving, old)
                        assert event in members(model.relations.entering, new)


@every_profile
def test_only_the_listed_events_enable_an_event(profile: Profile) -> None:
    for model, state in sampled(profile, SEEDS, STATES):
        for event in set(every_event(model)) - model.enabled(state):
            for necessary in necessary_sets(model, state, event):
                assert stays_disabled(model, state, event, necessary)


@every_profile
def test_the_conditions_of_enabled_events_are_true(profile: Profile) -> None:
    for model, state in sampled(profile, SEEDS, STATES):
        for event in model.enabled(state):
            assert not list(false_conditions(model, state, event))


@every_profile
def test_events_whose_guards_exclude_each_other_are_never_enabled_together(profile: Profile) -> None:
    for model, state in sampled(profile, SEEDS, STATES):
        conditions = Conditions(Reader(model.system, Cells(model.system)), model.layout)
        excluded = excluding([intervals(conditions.of(transition)) for transition in model.system.transitions])
        enabled = of(model.enabled(state))
        assert not any(excluded[event] & enabled for event in model.enabled(state))


@every_profile
def test_events_that_leave_a_safe_place_can_be_fired_alone(profile: Profile) -> None:
    for model, state in sampled(profile, SEEDS, STATES):
        for event in model.enabled(state):
            if model.relations.safe[event]:
                place = model.relations.moved_places[event][0]
                assert can_be_fired_alone(model, state, members(model.relations.leaving, place))


@every_profile
def test_stubborn_sets_can_be_fired_alone(profile: Profile) -> None:
    for model, state in sampled(profile, SEEDS, STATES):
        for event in model.enabled(state):
            assert can_be_fired_alone(model, state, stubborn_set(model, state, event))


@every_profile
@pytest.mark.parametrize("refined", [False, True], ids=["support", "future"])
def test_processes_that_share_nothing_with_the_others_can_go_on_alone(profile: Profile, refined: bool) -> None:
    for model, state in sampled(profile, SEEDS, STATES):
        for process in range(len(model.system.processes)):
            events = events_of_overmans_set(model, state, process, refined)
            if model.enabled(state) & events:
                assert can_be_fired_alone(model, state, events)


@every_profile
def test_an_event_that_changes_a_watch_is_visible(profile: Profile) -> None:
    for model, state in sampled(profile, SEEDS, STATES):
        for event in model.enabled(state):
            for after in model.step(state, event).states:
                if watched(model, state) != watched(model, after):
                    assert model.relations.visible[event]


def watched(model: Related, state: State) -> list[object]:
    result: list[object] = []
    for invariant in model.system.invariants:
        try:
            result.append(evaluate(model.system, state, invariant.test))
        except EvaluationFault as fault:
            result.append(str(fault))
    return result


def traffic(seed: int, build: Callable[..., Relations] = build_relations) -> Iterator[tuple[Related, State]]:
    yield from examinable(related(system_of(random_traffic(seed)), build), STATES)


def test_relations_hold_if_receives_wait_for_messages_of_certain_types() -> None:
    for seed in SEEDS:
        for model, state in traffic(seed):
            assert not complaint(model, state), random_traffic(seed)


def shows(mutant: Mutant, build: Callable[..., Relations] = build_relations) -> bool:
    if mutant.profile.startswith("stacks "):
        return stack_complaint(mutant.seed, mutant.profile.removeprefix("stacks "), STATES, build) != ""
    if mutant.profile.startswith("outgrown "):
        return bool(outgrowing_complaint(mutant.seed, mutant.profile.removeprefix("outgrown "), MOST_STATES, build))
    if mutant.profile == "typed messages":
        return any(complaint(*each) for each in traffic(mutant.seed, build))
    return any(complaint(*each) for each in sampled(PROFILES[mutant.profile], [mutant.seed], STATES, build))


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_mistake_shows(mutant: Mutant) -> None:
    assert not shows(mutant)
    with mutant.applied() as build:
        assert shows(mutant, build)
