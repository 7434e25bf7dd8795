"""Every Promela model of the corpus has the states and transitions that SPIN counts without optimisations."""

from __future__ import annotations

import os

import pytest
from tests.corpus.corpus import needs_corpus
from tests.corpus.promela import PromelaCount, load, promela_counts

import scrimp

LARGEST = 10**9 if os.environ.get("SCRIMP_CORPUS_ALL") else 25_000
DEPTHS_UP_TO = LARGEST if os.environ.get("SCRIMP_CORPUS_ALL") else 20_000


@needs_corpus
@pytest.mark.parametrize("count", promela_counts(LARGEST), ids=str)
def test_counts_are_those_of_spin(count: PromelaCount) -> None:
    model = load(count)
    for order in (scrimp.BreadthFirst(), scrimp.DepthFirst()):
        statistics = scrimp.explore(model, order=order).statistics
        assert (statistics.states, statistics.transitions) == (count.states, count.edges), order


@needs_corpus
@pytest.mark.parametrize("count", promela_counts(LARGEST), ids=str)
def test_scrimp_finds_an_error_exactly_when_spin_does(count: PromelaCount) -> None:
    statistics = scrimp.explore(load(count)).statistics
    assert bool(statistics.deadlocks or statistics.violations) == bool(count.errors)


@needs_corpus
@pytest.mark.parametrize("count", promela_counts(DEPTHS_UP_TO), ids=str)
def test_depth_first_goes_as_deep_as_spin(count: PromelaCount) -> None:
    assert scrimp.explore(load(count), order=scrimp.DepthFirst()).statistics.depth == count.depth
