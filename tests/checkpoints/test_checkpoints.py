"""Searches leave checkpoints and are resumed from them; what cannot be resumed is refused with the reason."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.checkpoints.trials import FORGETFUL, GRID, VOLATILE, WIDE, Hasty, essence

import scrimp
from scrimp._engine import reencode
from scrimp.checkpoints.folder import occupied
from scrimp.checkpoints.reencoding import reencoding
from scrimp.machine import ranges
from scrimp.machine.layout import lay_out
from scrimp.machine.ranges import sampled_ranges, static_ranges
from scrimp.system.reference import State, fire, initial


@pytest.fixture
def grid(tmp_path: Path) -> Path:
    model = tmp_path / "grid.dve"
    model.write_text(GRID)
    return model


def command(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-m", "scrimp", *map(str, arguments)]
    return subprocess.run(words, capture_output=True, text=True, check=False)


def record(text: str) -> dict[str, Any]:
    return {name: value for name, value in json.loads(text).items() if name not in VOLATILE}


def test_killed_searches_end_as_if_nothing_had_happened() -> None:
    words = [sys.executable, "-m", "tests.checkpoints", "--kills", "30", "--seed", "1"]
    ran = subprocess.run(words, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr[-3000:]


def test_the_command_line_resumes_what_it_began(grid: Path, tmp_path: Path) -> None:
    whole = command("check", grid, "--invariant", "a + b + c != 20", "--json", "-")
    began = command("check", grid, "--invariant", "a + b + c != 20", "--checkpoint", tmp_path / "run", "--json", "-")
    resumed = command("resume", tmp_path / "run", "--threads", "1", "--store", "full:compress=tree", "--json", "-")
    assert record(began.stdout) == record(resumed.stdout) == record(whole.stdout)
    assert (resumed.returncode, json.loads(resumed.stdout)["resumed"]) == (1, 1)


@pytest.mark.parametrize("order", ["bfs", "dfs"])
def test_a_search_that_runs_out_of_time_continues_where_it_was(order: str, grid: Path, tmp_path: Path) -> None:
    grid.write_text(GRID.replace("< 9", "< 150"))
    stopped = scrimp.explore(grid, order=order, time=0.02, checkpoint=tmp_path / "run")
    assert stopped.ending is scrimp.Ending.TIME
    assert "scrimp resume" in stopped.reason
    assert essence(scrimp.resume(tmp_path / "run")) == essence(scrimp.explore(grid, order=order))


def test_a_search_goes_on_when_a_field_is_too_narrow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ranges, "Sampler", Hasty)
    monkeypatch.setattr(ranges, "disk_cache", FORGETFUL)
    model = scrimp.load(text=WIDE, language="dve")
    saved = scrimp.explore(model, checkpoint=tmp_path / "run", checkpoint_every=0)
    assert saved.statistics.relayouts > 1
    assert essence(saved) == essence(scrimp.explore(model))


def test_states_are_translated_into_a_wider_layout() -> None:
    model = scrimp.load(text=WIDE, language="dve")
    narrow, wide = (lay_out(model.system, ranges(model.system)) for ranges in (sampled_ranges, static_ranges))
    table = reencoding(narrow, wide)
    state = initial(model.system)
    for _ in range(30):
        assert wide.decode(reencode(table, narrow.encode(state))) == state
        following = next(after for event in range(4) if isinstance(after := _fired(model, state, event), State))
        state = following


def _fired(model: scrimp.Model, state: State, event: int) -> object:
    from scrimp.system.reference import enabled

    return fire(model.system, state, event) if event in enabled(model.system, state) else None


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"store": "cache:states=100"}, "a search with store 'cache:states=100' leaves no checkpoints"),
        ({"reduction": "sleep"}, "a search with reduction 'sleep' leaves no checkpoints"),
        ({"store": "bitstate"}, "a search with store 'bitstate"),
        ({"order": "dfs", "store": "full:compress=rle"}, "use --order bfs"),
        ({"ltl": "[] true"}, "a search for infinite runs leaves no checkpoints"),
    ],
)
def test_other_methods_are_refused(arguments: dict[str, str], message: str, grid: Path, tmp_path: Path) -> None:
    with pytest.raises(scrimp.OptionError) as refusal:
        scrimp.check(grid, checkpoint=tmp_path / "run", **arguments)  # type: ignore[arg-type]
    assert message in str(refusal.value)
    assert not (tmp_path / "run").exists()


def test_a_model_that_has_changed_is_refused(grid: Path, tmp_path: Path) -> None:
    scrimp.explore(grid, checkpoint=tmp_path / "run")
    grid.write_text(GRID.replace("a < 9", "a < 8"))
    with pytest.raises(scrimp.OptionError, match="another model"):
        scrimp.resume(tmp_path / "run")


def test_a_model_that_has_moved_is_named_again(grid: Path, tmp_path: Path) -> None:
    scrimp.explore(grid, checkpoint=tmp_path / "run")
    moved = grid.rename(tmp_path / "moved.dve")
    with pytest.raises(scrimp.ScrimpError, match="--model"):
        scrimp.resume(tmp_path / "run")
    assert scrimp.resume(tmp_path / "run", model=moved).statistics.resumed == 1


def test_a_folder_with_another_search_is_refused(grid: Path, tmp_path: Path) -> None:
    scrimp.explore(grid, checkpoint=tmp_path / "run")
    with pytest.raises(scrimp.OptionError, match="holds another search"):
        scrimp.explore(grid, checkpoint=tmp_path / "run")


def test_a_folder_that_another_process_uses_is_refused(grid: Path, tmp_path: Path) -> None:
    scrimp.explore(grid, checkpoint=tmp_path / "run")
    with occupied(tmp_path / "run"):
        assert "another process" in command("resume", tmp_path / "run").stderr


def test_damaged_checkpoints_are_refused(grid: Path, tmp_path: Path) -> None:
    scrimp.explore(grid, checkpoint=tmp_path / "run")
    for file in (tmp_path / "run").glob("checkpoint-*"):
        file.write_bytes(file.read_bytes()[:-9])
    with pytest.raises(scrimp.OptionError, match="no checkpoint is intact"):
        scrimp.resume(tmp_path / "run")


def test_a_folder_without_a_search_is_refused(tmp_path: Path) -> None:
    with pytest.raises(scrimp.OptionError, match="there is no search to resume"):
        scrimp.resume(tmp_path)


def test_an_interval_without_checkpoints_is_refused(grid: Path) -> None:
    with pytest.raises(scrimp.OptionError, match="--checkpoint-every needs --checkpoint"):
        scrimp.explore(grid, checkpoint_every="1m")
