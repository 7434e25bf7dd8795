"""A search that counts references visits each state once; with too little room it still sees all that there is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.product.cases import in_rounds, small_systems, violations
from tests.product.strategies import Combination, name, pseudoroot_searches, some
from tests.product.test_models import MODELS, expectation

import scrimp
from scrimp import Pseudoroot
from scrimp.result import Verdict


@in_rounds
def test_each_state_is_visited_once_and_the_verdict_is_that_of_the_reference(kind: str, first_seed: int) -> None:
    for case in small_systems(kind, 1_200_000 + first_seed, largest=500):
        expected = Verdict.REFUTED if case.seen.deadlocks or violations(case) else Verdict.PROVED
        for order, store, reduction in some(pseudoroot_searches(), case.seed, 5):
            explored = scrimp.explore(case.model, order=order, store=store, reduction=reduction).statistics
            assert explored.states_exact
            assert explored.entered == explored.states == len(case.seen.states), (case.seed, store)
            assert explored.transitions == case.seen.transitions, (case.seed, store)
            assert explored.deadlocks == case.seen.deadlocks, (case.seed, store)
            assert explored.violations == violations(case), (case.seed, store)
            assert explored.most_stored <= explored.states
            assert explored.pseudoroot.counted_states == explored.states
            checked = scrimp.check(case.model, order=order, store=store, reduction=reduction, violations="all")
            assert checked.verdict is expected, (case.seed, store)


@in_rounds
def test_with_little_room_all_states_are_visited(kind: str, first_seed: int) -> None:
    for case in small_systems(kind, 1_300_000 + first_seed, largest=200):
        expected = Verdict.REFUTED if case.seen.deadlocks or violations(case) else Verdict.PROVED
        for order, store, _ in some(pseudoroot_searches(), case.seed, 5):
            assert isinstance(store, Pseudoroot)
            for room in (1, len(case.seen.states) // 3 or 1, len(case.seen.states)):
                small = replace(store, states=room)
                limits = scrimp.Limits(time=1)
                explored = scrimp.explore(case.model, order=order, store=small, limits=limits, audit=True)
                if explored.verdict is Verdict.UNDETERMINED:
                    assert room < len(case.seen.states), (case.seed, small)
                    continue
                assert explored.statistics.states == len(case.seen.states), (case.seed, small)
                assert bool(explored.statistics.deadlocks) == bool(case.seen.deadlocks), (case.seed, small)
                checked = scrimp.check(case.model, order=order, store=small)
                assert checked.verdict is expected, (case.seed, small)


SMALL_MODELS = [path for path in MODELS if int(expectation(path)["states"]) < 20_000]


@pytest.mark.parametrize("combination", pseudoroot_searches()[::2], ids=name)
@pytest.mark.parametrize("path", SMALL_MODELS, ids=lambda path: path.name)
def test_it_finds_what_our_models_state(path: Path, combination: Combination) -> None:
    order, store, reduction = combination
    result = scrimp.check(scrimp.load(path), order=order, store=store, reduction=reduction)
    assert result.verdict.value == expectation(path)["verdict"]


def test_the_first_trace_is_a_shortest_one_breadth_first() -> None:
    model = scrimp.load(next(path for path in MODELS if path.name == "philosophers.dve"))
    full = scrimp.check(model)
    for store in (Pseudoroot(source="counted"), Pseudoroot(source="counted", next="fewest")):
        found = scrimp.check(model, store=store)
        assert found.trace is not None
        assert full.trace is not None
        assert len(found.trace.steps) == len(full.trace.steps)
        assert scrimp.explore(model, store=store).statistics.levels == scrimp.explore(model).statistics.levels


def test_a_model_that_cannot_be_taken_backwards_is_refused_with_what_would_do() -> None:
    model = scrimp.load(next(path for path in MODELS if path.name == "atomic_counter.dve"))
    with pytest.raises(scrimp.OptionError, match="source=counted counts it in a search before"):
        scrimp.explore(model, store=Pseudoroot())
