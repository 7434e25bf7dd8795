"""Forecasts: right for bells, silent if too little is known, and within their range as often as they say."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from math import comb
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from bench import forecasts

from scrimp.forecast import Forecaster, Range, Room, Standing, all_states

ROOT = Path(__file__).parents[1]
BELL = [comb(60, level) for level in range(61)]


@pytest.mark.parametrize("known", range(20, 58))
def test_the_size_of_a_bell_is_foreseen(known: int) -> None:
    forecast = all_states(BELL[:known])
    if forecast is None:
        assert sum(BELL[:known]) < sum(BELL) / 8
    else:
        assert forecast.least <= sum(BELL) <= forecast.most
        assert forecast.least <= forecast.likely <= forecast.most


@pytest.mark.parametrize(
    "levels",
    [
        [],
        [1, 2, 4, 8, 16],
        [2**level for level in range(30)],
        [1000] * 40,
        [level + 1 for level in range(200)],
        [(level + 1) ** 2 for level in range(50)],
        [(level + 1) ** 5 for level in range(1000)],
    ],
    ids=["none", "few", "doubling", "constant", "linear", "square", "fifth power"],
)
def test_nothing_is_said_if_no_end_is_in_sight(levels: list[int]) -> None:
    assert all_states(levels) is None


def test_states_that_were_found_are_counted() -> None:
    forecast = all_states(BELL[:58], sum(BELL[58:]))
    assert forecast is not None
    assert forecast.least >= sum(BELL)


def standing(depth: int, seconds: float) -> Standing:
    known = sum(BELL[: depth + 1])
    return Standing(seconds, known, BELL[depth], BELL[:depth], 1, depth, BELL[depth])


def test_levels_in_sums_leave_out_the_last_sum_unless_it_is_complete() -> None:
    sums = [BELL[0] + BELL[1], BELL[2] + BELL[3], BELL[4]]
    assert list(Standing(1.0, 9, 1, sums, 2, 5, BELL[5]).complete) == sums[:2]
    assert list(standing(3, 1.0).complete) == BELL[:4]


def test_the_time_left_follows_from_the_pace() -> None:
    forecaster = Forecaster()
    pace = 1e12
    for depth in range(25, 40):
        forecast = forecaster.look(standing(depth, sum(BELL[:depth]) / pace), None)
    assert forecast is not None
    assert forecast.seconds_left is not None
    assert forecast.seconds_left.least < sum(BELL[39:]) / pace < forecast.seconds_left.most


@pytest.mark.parametrize(("factor", "is_likely"), [(0.8, True), (1.5, False), (50.0, None)])
def test_a_change_is_foreseen_if_the_search_becomes_that_large(factor: float, is_likely: bool | None) -> None:
    forecaster = Forecaster()
    room = Room("compressed", Range(factor * sum(BELL) / 1.1, factor * sum(BELL), factor * sum(BELL) * 1.1))
    for depth in range(25, 30):
        forecast = forecaster.look(standing(depth, float(depth)), room)
    assert forecast is not None
    assert (None if forecast.change is None else forecast.change.is_likely) == is_likely


def test_on_the_corpus_ranges_are_right_as_often_as_they_say(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    models = forecasts.records()
    for share, often, right in zip(forecasts.SHARES, (0.2, 0.5, 0.6, 0.75), (0.5, 0.85, 0.85, 0.85), strict=True):
        found = [each for model in models if (each := forecasts.replayed(model["levels"], share)) is not None]
        said = [each for each in found if each.forecast is not None]
        assert len(said) > often * len(found)
        assert sum(each.is_within for each in said) >= right * len(said)


def test_the_page_of_forecasts_is_that_of_the_record(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert Path("docs/results/forecasts.md").read_text(encoding="utf-8") == forecasts.page()


def loaded(text: str) -> ModuleType:
    """The module with this text, which imports only the standard library."""
    module = ModuleType("scrimp.mutated_forecast")
    sys.modules[module.__name__] = module  # where dataclasses look for it
    exec(compile(text, "forecast.py", "exec"), module.__dict__)
    return module


def complaints(module: Any) -> Iterator[str]:
    """What is wrong with a module of forecasts."""
    for known in range(30, 58):
        states = module.all_states(BELL[:known])
        if states is None or not states.least <= sum(BELL) <= states.most or states.most > 12 * states.least:
            yield f"bell {known}"
        elif abs(states.likely / sum(BELL) - 1) > 0.1:
            yield f"middle of the bell {known}"
    if module.all_states(BELL[:58], sum(BELL)).least < sum(BELL):
        yield "states found"
    if any(module.all_states([(level + 1) ** power for level in range(90)]) for power in range(6)):
        yield "powers"
    if list(module.Standing(1.0, 9, 1, [3, 7, 5], 2, 5, 9).complete) != [3, 7]:
        yield "sums"
    forecaster = module.Forecaster()
    for depth in range(40, 50):  # resumed at level 40
        now = module.Standing(
            0.01 + depth - 40, sum(BELL[: depth + 1]), BELL[depth], BELL[:depth], 1, depth, BELL[depth]
        )
        room = module.Room("x", module.Range(9 * sum(BELL), 9 * sum(BELL), 9 * sum(BELL)))
        forecast = forecaster.look(now, room)
    if forecast.change is not None:
        yield "change"
    pace = sum(BELL[40:49]) / 9
    if not forecast.seconds_left.least <= sum(BELL[49:]) / pace <= forecast.seconds_left.most:
        yield "pace"


MUTANTS = {
    "powers end": ("slope > 0 and slope * number", "slope > 99 and slope * number"),
    "the slope is that in the middle of the window": ("slope + bend * half, bend)", "slope, bend)"),
    "the bend is that of a shorter window": ("(slope - slope_before) / length", "(slope - slope_before)"),
    "states that were found do not count": ("seen + more)", "seen)"),
    "the range is a point": ("(-down, 0.0, up)", "(0.0, 0.0, 0.0)"),
    "the range is very wide": ("FALLING = (0.75, 1.75), (1.3, 1.6)", "FALLING = (3.0, 4.0), (3.0, 4.0)"),
    "an incomplete sum counts as a level": ("self.expanded[: self.depth // self.width]", "self.expanded"),
    "what was found before a resumption counts for the pace": ("(last[column] - mark[column])", "(last[column])"),
    "a change is expected however small the search": ("if reached < least or", "if reached < 0 or"),
}
SOURCE = (ROOT / "src" / "scrimp" / "forecast.py").read_text(encoding="utf-8")


def test_there_is_nothing_to_complain_about() -> None:
    assert list(complaints(loaded(SOURCE))) == []


@pytest.mark.parametrize("mutant", MUTANTS)
def test_a_mutant_is_noticed(mutant: str) -> None:
    before, after = MUTANTS[mutant]
    assert SOURCE.count(before) == 1
    assert list(complaints(loaded(SOURCE.replace(before, after))))
