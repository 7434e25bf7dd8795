"""What a running search reports: its levels, its memory by part and its changes are those of the end, so far."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import scrimp
from scrimp import searching
from scrimp.result import Result
from scrimp.statistics import Progress

MODELS = Path(__file__).parents[2] / "models"
# 1,158,570 states in 236 levels: enough for several reports, however busy the machine is.
WINDOW = scrimp.load(MODELS / "sliding_window.dve", defines={"MODULUS": 6, "WINDOW": 3, "CAPACITY": 3})


@pytest.fixture(autouse=True)
def _polls_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "POLL_SECONDS", 0.0005)


def watched(model: scrimp.Model = WINDOW, **options: Any) -> tuple[list[Progress], Result]:
    seen: list[Progress] = []
    result = scrimp.explore(model, progress=seen.append, **options)
    return [progress for progress in seen if progress.bytes_by_part], result


def test_levels_so_far_are_levels_of_the_result() -> None:
    seen, result = watched()
    assert len(seen) > 3
    for progress in seen:
        assert progress.level_width == 1
        assert tuple(progress.levels) == tuple(result.statistics.levels[: len(progress.levels)])
    assert all(len(before.levels) <= len(after.levels) for before, after in pairwise(seen))
    assert len(seen[-1].levels) > len(seen[0].levels)


@pytest.mark.parametrize("method", ["bfs/full:compress=tree", "bfs/snapshots"])
def test_parts_have_the_names_of_the_result_and_are_no_larger(method: str) -> None:
    order, store = method.split("/")
    seen, result = watched(order=order, store=store)
    assert seen
    peaks = result.statistics.bytes_by_part
    for progress in seen:
        assert all(held <= peaks[part] for part, held in progress.bytes_by_part.items())


@pytest.mark.parametrize("method", ["dfs/full", "dfs/full/sleep"])
def test_a_search_without_levels_has_parts_and_no_forecast(method: str) -> None:
    order, store, *reduction = method.split("/")
    options: dict[str, Any] = {"order": order, "store": store} | ({"reduction": reduction[0]} if reduction else {})
    seen, result = watched(**options)
    assert seen
    for progress in seen:
        assert progress.levels == ()
        assert progress.forecast is None
        assert progress.bytes_by_part.keys() <= result.statistics.bytes_by_part.keys()


def test_changes_are_reported_as_they_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "CHANGE_AFTER", 90_000)
    seen, result = watched(scrimp.load(MODELS / "sliding_window.dve"), store="auto", memory="64M")
    made = result.method.store.changes_made(result.statistics.report)
    assert [name for name, _ in made] == ["compressed", "states on disk"]
    for progress in seen:
        assert tuple(progress.changes) == made[: len(progress.changes)]
    assert seen[0].changes == ()
    assert seen[-1].changes == made
    assert seen[-1].disk_bytes > 0


def test_what_is_expected_comes_true() -> None:
    """The levels of this model are nearly equal for long, which is hard: its forecasts are right within twice their
    range."""
    seen, result = watched()
    states = result.statistics.states
    foreseen = [forecast.states for progress in seen if (forecast := progress.forecast) is not None]
    known = [each for each in foreseen if each is not None and states < 3 * each.likely]
    assert known
    assert all(each.least / 2 <= states <= 2 * each.most for each in known)


def test_a_change_is_foreseen_if_memory_is_short() -> None:
    seen, _ = watched(store="auto", memory="16M")
    changes = [progress.forecast.change for progress in seen if progress.forecast and progress.forecast.change]
    assert {change.name for change in changes} >= {"compressed"}
