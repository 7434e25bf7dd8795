"""A search that counts references visits each state once; with too little memory it still visits all states."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.product.cases import Case, in_rounds, small_systems, violations
from tests.product.strategies import Combination, name, pseudoroot_searches, some
from tests.product.test_models import MODELS, expectation

import scrimp
from scrimp import Order, Pseudoroot, Store
from scrimp.result import Result
from scrimp.verdict import Verdict


def explored(case: Case, order: Order, store: Store, **options: Any) -> Result | None:
    """None if a transition cannot be inverted and the store requires that."""
    try:
        return scrimp.explore(case.model, order=order, store=store, **options)
    except scrimp.OptionError as refused:
        if "cannot be taken backwards" in str(refused) and "source=counted" not in str(store):
            return None
        raise


def expected(case: Case) -> Verdict:
    return Verdict.REFUTED if case.seen.deadlocks or violations(case) else Verdict.PROVED


@in_rounds
def test_each_state_is_visited_once_and_the_verdict_is_that_of_the_reference(kind: str, first_seed: int) -> None:
    for case in small_systems(kind, 1_200_000 + first_seed, largest=500):
        for order, store, _ in some(pseudoroot_searches(), case.seed, 8):
            result = explored(case, order, store)
            if result is None:
                continue
            numbers = result.statistics
            assert numbers.states_exact
            assert numbers.entered == numbers.states == len(case.seen.states), (case.seed, store)
            assert numbers.transitions == case.seen.transitions, (case.seed, store)
            assert numbers.deadlocks == case.seen.deadlocks, (case.seed, store)
            assert numbers.violations == violations(case), (case.seed, store)
            assert numbers.most_stored <= numbers.states, (case.seed, store)
            checked = scrimp.check(case.model, order=order, store=store, violations="all")
            assert checked.verdict is expected(case), (case.seed, store)


@in_rounds
def test_with_little_memory_all_states_are_visited(kind: str, first_seed: int) -> None:
    for case in small_systems(kind, 1_300_000 + first_seed, largest=200):
        for order, store, _ in some(pseudoroot_searches(), case.seed, 8):
            assert isinstance(store, Pseudoroot)
            for room in (1, len(case.seen.states) // 3 or 1, len(case.seen.states)):
                small = replace(store, states=room)
                result = explored(case, order, small, time=1, audit=True)
                if result is None:
                    break
                if result.verdict is Verdict.UNDETERMINED:
                    assert room < len(case.seen.states), (case.seed, small)
                    continue
                assert result.statistics.states == len(case.seen.states), (case.seed, small)
                assert bool(result.statistics.deadlocks) == bool(case.seen.deadlocks), (case.seed, small)
                assert scrimp.check(case.model, order=order, store=small).verdict is expected(case), (case.seed, small)


SMALL_MODELS = [path for path in MODELS if int(expectation(path)["states"]) < 20_000]


COUNTED = [each for each in pseudoroot_searches() if "source=counted" in str(each[1])]


@pytest.mark.parametrize("combination", COUNTED[::2], ids=name)
@pytest.mark.parametrize("path", SMALL_MODELS, ids=lambda path: path.name)
def test_it_finds_what_our_models_state(path: Path, combination: Combination) -> None:
    order, store, reduction = combination
    result = scrimp.check(scrimp.load(path), order=order, store=store, reduction=reduction)
    assert result.verdict.value == expectation(path)["verdict"]


def test_the_first_trace_is_a_shortest_one_breadth_first() -> None:
    model = scrimp.load(next(path for path in MODELS if path.name == "philosophers.dve"))
    full = scrimp.check(model)
    for store in (Pseudoroot(source="counted"), Pseudoroot(source="counted", next="fewest")):
        found = scrimp.check(model, store=store)
        assert found.trace is not None
        assert full.trace is not None
        assert len(found.trace.steps) == len(full.trace.steps)
        assert scrimp.explore(model, store=store).statistics.levels == scrimp.explore(model).statistics.levels


def test_a_model_that_cannot_be_inverted_is_refused_with_a_remedy() -> None:
    model = scrimp.load(next(path for path in MODELS if path.name == "leader_election.pml"))
    with pytest.raises(scrimp.OptionError, match="use source=counted, which counts edges in a first search"):
        scrimp.explore(model, store=Pseudoroot())


def test_a_transition_whose_effect_is_too_long_to_be_inverted_is_refused_at_once(tmp_path: Path) -> None:
    step = "; ".join(["a = a + b; b = b + c; c = c + a"] * 12)
    file = tmp_path / "long.pml"
    file.write_text(
        f"byte a, b, c;\nactive proctype P() {{\n  do\n  :: d_step {{ {step} }}\n  :: a < 200 -> a++\n  od\n}}\n"
    )
    with pytest.raises(scrimp.OptionError, match=r"\(line 4\) cannot be taken backwards: its effect is too long; use"):
        scrimp.explore(scrimp.load(file), store=scrimp.Pseudoroot())
