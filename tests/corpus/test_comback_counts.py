"""The ComBack method has the counts of other tools even if hashes are so narrow that nearly every state collides."""

from __future__ import annotations

import os
from itertools import product

import pytest
from tests.corpus.corpus import DveCount, dve_counts, needs_corpus

import scrimp
from scrimp.strategies import parse_store

LARGEST = 100_000 if os.environ.get("SCRIMP_CORPUS_ALL") else 3_000
SEARCHES_OF_EACH = 4  # neighbours in the table have others

STRATEGIES = ("R", "F", "H", "D", "L", "F20-H80", "F80-D20", "none")
CACHES = ("1", "10", "1%")
WAYS = ("delay=false,queue=states", "delay=true,queue=states", "delay=false,queue=numbers", "delay=true,queue=numbers")
BREADTH_FIRST = list(product(STRATEGIES, CACHES, WAYS))
DEPTH_FIRST = list(product(STRATEGIES, CACHES, ("delay=false", "delay=true")))

COUNTS = dve_counts(LARGEST)


def hash_bits(states: int) -> int:
    return 4 if states <= 1_000 else 8 if states <= 10_000 else 12


def store(count: DveCount, strategy: str, cache: str, way: str) -> scrimp.Store:
    cached = "" if strategy == "none" else f",cache={cache}"
    candidates = ",candidates=100" if "delay=true" in way else ""
    return parse_store(f"comback:hash={hash_bits(count.states)},strategy={strategy}{cached},{way}{candidates}")


def searches(count: DveCount) -> list[tuple[scrimp.Order, scrimp.Store]]:
    """Some of all, two breadth-first for each depth-first one."""
    first = COUNTS.index(count) * SEARCHES_OF_EACH * 7
    chosen: list[tuple[scrimp.Order, scrimp.Store]] = []
    for number in range(first, first + 7 * SEARCHES_OF_EACH, 7):
        chosen.append((scrimp.BreadthFirst(), store(count, *BREADTH_FIRST[number % len(BREADTH_FIRST)])))
    chosen.append((scrimp.DepthFirst(), store(count, *DEPTH_FIRST[first % len(DEPTH_FIRST)])))
    return chosen


@needs_corpus
@pytest.mark.parametrize("count", COUNTS, ids=lambda count: count.instance)
def test_states_that_share_a_hash_are_distinguished(count: DveCount) -> None:
    model = scrimp.load(count.path, ignore_property=True)
    for order, chosen in searches(count):
        found = scrimp.explore(model, order=order, store=chosen)
        statistics = found.statistics
        assert found.verdict is scrimp.Verdict.PROVED, (order, chosen)
        assert statistics.states == count.states, (order, chosen)
        assert count.transitions in (None, statistics.transitions), (order, chosen)
        assert count.deadlocks in (None, statistics.deadlocks), (order, chosen)
        if isinstance(order, scrimp.BreadthFirst) and count.levels is not None:
            assert statistics.levels == count.levels
