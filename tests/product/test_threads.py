"""What a search finds does not depend on the number of its threads: records are equal, apart from times and memory."""

from __future__ import annotations

from collections.abc import Callable
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from tests.frontends.test_promela_growth import FAR_AWAY
from tests.product.cases import in_rounds, small_systems
from tests.product.strategies import Combination, name, some, threaded_searches
from tests.records import without_measurements

import scrimp
from scrimp import searching
from scrimp.compatibility import why_not_searched

FOLDER = Path(__file__).resolve().parents[2] / "models"
MODELS = sorted(path for suffix in ("dve", "pml", "pnml") for path in FOLDER.glob(f"*.{suffix}"))
THREADS = (2, 5)
# Models whose fields have to be widened; the last one is a text whose system has to grow.
RESTARTING = ("lock_free_stack_tagged.pml", "bounded_retransmission.dve", "")

Ask = Callable[..., scrimp.Result]


def assert_same_records(ask: Ask, model: scrimp.Model, combination: Combination, **arguments: Any) -> None:
    order, store, reduction = combination

    def record(threads: int) -> dict[str, Any]:
        result = ask(model, order=order, store=store, reduction=reduction, threads=threads, **arguments)
        assert result.statistics.threads == threads
        return without_measurements(result.to_dict())

    alone = record(1)
    for threads in THREADS:
        assert record(threads) == alone, (threads, name(combination))


@pytest.fixture(autouse=True)
def shares_early(monkeypatch: pytest.MonkeyPatch) -> None:
    """Threads share rounds from a few hundred states on, so that they do in most of these models."""
    monkeypatch.setattr(searching, "WORTH_SHARING", 64)


def usable(model: scrimp.Model, number: int) -> list[Combination]:
    """A sixth of the combinations, by a number, without reductions that the model does not allow."""
    chosen = some(threaded_searches(), number, 6)
    return [each for each in chosen if why_not_searched(each[2], model.system) is None]


def learned(model: scrimp.Model) -> scrimp.Model:
    """A model whose widest values are known from earlier searches, so that no later one has to start again."""
    scrimp.explore(model, threads=1)
    scrimp.explore(model, threads=1, passes=True)
    return model


def test_there_are_methods_that_use_several_threads() -> None:
    assert {store.name for _, store, _ in threaded_searches()} == {"full", "auto", "compact", "bitstate"}


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.name)
def test_a_verdict_and_its_trace_do_not_depend_on_threads(path: Path) -> None:
    model = learned(scrimp.load(path))
    for combination in usable(model, MODELS.index(path)):
        assert_same_records(scrimp.check, model, combination)


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.name)
def test_the_numbers_of_a_model_do_not_depend_on_threads(path: Path) -> None:
    model = learned(scrimp.load(path))
    for combination in usable(model, MODELS.index(path)):
        assert_same_records(scrimp.explore, model, combination)


@in_rounds
def test_the_record_of_a_random_system_does_not_depend_on_threads(
    kind: str, first_seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(searching, "WORTH_SHARING", 1)
    for case in small_systems(kind, 200_000 + first_seed):
        model = learned(case.model)
        for combination in usable(model, case.seed):
            assert_same_records(scrimp.explore, model, combination)
            assert_same_records(scrimp.check, model, combination)
            assert_same_records(scrimp.check, model, combination, violations="all")
            assert_same_records(scrimp.check, model, combination, shuffle=True, seed=case.seed)
            assert_same_records(scrimp.explore, model, combination, depth=3)


@pytest.mark.parametrize(("file", "combination"), list(zip(cycle(RESTARTING), threaded_searches())), ids=str)
def test_a_search_starts_again_as_often_on_any_number_of_threads(
    file: str, combination: Combination, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is known from earlier searches: a value needs a wider field, or the model outgrows its system."""
    monkeypatch.setenv("SCRIMP_CACHE", "off")
    model = scrimp.load(FOLDER / file) if file else scrimp.load(text=FAR_AWAY)
    assert scrimp.explore(model, threads=1).statistics.relayouts > 0
    assert_same_records(scrimp.explore, model, combination)
