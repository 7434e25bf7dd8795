"""Stores that trust a hash lose as much of the corpus as they say: nothing with wide hashes, some with narrow ones."""

from __future__ import annotations

from math import log2, sqrt

import pytest
from tests.corpus.corpus import DveCount, dve_counts, needs_corpus

import scrimp

# One in so many of the instances that are large enough to lose states and small enough for a test that takes seconds.
STEP = 12
COUNTS = [count for count in dve_counts(1_000_000) if count.states >= 20_000][::STEP]
ORDERS: tuple[scrimp.Order, ...] = (scrimp.BreadthFirst(), scrimp.DepthFirst())


def wide(count: DveCount) -> list[scrimp.Store]:
    return [scrimp.Compact(), scrimp.Bitstate(bytes=64 * count.states, functions=14)]


def narrow(count: DveCount) -> list[scrimp.Store]:
    """About one state in a hundred is lost."""
    return [scrimp.Compact(hash=round(log2(count.states)) + 6), scrimp.Bitstate(bytes=2 * count.states, functions=3)]


@needs_corpus
@pytest.mark.parametrize("count", COUNTS, ids=lambda count: count.instance)
def test_with_wide_hashes_nothing_is_lost(count: DveCount) -> None:
    model = scrimp.load(count.path, ignore_property=True)
    for order in ORDERS:
        for store in wide(count):
            statistics = scrimp.explore(model, order=order, store=store).statistics
            assert statistics.states == count.states, (order, store)
            assert statistics["expected_omissions"] < 0.01, (order, store)


@needs_corpus
@pytest.mark.parametrize("count", COUNTS, ids=lambda count: count.instance)
def test_with_narrow_hashes_about_as_many_states_are_lost_as_estimated(count: DveCount) -> None:
    """States reachable only through lost states are lost as well; the estimate does not include them."""
    model = scrimp.load(count.path, ignore_property=True)
    for order in ORDERS:
        for store in narrow(count):
            statistics = scrimp.explore(model, order=order, store=store).statistics
            lost, expected = count.states - statistics.states, statistics["expected_omissions"]
            chance = 5 * sqrt(expected)
            assert 0.9 * expected - chance < lost < 4 * expected + chance, (order, store)
