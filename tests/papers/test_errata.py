"""The models of docs/errata.md: on each of them a method as printed in a paper misses something, and scrimp's
correction does not."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.product.cases import model_of

import scrimp
from scrimp import (
    Cache,
    Conflict,
    DepthFirst,
    Full,
    Local,
    Model,
    NoReduction,
    Reduction,
    Result,
    Sleep,
    Store,
    Stubborn,
    Verdict,
)
from scrimp.system.text import parse_system

PAGE = (Path(__file__).parents[2] / "docs" / "errata.md").read_text(encoding="utf-8")
EVERYTHING = Full()
STORES: list[Store] = [EVERYTHING, Cache(states=20)]

Load = Callable[[str], Model]


@pytest.fixture
def load(tmp_path: Path) -> Load:
    """The model of the section whose title begins so."""

    def read(title: str) -> Model:
        section = PAGE[PAGE.index(f"\n## {title}") :]
        found = re.search(r"```(scrimp|promela)\n(.*?)```", section, re.DOTALL)
        assert found is not None
        if found[1] == "scrimp":
            return model_of(parse_system(found[2]))
        path = tmp_path / "erratum.pml"
        path.write_text(found[2])
        return scrimp.load(path)

    return read


def check(model: Model, reduction: Reduction, store: Store = EVERYTHING, reach: tuple[str, ...] = ()) -> Result:
    return scrimp.check(
        model, order=DepthFirst(), store=store, reduction=reduction, reach=reach, allow_deadlock=True, as_written=True
    )


def states(model: Model, reduction: Reduction) -> int:
    return scrimp.explore(model, order=DepthFirst(), reduction=reduction).statistics.states


def test_sleep_sets_kept_on_the_path_only_lose_states(load: Load) -> None:
    strangers = load("GHP92, Theorem 3.1")
    assert [states(strangers, how) for how in (NoReduction(), Sleep(mode="paper"), Sleep())] == [24, 21, 24]
    assert check(strangers, Sleep(mode="paper")).verdict is Verdict.UNDETERMINED


def test_conflict_sets_without_a_stack_rule_lose_states(load: Load) -> None:
    flags = load("HGP92, Algorithm 3")
    assert [states(flags, how) for how in (NoReduction(), Conflict(mode="paper"), Conflict())] == [16, 14, 16]
    assert check(flags, Conflict(mode="paper")).verdict is Verdict.UNDETERMINED


@pytest.mark.parametrize("store", STORES, ids=str)
@pytest.mark.parametrize("reduction", [Sleep(), Conflict(), Local() + Sleep(), Stubborn() + Sleep()], ids=str)
@pytest.mark.parametrize("title", ["GHP92, Theorem 3.1", "HGP92, Algorithm 3"])
def test_corrected_reductions_find_the_violation(title: str, reduction: Reduction, store: Store, load: Load) -> None:
    assert check(load(title), reduction, store).verdict is Verdict.REFUTED


def test_a_disabled_option_must_be_local_too(load: Load) -> None:
    model = load("HGP92, Algorithm 2")
    assert check(model, NoReduction()).verdict is Verdict.REFUTED
    assert check(model, Local(mode="printed")).verdict is Verdict.UNDETERMINED
    assert check(model, Local(mode="paper")).verdict is Verdict.REFUTED
    assert check(model, Local()).verdict is Verdict.REFUTED


@pytest.mark.parametrize(
    "reduction",
    [Sleep(), Sleep(mode="paper"), Conflict(), Local() + Sleep(), Stubborn(), Stubborn() + Sleep()],
    ids=str,
)
def test_both_orders_of_a_sorted_send_and_a_receive_are_tried(reduction: Reduction, load: Load) -> None:
    result = check(load("HGP92, Table I"), reduction, reach=("got == 3", "got == 5"))
    assert [goal.reached for goal in result.goals] == [True, True]
