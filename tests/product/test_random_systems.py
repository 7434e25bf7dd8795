"""Every search that leaves nothing out and evicts nothing finds what the reference finds, on random systems."""

from __future__ import annotations

from tests.product.cases import in_rounds, reported_unreached, small_systems, unreached, violations
from tests.product.strategies import full_searches

from scrimp import check, explore
from scrimp.verdict import Verdict


@in_rounds
def test_every_full_search_counts_what_the_reference_counts(kind: str, first_seed: int) -> None:
    for case in small_systems(kind, first_seed):
        for order, store, reduction in full_searches():
            statistics = explore(case.model, order=order, store=store, reduction=reduction).statistics
            seen = case.seen
            assert (
                statistics.states,
                statistics.transitions,
                statistics.deadlocks,
                statistics.faults,
                statistics.violations,
            ) == (len(seen.states), seen.transitions, seen.deadlocks, seen.faults, violations(case)), (
                case.seed,
                order,
                store,
            )
            if order.has_levels:
                assert statistics.levels == seen.levels, (case.seed, store)


@in_rounds
def test_every_full_search_gives_the_verdict_of_the_reference(kind: str, first_seed: int) -> None:
    for case in small_systems(kind, 100_000 + first_seed):
        expected = Verdict.REFUTED if case.seen.deadlocks or violations(case) else Verdict.PROVED
        for order, store, reduction in full_searches():
            result = check(case.model, order=order, store=store, reduction=reduction)
            assert result.verdict == expected, (case.seed, order, store)


@in_rounds
def test_every_violation_has_a_trace_that_the_reference_follows_to_it(kind: str, first_seed: int) -> None:
    """A trace is replayed before it is shown: `check` raises if that fails."""
    for case in small_systems(kind, 200_000 + first_seed):
        for order, store, reduction in full_searches():
            result = check(case.model, order=order, store=store, reduction=reduction, violations="all")
            assert result.statistics.violations == violations(case) + case.seen.deadlocks, (case.seed, order, store)
            assert bool(result.violations) == (result.statistics.violations > 0)


@in_rounds
def test_every_full_search_lists_transitions_that_are_never_executed(kind: str, first_seed: int) -> None:
    """Except transitions after a fault in a chain that native code fires as one: they count as executed."""
    for case in small_systems(kind, 300_000 + first_seed):
        if case.seen.faults:
            continue
        for order, store, reduction in full_searches():
            result = explore(case.model, order=order, store=store, reduction=reduction)
            assert reported_unreached(result) == unreached(case), (case.seed, order, store)
