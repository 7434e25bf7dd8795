"""The figures of GHP92, *State space caching revisited*: Table 1 and what section 4 says about DTP in a small cache.

Algorithm 2, with sleep sets, is tested as printed (`mode=paper`) and as corrected: the paper's loses states
(docs/errata.md), though not of these protocols.
"""

from __future__ import annotations

import pytest
from tests.papers.searching import DTP, PFTP, Figures, depth_first, figures, needs_dtp, needs_pftp

from scrimp import Cache, Full, NoReduction, Reduction, Sleep, Verdict

ALGORITHM_1 = NoReduction()
ALGORITHM_2 = Sleep(mode="paper")


@needs_dtp
@pytest.mark.parametrize(
    ("reduction", "expected", "matched"),
    [
        pytest.param(ALGORITHM_1, Figures(251_409, 648_467), 397_058, id="Algorithm 1"),
        pytest.param(ALGORITHM_2, Figures(251_409, 262_561), 11_152, id="Algorithm 2"),
        pytest.param(Sleep(), Figures(251_409, 261_334), 9_925, id="exact"),
    ],
)
def test_dtp_in_table_1(reduction: Reduction, expected: Figures, matched: int) -> None:
    found = depth_first(DTP, reduction).statistics
    assert (found.states, found.transitions + 1, found.matched) == (*expected, matched)
    assert found.depth == 545


@needs_pftp
def test_pftp_in_table_1_has_the_shape_that_was_printed() -> None:
    """The corpus has a later version of PFTP: 439,895 states where the paper has 409,257. There sleep sets left 179,304
    of 771,265 matches, 23%."""
    without, printed, exact = (figures(PFTP, reduction) for reduction in (ALGORITHM_1, ALGORITHM_2, Sleep()))
    assert without == Figures(439_895, 1_301_624)
    assert printed.states == exact.states == without.states
    assert 0.15 < printed.matched / without.matched < 0.30
    assert 0.15 < exact.matched / without.matched < 0.30


@needs_dtp
@pytest.mark.parametrize("states", [300, 500, 700])
def test_dtp_with_sleep_sets_fits_a_cache_little_larger_than_the_longest_path(states: int) -> None:
    """Section 4: complete with about 500 states, and at most about four times the transitions. The path has fewer
    states than it is deep, as depth counts each statement of an atomic sequence."""
    everything = depth_first(DTP, Sleep())
    little = depth_first(DTP, Sleep(), Cache(states=states))
    assert little.verdict is Verdict.PROVED
    assert little.statistics.stored_peak == states
    assert little.statistics.transitions < 4 * everything.statistics.transitions


@needs_dtp
def test_a_cache_that_evicts_makes_paths_longer() -> None:
    depths = [depth_first(DTP, Sleep(), store).statistics.depth for store in (Full(), Cache(states=700))]
    assert depths == [545, 648]
