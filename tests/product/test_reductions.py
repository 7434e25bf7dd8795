"""Every reduction finds what it promises to keep, on random systems."""

from __future__ import annotations

from tests.product.cases import Case, in_rounds, reported_unreached, small_systems, unreached, violations
from tests.product.strategies import Combination, deadlock_searches, reduced_searches, some

from scrimp import check, explore
from scrimp.statistics import Statistics
from scrimp.verdict import Verdict

# Reductions differ more than stores do; the systems of a round are searched under all of them.
STEP = 10


def searches(case: Case) -> list[Combination]:
    return some(reduced_searches(), case.seed, STEP) if case.system.claim is None else []


@in_rounds
def test_every_reduction_finds_what_it_keeps(kind: str, first_seed: int) -> None:
    """If it keeps all states, every event is fired somewhere: one that is asleep was fired before."""
    for case in small_systems(kind, 400_000 + first_seed):
        for order, store, reduction in searches(case):
            result = explore(case.model, order=order, store=store, reduction=reduction)
            assert bool(result.statistics.violations) == bool(violations(case)), (case.seed, store, reduction)
            assert_states_and_deadlocks(case, result.statistics, reduction.keeps_all_states)
            if reduction.keeps_all_states and not case.seen.faults:
                assert reported_unreached(result) == unreached(case), (case.seed, store, reduction)


@in_rounds
def test_without_a_proviso_all_deadlocks_are_kept(kind: str, first_seed: int) -> None:
    for case in small_systems(kind, 500_000 + first_seed):
        for order, store, reduction in some(deadlock_searches(), case.seed, STEP) if case.system.claim is None else []:
            statistics = explore(case.model, order=order, store=store, reduction=reduction).statistics
            assert_states_and_deadlocks(case, statistics, all_states=False)


def assert_states_and_deadlocks(case: Case, statistics: Statistics, all_states: bool) -> None:
    states = len(case.seen.states)
    assert statistics.deadlocks == case.seen.deadlocks, case.seed
    assert statistics.states == states if all_states else statistics.states <= states, case.seed


@in_rounds
def test_every_reduction_gives_the_verdict_of_the_reference(kind: str, first_seed: int) -> None:
    """And a trace for each violation it reports: one that the reference cannot follow is an error."""
    for case in small_systems(kind, 600_000 + first_seed):
        expected = Verdict.REFUTED if case.seen.deadlocks or violations(case) else Verdict.PROVED
        for order, store, reduction in searches(case):
            result = check(case.model, order=order, store=store, reduction=reduction)
            assert result.verdict == expected, (case.seed, store, reduction)
