"""How values print: results as the command line does, everything else on one line."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import scrimp

ROOT = Path(__file__).parents[2]
BROKEN = "models/broken_lock.dve"


@pytest.fixture(autouse=True)
def in_the_repository(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def printed(*arguments: str) -> list[str]:
    """What the command line prints, without the numbers that differ from run to run."""
    command = [sys.executable, "-m", "scrimp.cli", *arguments]
    return steady(subprocess.run(command, capture_output=True, text=True, check=False).stdout)


def steady(text: str) -> list[str]:
    return [line for line in text.splitlines() if not line.startswith(("  time", "  memory"))]


@pytest.mark.parametrize("model", [BROKEN, "models/peterson.dve"])
def test_a_checked_result_prints_as_the_report(model: str) -> None:
    assert steady(str(scrimp.check(model))) == printed("check", model)


def test_an_explored_result_prints_as_the_report() -> None:
    assert steady(str(scrimp.explore(BROKEN))) == printed("explore", BROKEN)


def test_a_run_prints_as_the_simulation() -> None:
    assert steady(str(scrimp.simulate(BROKEN, steps=7, seed=3))) == printed(
        "simulate", BROKEN, "--steps", "7", "--seed", "3"
    )


def test_a_replay_prints_as_the_command_does(tmp_path: Path) -> None:
    trace = tmp_path / "trace.json"
    scrimp.check(BROKEN).write_trace(trace)
    assert steady(str(scrimp.replay(BROKEN, trace))) == printed("replay", BROKEN, str(trace))


def test_advice_prints_as_a_table() -> None:
    lines = str(scrimp.advise("models/peterson.dve", sample=0.05)).splitlines()
    assert lines[0].startswith("peterson.dve  20 states; the engine may hold ")
    assert lines[1].split() == ["method", "within", "the", "memory", "held", "by", "the", "engine", "time"]


def test_a_saved_record_is_the_one_of_the_command_line(tmp_path: Path) -> None:
    scrimp.check(BROKEN).write_json(tmp_path / "record.json")
    text = (tmp_path / "record.json").read_text()
    assert text.startswith('{\n  "schema": 1,\n  "verdict": "refuted",')


def test_representations_fit_on_one_short_line() -> None:
    result = scrimp.check(BROKEN, reach="First.critical", violations="all")
    exported = scrimp.Exported(result, 9, 20)
    values: list[object] = [
        *(result, result.trace, result.statistics, result.method, exported, scrimp.load(BROKEN)),
        *(*result.violations, *result.goals, *result.properties, *result.unreached),
        *(scrimp.simulate(BROKEN), scrimp.advise(BROKEN, sample=0.05)),
        scrimp.Progress(1, 2, 3, 4, 5, 6, 7.0),
    ]
    for value in values:
        assert "\n" not in repr(value)
        assert len(repr(value)) < 300, value


def test_representations_say_what_the_values_are() -> None:
    result = scrimp.check(BROKEN)
    assert repr(result.trace) == "<Trace of 4 steps>"
    assert repr(result.statistics).startswith("<Statistics: 9 states, ")
    assert repr(scrimp.explore(BROKEN)).startswith(f"<Result EXPLORED {BROKEN}: every reachable state was visited (")
