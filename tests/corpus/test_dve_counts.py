"""Every DVE instance of the corpus has the counts that other tools gave, whatever the order and the compression."""

from __future__ import annotations

import os

import pytest
from tests.corpus.corpus import DveCount, dve_counts, needs_corpus

import scrimp

ALL = bool(os.environ.get("SCRIMP_CORPUS_ALL"))
LARGEST = int(os.environ.get("SCRIMP_CORPUS_STATES", "5_000_000" if ALL else "150_000"))
# Larger instances are searched in both orders with two of the compressions, and neighbours in the table with others,
# so that the whole corpus stays a matter of minutes.
EVERY_COMBINATION_UP_TO = LARGEST if ALL else 30_000

BREADTH_FIRST: scrimp.Order = scrimp.BreadthFirst()
DEPTH_FIRST: scrimp.Order = scrimp.DepthFirst()
STORES = (scrimp.Full(compress="none"), scrimp.Full(compress="tree"), scrimp.Full(compress="cleary"))

COUNTS = dve_counts(LARGEST)


def strategies(count: DveCount) -> list[tuple[scrimp.Order, scrimp.Full]]:
    if count.states <= EVERY_COMBINATION_UP_TO:
        return [(order, store) for store in STORES for order in (BREADTH_FIRST, DEPTH_FIRST)]
    place = COUNTS.index(count)
    return [(BREADTH_FIRST, STORES[place % 3]), (DEPTH_FIRST, STORES[(place + 1) % 3])]


@needs_corpus
@pytest.mark.parametrize("count", COUNTS, ids=lambda count: count.instance)
def test_counts_are_those_of_other_tools(count: DveCount) -> None:
    model = scrimp.load(count.path, ignore_property=True)
    for order, store in strategies(count):
        statistics = scrimp.explore(model, order=order, store=store).statistics
        assert statistics.states == count.states, (order, store)
        assert count.transitions in (None, statistics.transitions), (order, store)
        assert count.deadlocks in (None, statistics.deadlocks), (order, store)
        if order == BREADTH_FIRST and count.levels is not None:
            assert statistics.levels == count.levels
