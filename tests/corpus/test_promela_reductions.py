"""On the Promela models of the corpus, our reductions and SPIN's find what the full search finds; ours explore no more
states than SPIN's."""

from __future__ import annotations

import os

import pytest
from tests.corpus.corpus import needs_corpus
from tests.corpus.promela import PromelaCount, promela_counts
from tests.corpus.reductions import BEST, REDUCTIONS, explored, explored_by_spin, geometric_mean
from tests.differential.spin import needs_spin

import scrimp

COUNTS = promela_counts(10**9) if os.environ.get("SCRIMP_CORPUS_ALL") else promela_counts(30_000)[::4]


@needs_corpus
@pytest.mark.parametrize("count", COUNTS, ids=str)
def test_every_reduction_finds_what_the_full_search_finds(count: PromelaCount) -> None:
    full = explored(count, scrimp.NoReduction())
    for reduction in REDUCTIONS:
        reduced = explored(count, reduction)
        assert reduced.verdicts == full.verdicts, reduction
        assert reduced.states <= full.states, reduction


@needs_corpus
@needs_spin
@pytest.mark.parametrize("count", COUNTS, ids=str)
def test_spins_reduction_finds_the_same(count: PromelaCount) -> None:
    assert explored(count, BEST).verdicts == explored_by_spin(count).verdicts


@needs_corpus
@needs_spin
def test_our_best_reduction_explores_no_more_states_than_spins() -> None:
    ratios = [explored(count, BEST).states / explored_by_spin(count).states for count in COUNTS]
    assert geometric_mean(ratios) <= 1
