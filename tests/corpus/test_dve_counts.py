"""Every DVE instance of the corpus has the counts that other tools gave, whatever the order and the compression."""

from __future__ import annotations

import os

import pytest
from tests.corpus.corpus import DveCount, dve_counts, needs_corpus

import scrimp

LARGEST = int(os.environ.get("SCRIMP_CORPUS_STATES", 5_000_000))
# Above this size one order per compression is run, so that the whole corpus stays a matter of minutes.
ALL_COMBINATIONS = 300_000

BREADTH_FIRST: scrimp.Order = scrimp.BreadthFirst()
DEPTH_FIRST: scrimp.Order = scrimp.DepthFirst()


def strategies(count: DveCount) -> list[tuple[scrimp.Order, scrimp.Full]]:
    stores = [scrimp.Full(compress="none"), scrimp.Full(compress="tree"), scrimp.Full(compress="cleary")]
    everything = [(order, store) for store in stores for order in (BREADTH_FIRST, DEPTH_FIRST)]
    return everything if count.states <= ALL_COMBINATIONS else [everything[0], everything[3], everything[4]]


@needs_corpus
@pytest.mark.parametrize("count", dve_counts(LARGEST), ids=lambda count: count.instance)
def test_counts_are_those_of_other_tools(count: DveCount) -> None:
    model = scrimp.load(count.path, ignore_property=True)
    for order, store in strategies(count):
        statistics = scrimp.explore(model, order=order, store=store).statistics
        assert statistics.states == count.states, (order, store)
        assert count.transitions in (None, statistics.transitions), (order, store)
        assert count.deadlocks in (None, statistics.deadlocks), (order, store)
        if order == BREADTH_FIRST and count.levels is not None:
            assert statistics.levels == count.levels
