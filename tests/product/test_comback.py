"""The ComBack method finds what the reference finds, however often hashes collide and however few full states are
kept."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.product.cases import in_rounds, small_systems, violations
from tests.product.strategies import Combination, comback_searches, name, some
from tests.product.test_models import MODELS, expectation

import scrimp
from scrimp.verdict import Verdict


@in_rounds
def test_it_counts_what_the_reference_counts(kind: str, first_seed: int) -> None:
    for case in small_systems(kind, 1_000_000 + first_seed, largest=500):
        for order, store, reduction in some(comback_searches(), case.seed, 3):
            statistics = scrimp.explore(case.model, order=order, store=store, reduction=reduction).statistics
            seen = case.seen
            assert (
                statistics.states,
                statistics.transitions,
                statistics.deadlocks,
                statistics.faults,
                statistics.violations,
            ) == (len(seen.states), seen.transitions, seen.deadlocks, seen.faults, violations(case)), (
                case.seed,
                order,
                store,
            )
            if order.has_levels:
                assert statistics.levels == seen.levels, (case.seed, store)


@in_rounds
def test_it_gives_the_verdict_of_the_reference_with_a_trace(kind: str, first_seed: int) -> None:
    for case in small_systems(kind, 1_100_000 + first_seed, largest=500):
        expected = Verdict.REFUTED if case.seen.deadlocks or violations(case) else Verdict.PROVED
        for order, store, reduction in some(comback_searches(), case.seed, 3):
            result = scrimp.check(case.model, order=order, store=store, reduction=reduction, violations="all")
            assert result.verdict is expected, (case.seed, order, store)
            assert bool(result.violations) == (expected is Verdict.REFUTED)


SMALL_MODELS = [path for path in MODELS if int(expectation(path)["states"]) < 2_000]


@pytest.mark.parametrize("combination", comback_searches()[::4], ids=name)
@pytest.mark.parametrize("path", SMALL_MODELS, ids=lambda path: path.name)
def test_it_finds_what_our_models_state(path: Path, combination: Combination) -> None:
    order, store, reduction = combination
    result = scrimp.check(scrimp.load(path), order=order, store=store, reduction=reduction)
    assert result.verdict.value == expectation(path)["verdict"]


def test_events_fired_to_rebuild_states_are_counted() -> None:
    model = scrimp.load(Path(__file__).parents[2] / "models" / "paxos.pml")

    def events(strategy: str) -> int:
        store = scrimp.Comback(strategy=strategy, queue="states", delay=False)
        statistics = scrimp.explore(model, store=store, depth=12).statistics
        assert statistics.events_executed is not None
        assert statistics.events_executed >= statistics.transitions + statistics["reconstructions.events"]
        return int(statistics["reconstructions.events"])

    assert events("F") < events("none")


@pytest.mark.parametrize("order", [scrimp.BreadthFirst(), scrimp.DepthFirst()], ids=str)
def test_without_a_memory_limit_the_tables_do_not_take_all_memory(order: scrimp.Order) -> None:
    model = scrimp.load(Path(__file__).parents[2] / "models" / "sliding_window.dve")

    def taken(store: scrimp.Store) -> int:
        return scrimp.explore(model, order=order, store=store).statistics.bytes_peak

    assert taken(scrimp.Comback()) < taken(scrimp.Full())
