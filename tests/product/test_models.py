"""Our own models state what is to be expected of them; every allowed strategy finds it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.product.strategies import Combination, allowed_strategies, name

import scrimp

FOLDER = Path(__file__).resolve().parents[2] / "models"
MODELS = sorted([*FOLDER.glob("*.dve"), *FOLDER.glob("*.pml")])


def expectation(path: Path) -> dict[str, str]:
    """The first line of a model: `// expect: states=20 transitions=34 deadlocks=0 verdict=proved`."""
    first = path.read_text().splitlines()[0]
    assert first.startswith("// expect: "), path
    return dict(re.findall(r"(\w+)=(\w+)", first))


@pytest.mark.parametrize("combination", allowed_strategies(), ids=name)
@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.name)
def test_every_strategy_finds_the_verdict_the_model_states(path: Path, combination: Combination) -> None:
    order, store, reduction = combination
    result = scrimp.check(scrimp.load(path), order=order, store=store, reduction=reduction)
    assert result.verdict.value == expectation(path)["verdict"]


@pytest.mark.parametrize("combination", allowed_strategies(), ids=name)
@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.name)
def test_every_strategy_finds_the_counts_the_model_states(path: Path, combination: Combination) -> None:
    order, store, reduction = combination
    statistics = scrimp.explore(scrimp.load(path), order=order, store=store, reduction=reduction).statistics
    expected = expectation(path)
    assert statistics.states == int(expected["states"])
    assert statistics.transitions == int(expected["transitions"])
    assert statistics.deadlocks == int(expected["deadlocks"])
