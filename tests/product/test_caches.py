"""Every cache finds what the reference finds, on random systems, however small it is."""

from __future__ import annotations

from functools import partial

from tests.product.caches import with_the_smallest_cache
from tests.product.cases import Case, in_rounds, small_systems, violations
from tests.product.strategies import Combination, caching_searches, some

from scrimp import check, explore
from scrimp.strategies import NoReduction
from scrimp.verdict import Verdict

STEP = 40

# A cache may visit states far more often than there are states.
LARGEST = 300


def searches(case: Case) -> list[Combination]:
    allowed = some(caching_searches(), case.seed, STEP)
    return [each for each in allowed if case.system.claim is None or each[2] == NoReduction()]


def most(case: Case) -> float:
    """The largest acceptable estimate of the number of states."""
    return 1 + 1.02 * len(case.seen.states)


def least(case: Case) -> float:
    return 0.98 * len(case.seen.states) - 1


@in_rounds
def test_every_cache_visits_what_the_reference_visits_and_gives_its_verdict(kind: str, first_seed: int) -> None:
    for case in small_systems(kind, 800_000 + first_seed, largest=LARGEST):
        expected = Verdict.REFUTED if case.seen.deadlocks or violations(case) else Verdict.PROVED
        for order, store, reduction in searches(case):
            explored = with_the_smallest_cache(store, partial(explore, case.model, order=order, reduction=reduction))
            numbers = explored.statistics
            assert bool(numbers.violations) == bool(violations(case)), (case.seed, explored.method.store, reduction)
            assert bool(numbers.deadlocks) == bool(case.seen.deadlocks), (case.seed, explored.method.store, reduction)
            assert numbers.states <= most(case), (case.seed, explored.method.store, reduction)
            if reduction.keeps_all_states:
                assert numbers.states >= least(case), (case.seed, explored.method.store, reduction)
            checked = check(case.model, order=order, store=explored.method.store, reduction=reduction, as_written=True)
            assert checked.verdict == expected, (case.seed, explored.method.store, reduction)
