"""Stores that trust a hash prove nothing; what they find is there, and with wide hashes they find everything."""

from __future__ import annotations

from tests.product.cases import Case, in_rounds, small_systems, violations
from tests.product.strategies import NARROW_HASHES, WIDE_HASHES, Combination, inexact_searches, some

from scrimp import check, explore
from scrimp.strategies import Full, NoReduction, Store
from scrimp.verdict import Verdict


def searches(case: Case, stores: list[Store]) -> list[Combination]:
    """A never claim forbids reductions."""
    dealt = some(inexact_searches(stores), case.seed, 4)
    return [each for each in dealt if case.system.claim is None or each[2] == NoReduction()]


def is_flawed(case: Case) -> bool:
    return bool(case.seen.deadlocks or violations(case))


@in_rounds
def test_with_wide_hashes_a_search_counts_what_the_full_one_counts(kind: str, first_seed: int) -> None:
    for case in small_systems(kind, 700_000 + first_seed):
        for order, store, reduction in searches(case, WIDE_HASHES):
            inexact = explore(case.model, order=order, store=store, reduction=reduction).statistics
            exact = explore(case.model, order=order, store=Full(), reduction=reduction).statistics
            assert (inexact.states, inexact.transitions, inexact.deadlocks, inexact.violations, inexact.levels) == (
                exact.states,
                exact.transitions,
                exact.deadlocks,
                exact.violations,
                exact.levels,
            ), (case.seed, order, store, reduction)


@in_rounds
def test_with_wide_hashes_violations_are_found_and_nothing_is_proved(kind: str, first_seed: int) -> None:
    for case in small_systems(kind, 800_000 + first_seed):
        expected = Verdict.REFUTED if is_flawed(case) else Verdict.UNDETERMINED
        for order, store, reduction in searches(case, WIDE_HASHES):
            assert check(case.model, order=order, store=store, reduction=reduction).verdict is expected, case.seed


@in_rounds
def test_with_narrow_hashes_traces_can_be_replayed(kind: str, first_seed: int) -> None:
    """`check` raises if a trace cannot be replayed."""
    for case in small_systems(kind, 900_000 + first_seed):
        for order, store, reduction in searches(case, NARROW_HASHES):
            result = check(case.model, order=order, store=store, reduction=reduction, violations="all")
            assert result.verdict is Verdict.UNDETERMINED or is_flawed(case), (case.seed, order, store, reduction)
            assert bool(result.violations) == (result.statistics.violations > 0)
            assert result.unreached == ()
            if reduction == NoReduction():
                assert result.statistics.states <= len(case.seen.states)
