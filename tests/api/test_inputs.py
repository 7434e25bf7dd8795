"""Arguments that users guess are accepted: paths for models, and the texts of the command line for everything else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import scrimp

ROOT = Path(__file__).parents[2]
MODEL = ROOT / "models" / "peterson.dve"
BROKEN = ROOT / "models" / "broken_lock.dve"


@pytest.mark.parametrize("model", [str(MODEL), MODEL, scrimp.load(MODEL)], ids=["text", "path", "model"])
@pytest.mark.parametrize(
    "ask",
    [
        lambda model: scrimp.check(model).model,
        lambda model: scrimp.explore(model).model,
        lambda model: scrimp.simulate(model).model,
        lambda model: scrimp.advise(model, sample=0.05).model,
    ],
    ids=["check", "explore", "simulate", "advise"],
)
def test_every_function_takes_a_model_or_its_path(ask: Callable[[Any], str], model: object) -> None:
    assert ask(model) == str(MODEL)


def test_export_and_replay_take_a_path(tmp_path: Path) -> None:
    assert scrimp.export(str(MODEL), str(tmp_path / "lts.aut")).states == 20
    assert scrimp.check(BROKEN).write_trace(tmp_path / "trace.json")
    assert len(scrimp.replay(str(BROKEN), str(tmp_path / "trace.json")).trace.steps) == 4


@pytest.mark.parametrize(
    ("arguments", "method"),
    [
        ({}, "bfs/auto"),
        ({"order": "dfs"}, "dfs/full"),
        ({"store": "full:compress=tree"}, "bfs/full:compress=tree"),
        ({"order": "dfs", "reduction": "local+sleep"}, "dfs/full/local+sleep"),
        ({"method": "dfs/cache:states=600/sleep"}, "dfs/cache:states=600/sleep"),
        ({"method": scrimp.Method(order=scrimp.DepthFirst())}, "dfs/full"),
        ({"order": scrimp.DepthFirst(), "store": "full"}, "dfs/full"),
    ],
)
def test_strategies_are_values_or_texts(arguments: dict[str, Any], method: str) -> None:
    assert str(scrimp.check(MODEL, **arguments).method) == method


@pytest.mark.parametrize("memory", ["200M", 200 * 2**20, 2e8])
def test_memory_is_a_number_of_bytes_or_a_text(memory: float | str) -> None:
    assert scrimp.check(MODEL, memory=memory).verdict is scrimp.Verdict.PROVED


@pytest.mark.parametrize("time", ["10m", "1h30m", 600, 600.5])
def test_time_is_a_number_of_seconds_or_a_text(time: float | str) -> None:
    assert scrimp.check(MODEL, time=time).verdict is scrimp.Verdict.PROVED


def test_an_expired_time_limit_ends_the_search() -> None:
    result = scrimp.explore(ROOT / "models" / "sliding_window.dve", time="1ms")
    assert result.ending is scrimp.Ending.TIME


def test_an_invariant_is_one_text_or_several() -> None:
    assert scrimp.check(BROKEN, invariant="taken == 0").reason == "taken == 0 does not hold"
    assert scrimp.check(BROKEN, invariant=["taken <= 1", "taken == 0"]).reason == "taken == 0 does not hold"


def test_a_goal_is_one_text_or_several() -> None:
    assert [goal.reached for goal in scrimp.check(MODEL, reach="First.critical").goals] == [True]
    assert len(scrimp.check(MODEL, reach=("First.critical", "Second.critical")).goals) == 2


def test_a_simulation_follows_a_trace_of_a_result() -> None:
    found = scrimp.check(BROKEN)
    run = scrimp.simulate(BROKEN, guide=found.trace)
    assert found.trace is not None
    assert run.trace.events == found.trace.events
    assert run.values["inside"] == 2


def test_the_same_seed_gives_the_same_run() -> None:
    runs = [scrimp.simulate(MODEL, steps=20, seed=seed).trace.events for seed in (3, 3, 4)]
    assert runs[0] == runs[1] != runs[2]


def test_a_simulation_says_why_it_ends() -> None:
    text = "byte x; active proctype P() { x = 1; (x == 2) }"
    run = scrimp.simulate(scrimp.load(text=text, language="promela"))
    assert run.ending == "deadlock: no process can move"


def test_a_trace_of_another_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(scrimp.ScrimpError, match="the trace: step 1: the model has no step First"):
        scrimp.replay(ROOT / "models" / "leader_election.pml", scrimp.check(BROKEN).trace)  # type: ignore[arg-type]


def test_a_saved_run_can_be_replayed(tmp_path: Path) -> None:
    scrimp.simulate(MODEL, steps=5).write_trace(tmp_path / "run.json")
    assert scrimp.replay(MODEL, tmp_path / "run.json").shows == "a simulated run"


def test_a_result_without_a_trace_writes_no_trace_file(tmp_path: Path) -> None:
    assert not scrimp.check(MODEL).write_trace(tmp_path / "trace.json")
    assert list(tmp_path.iterdir()) == []
