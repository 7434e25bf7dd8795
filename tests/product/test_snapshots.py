"""A search that keeps only some levels visits what the reference visits, perhaps more than once, and terminates."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.product.cases import in_rounds, small_systems, violations
from tests.product.strategies import Combination, name, snapshot_searches, some
from tests.product.test_models import MODELS, expectation

import scrimp
from scrimp.verdict import Verdict


@in_rounds
def test_it_visits_what_the_reference_visits(kind: str, first_seed: int) -> None:
    for case in small_systems(kind, 1_200_000 + first_seed, largest=500):
        for order, store, reduction in some(snapshot_searches(), case.seed, 3):
            result = scrimp.explore(case.model, order=order, store=store, reduction=reduction, audit=True)
            statistics, seen = result.statistics, case.seen
            assert result.verdict is Verdict.PROVED, (case.seed, store)
            assert statistics.states == len(seen.states), (case.seed, store)
            assert statistics.transitions >= seen.transitions, (case.seed, store)
            assert statistics.deadlocks >= seen.deadlocks, (case.seed, store)
            assert bool(statistics.deadlocks) == bool(seen.deadlocks), (case.seed, store)
            assert bool(statistics.faults) == bool(seen.faults), (case.seed, store)
            assert bool(statistics.violations) == bool(violations(case)), (case.seed, store)
            assert not statistics["snapshots.kept"] or statistics["snapshots.kept"] <= len(seen.states), (
                case.seed,
                store,
            )


@in_rounds
def test_it_gives_the_verdict_of_the_reference_with_a_trace(kind: str, first_seed: int) -> None:
    for case in small_systems(kind, 1_300_000 + first_seed, largest=500):
        expected = Verdict.REFUTED if case.seen.deadlocks or violations(case) else Verdict.PROVED
        for order, store, reduction in some(snapshot_searches(), case.seed, 3):
            result = scrimp.check(case.model, order=order, store=store, reduction=reduction, violations="all")
            assert result.verdict is expected, (case.seed, store)
            assert bool(result.violations) == (expected is Verdict.REFUTED)


SMALL_MODELS = [path for path in MODELS if int(expectation(path)["states"]) < 20_000]


@pytest.mark.parametrize("combination", snapshot_searches()[::2], ids=name)
@pytest.mark.parametrize("path", SMALL_MODELS, ids=lambda path: path.name)
def test_it_finds_what_our_models_state(path: Path, combination: Combination) -> None:
    order, store, reduction = combination
    result = scrimp.check(scrimp.load(path), order=order, store=store, reduction=reduction)
    assert result.verdict.value == expectation(path)["verdict"]


def test_without_permanent_snapshots_a_search_needs_a_limit() -> None:
    model = scrimp.load(SMALL_MODELS[0])
    store = scrimp.Snapshots(permanent=False)
    with pytest.raises(
        scrimp.OptionError, match="needs --depth: without permanent snapshots the search may never finish"
    ):
        scrimp.explore(model, store=store)
    result = scrimp.explore(model, store=store, depth=10_000)
    assert result.verdict is Verdict.PROVED
