"""Searches find what our own models state in their first line: full ones take turns, verdict and counts, and so do
reductions and caches."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

import pytest
from tests.product.caches import with_the_smallest_cache
from tests.product.strategies import Combination, caching_searches, full_searches, name, reduced_searches, some

import scrimp

FOLDER = Path(__file__).resolve().parents[2] / "models"
MODELS = sorted(path for suffix in ("dve", "pml", "pnml", "py") for path in FOLDER.glob(f"*.{suffix}"))

# What the comments of models say about other settings.
VARIANTS = [
    ("alternating_bit.pml", {"PATIENT": "1"}, "proved"),
    ("bakery.pml", {"NO_DOOR": "1"}, "refuted"),
    ("bounded_retransmission.dve", {"HASTY": "1"}, "refuted"),
    ("broken_lock.py", {"CLIENTS": "1"}, "proved"),
    ("railway_crossing.pml", {"FORGETFUL": "1"}, "refuted"),
    ("readers_writers.pml", {"RACY": "1"}, "refuted"),
    ("scsi_bus.pml", {"HASTY": "1"}, "refuted"),
    ("sliding_window.dve", {"WINDOW": "4"}, "refuted"),
    ("sliding_window.pml", {"WINDOW": "3"}, "refuted"),
    ("ticket_lock.dve", {"CUSTOMERS": "2"}, "refuted"),
]


def expectation(path: Path) -> dict[str, str]:
    """The first line of a model: `// expect: states=20 transitions=34 deadlocks=0 verdict=proved`, or that in XML."""
    first = path.read_text().splitlines()[0]
    assert first.startswith(("// expect: ", "# expect: ", "<!-- expect: ")), path
    return dict(re.findall(r"(\w+)=(\w+)", first))


def label(value: Path | Combination) -> str:
    return value.name if isinstance(value, Path) else name(value)


def by_turns(turn: int) -> list[tuple[Path, Combination]]:
    """Every fourth full search of each model."""
    return [
        (path, combination)
        for number, path in enumerate(MODELS)
        for place, combination in enumerate(full_searches())
        if (number + place) % 4 == turn
    ]


@pytest.mark.parametrize(("path", "combination"), by_turns(0), ids=label)
def test_full_searches_find_the_verdict_the_model_states(path: Path, combination: Combination) -> None:
    order, store, reduction = combination
    result = scrimp.check(scrimp.load(path), order=order, store=store, reduction=reduction)
    assert result.verdict.value == expectation(path)["verdict"]


def dealt(combinations: list[Combination], step: int) -> list[tuple[Path, Combination]]:
    """Every model with some of the combinations, so that each combination is tried on some models."""
    return [(path, each) for number, path in enumerate(MODELS) for each in some(combinations, number, step)]


@pytest.mark.parametrize(("path", "combination"), dealt(reduced_searches(), 48), ids=label)
def test_reductions_find_the_verdict_the_model_states(path: Path, combination: Combination) -> None:
    order, store, reduction = combination
    result = scrimp.check(reducible(path), order=order, store=store, reduction=reduction)
    assert result.verdict.value == expectation(path)["verdict"]


@pytest.mark.parametrize(("path", "combination"), dealt(caching_searches(), 480), ids=label)
def test_caches_find_the_verdict_the_model_states(path: Path, combination: Combination) -> None:
    order, store, reduction = combination
    search = partial(scrimp.check, reducible(path), order=order, reduction=reduction)
    assert with_the_smallest_cache(store, search, patience=1.0).verdict.value == expectation(path)["verdict"]


def reducible(path: Path) -> scrimp.Model:
    model = scrimp.load(path)
    if model.system.claim is not None:
        pytest.skip("a never claim forbids reductions")
    return model


@pytest.mark.parametrize(("path", "combination"), by_turns(1), ids=label)
def test_full_searches_find_the_counts_the_model_states(path: Path, combination: Combination) -> None:
    order, store, reduction = combination
    statistics = scrimp.explore(scrimp.load(path), order=order, store=store, reduction=reduction).statistics
    expected = expectation(path)
    assert statistics.states == int(expected["states"])
    assert statistics.transitions == int(expected["transitions"])
    assert statistics.deadlocks == int(expected["deadlocks"])


@pytest.mark.parametrize(("file", "defines", "verdict"), VARIANTS, ids=[file for file, _, _ in VARIANTS])
def test_a_model_has_the_verdict_that_its_comment_states_for_another_setting(
    file: str, defines: dict[str, str], verdict: str
) -> None:
    assert scrimp.check(scrimp.load(FOLDER / file, defines=defines)).verdict.value == verdict
