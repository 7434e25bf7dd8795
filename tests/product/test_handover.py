"""A search in which a value does not fit goes on with wider fields where it ended, and finds what it would have found
with these from the beginning."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from tests.checkpoints.trials import FORGETFUL, FORKING, WIDE, Hasty, essence

import scrimp
from scrimp import searching
from scrimp.machine import ranges
from scrimp.runner import Outcome

# Several counters, whose sum is small for a long time.
LATE = """\
int a, b, c, sum;
process Count {
state q;
init q;
trans
 q -> q { guard a < 25; effect a = a + 1, sum = sum + 1; },
 q -> q { guard b < 25; effect b = b + 1, sum = sum + 1; },
 q -> q { guard c < 25; effect c = c + 1, sum = sum + 9; },
 q -> q { guard sum > 230 && sum < 9000; effect sum = sum * 40; };
}
system async;
"""
SETTINGS: list[dict[str, Any]] = [
    {},
    {"threads": 1},
    {"store": "full:compress=cleary"},
    {"store": "full:compress=huffman"},
    {"memory": "8M"},
    {"depth": 40},
]


@pytest.fixture(autouse=True)
def _always(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "LEAST_HANDED_OVER", 0)
    monkeypatch.setattr(searching, "SECONDS_TO_TAKE_OVER", 0.0)


@pytest.fixture(name="ends")
def _ends(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """How each search ends, from now on, with what becomes of its handover."""
    ends: list[str] = []
    wait = searching._wait

    def noting(*arguments: Any) -> Outcome:
        outcome = wait(*arguments)
        ends.append(f"{outcome.reason} {outcome.handover}")
        return outcome

    monkeypatch.setattr(searching, "_wait", noting)
    return ends


@pytest.fixture(autouse=True)
def _narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ranges, "Sampler", Hasty)
    monkeypatch.setattr(ranges, "disk_cache", FORGETFUL)


def same(one: scrimp.Result, other: scrimp.Result) -> bool:
    """But for the number of searches that it took, and for the states after which the store changed."""
    resources: dict[str, Any] = {"relayouts": 0, "auto": None}
    return essence(one) | resources == essence(other) | resources


def started_again(monkeypatch: pytest.MonkeyPatch, model: scrimp.Model, **settings: Any) -> scrimp.Result:
    with monkeypatch.context() as patch:
        patch.setattr(searching, "LEAST_HANDED_OVER", 10**9)
        return scrimp.explore(model, **settings)


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
@pytest.mark.parametrize("text", [WIDE, LATE], ids=["wide", "late"])
def test_an_exploration_goes_on(
    text: str, settings: dict[str, Any], ends: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    model = scrimp.load(text=text, language="dve")
    result = scrimp.explore(model, **settings)
    if settings.get("store") != "full:compress=huffman":  # such a set cannot be listed
        assert ends[0] == "misfit left"
    assert result.statistics.relayouts == len(ends) - 1 > 0
    assert same(result, started_again(monkeypatch, model, **settings))


def test_traces_are_those_of_a_search_from_the_beginning(ends: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    model = scrimp.load(text=LATE, language="dve")
    questions: dict[str, Any] = {"invariant": "sum <= 200 or a < 20", "violations": "all"}
    result = scrimp.check(model, **questions)
    assert "misfit left" in ends
    with monkeypatch.context() as patch:
        patch.setattr(searching, "LEAST_HANDED_OVER", 10**9)
        assert same(result, scrimp.check(model, **questions))
    assert result.violations


def test_a_larger_system_is_searched_from_the_beginning(ends: list[str]) -> None:
    result = scrimp.check(scrimp.load(text=FORKING, language="promela"), violations="all")
    assert len(ends) > 1
    assert same(result, scrimp.check(scrimp.load(text=FORKING, language="promela"), violations="all"))


@pytest.mark.parametrize("settings", [{"disk": 0}, {"order": "dfs"}, {"reduction": "stubborn"}, {"disk": 100}], ids=str)
def test_without_disk_or_levels_it_starts_again(settings: dict[str, Any], ends: list[str]) -> None:
    scrimp.explore(scrimp.load(text=LATE, language="dve"), **settings)
    assert "misfit none" in ends
    assert "misfit left" not in ends


def test_nothing_stays_on_disk(ends: list[str], tmp_path: Path) -> None:
    scrimp.explore(scrimp.load(text=LATE, language="dve"), spill=tmp_path)
    assert "misfit left" in ends
    assert os.listdir(tmp_path) == []


def test_a_search_starts_again_if_there_is_no_folder_for_its_file(
    ends: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    model = scrimp.load(text=LATE, language="dve")
    expected = scrimp.explore(model)
    monkeypatch.setenv("TMPDIR", "/nowhere")
    ends.clear()
    assert same(scrimp.explore(model), expected)
    assert set(ends[:-1]) == {"misfit none"}


def test_a_search_starts_again_if_what_was_handed_over_is_lost(
    ends: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    model = scrimp.load(text=LATE, language="dve")
    expected = scrimp.explore(model)
    next_attempt = searching._next_attempt

    def damaging(*arguments: Any) -> Any:
        for descriptor in os.listdir("/proc/self/fd"):
            if _is_handover(descriptor):
                os.pwrite(int(descriptor), b"\xff", 100)
        return next_attempt(*arguments)

    monkeypatch.setattr(searching, "_next_attempt", damaging)
    ends.clear()
    result = scrimp.explore(model)
    assert "disk lost" in ends
    assert same(result, expected)


def _is_handover(descriptor: str) -> bool:
    try:
        target = os.readlink(f"/proc/self/fd/{descriptor}")
    except OSError:
        return False
    return target.startswith(os.environ.get("TMPDIR") or "/tmp") and "(deleted)" in target
