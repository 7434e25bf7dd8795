"""A search that keeps only some levels visits all states of the corpus' models, fires all transitions, and
terminates."""

from __future__ import annotations

import os
import random

import pytest
from tests.corpus.corpus import DveCount, dve_counts, needs_corpus

import scrimp
from scrimp.strategies.streams import LEAVING

LARGEST = 1_000_000 if os.environ.get("SCRIMP_CORPUS_ALL") else 2_000
COUNTS = dve_counts(LARGEST)


def random_hierarchy(instance: str, number: int) -> str:
    """Up to three caches, of any kind; the same ones every time."""
    chosen = random.Random(f"{instance} {number}")
    caches = [
        f"({chosen.choice(['', 'c'])}{chosen.randint(1, 4)},{chosen.choice(list(LEAVING))},{chosen.randint(2, 8)})"
        for _ in range(chosen.randint(1, 3))
    ]
    return "".join(caches) + chosen.choice(["", "*"])


def stores(instance: str) -> list[scrimp.Snapshots]:
    hierarchies = ["frontier-safety-net", "pebble", *(random_hierarchy(instance, number) for number in range(2))]
    return [scrimp.Snapshots(caches=caches) for caches in hierarchies]


@needs_corpus
@pytest.mark.parametrize("count", COUNTS, ids=lambda count: count.instance)
def test_the_whole_graph_is_visited(count: DveCount) -> None:
    model = scrimp.load(count.path, ignore_property=True)
    for store in stores(count.instance):
        found = scrimp.explore(model, store=store, audit=True)
        statistics = found.statistics
        assert found.verdict is scrimp.Verdict.PROVED, store
        assert statistics.states_exact, store
        assert statistics.states == count.states, store
        assert statistics.entered >= count.states, store
        if count.transitions is not None:
            has_redundant = statistics.entered > statistics.states
            assert statistics.transitions >= count.transitions, store
            assert has_redundant or statistics.transitions == count.transitions, store
        if count.deadlocks is not None:
            assert statistics.deadlocks >= count.deadlocks, store
            assert bool(statistics.deadlocks) == bool(count.deadlocks), store
        assert statistics["snapshots.kept"] <= count.states, store


@needs_corpus
@pytest.mark.parametrize(
    "count", [count for count in COUNTS if count.deadlocks is not None], ids=lambda count: count.instance
)
def test_a_deadlock_is_found_by_a_shortest_trace(count: DveCount) -> None:
    model = scrimp.load(count.path, ignore_property=True)
    nearest = lengths(scrimp.check(model))
    assert bool(nearest) == bool(count.deadlocks)
    for store in stores(count.instance)[::2]:
        assert lengths(scrimp.check(model, store=store)) == nearest, store


def lengths(result: scrimp.Result) -> list[int]:
    """The lengths of the traces that were found: one if there is a violation."""
    return [len(violation.trace.steps) for violation in result.violations if violation.trace is not None]
