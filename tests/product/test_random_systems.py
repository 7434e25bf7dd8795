"""Every allowed combination of order, store and reduction sees what the reference sees, on random systems."""

from __future__ import annotations

import pytest
from tests.product.strategies import allowed_strategies
from tests.random_systems import RANDOM_SYSTEMS, random_system

from scrimp import check, explore
from scrimp.frontends.model import Model
from scrimp.result import Verdict
from scrimp.system import reference
from scrimp.system.expressions import Expression
from scrimp.system.system import System

LARGEST = 3_000
SEEDS_PER_TEST = 20


def small_systems(first_seed: int) -> list[tuple[int, System, reference.Exploration]]:
    found = []
    for seed in range(first_seed, first_seed + SEEDS_PER_TEST):
        system = random_system(seed)
        try:
            found.append((seed, system, reference.explore(system, limit=LARGEST)))
        except reference.TooManyStates:
            continue
    return found


class NoScope:
    """Random systems have no syntax of their own."""

    def expression(self, text: str) -> Expression:
        raise NotImplementedError


def model_of(system: System, seed: int) -> Model:
    return Model(path=f"random system {seed}", language="system", system=system, property_process=None, scope=NoScope())


def violated_somewhere(system: System, seen: reference.Exploration) -> bool:
    """Whether a state or event of the reference's exploration violates what `check` asks."""
    return bool(seen.deadlocks or seen.faults) or any(
        _violates(system, state, invariant.test) for state in seen.states for invariant in system.invariants
    )


def _violates(system: System, state: reference.State, test: Expression) -> bool:
    try:
        return reference.evaluate(system, state, test) == 0
    except reference.EvaluationFault:
        return True


@pytest.mark.parametrize("first_seed", range(0, 10 * RANDOM_SYSTEMS, SEEDS_PER_TEST))
def test_every_strategy_counts_what_the_reference_counts(first_seed: int) -> None:
    for seed, system, seen in small_systems(first_seed):
        for order, store, reduction in allowed_strategies():
            statistics = explore(model_of(system, seed), order=order, store=store, reduction=reduction).statistics
            assert (
                statistics.states,
                statistics.transitions,
                statistics.deadlocks,
                statistics.faults,
            ) == (len(seen.states), seen.transitions, seen.deadlocks, seen.faults), (seed, order, store)
            if not order.holds_its_path:
                assert statistics.levels == seen.levels, (seed, store)


@pytest.mark.parametrize("first_seed", range(100_000, 100_000 + 5 * RANDOM_SYSTEMS, SEEDS_PER_TEST))
def test_every_strategy_gives_the_verdict_of_the_reference(first_seed: int) -> None:
    for seed, system, seen in small_systems(first_seed):
        expected = Verdict.REFUTED if violated_somewhere(system, seen) else Verdict.PROVED
        for order, store, reduction in allowed_strategies():
            result = check(model_of(system, seed), order=order, store=store, reduction=reduction)
            assert result.verdict == expected, (seed, order, store)
