"""A run that cannot go on reports what is known so far: interrupted, out of memory, out of time, out of disk space."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.processes import interrupted, peak_of_search, wait_until_searching

# 2^64 reachable states: no search of it ends by itself.
ENDLESS = (
    """\
byte counter[8];
process Count {
state q;
init q;
trans
"""
    + ",\n".join(f" q -> q {{ effect counter[{i}] = counter[{i}] + 1; }}" for i in range(8))
    + """;
}
system async;
"""
)

# A path of 2^24 states, one per level: the only data to write is the file of levels.
LONG = """\
byte a, b, c;
process Count {
state q;
init q;
trans
 q -> q { guard a < 255; effect a = a + 1; },
 q -> q { guard a == 255 && b < 255; effect a = 0, b = b + 1; },
 q -> q { guard a == 255 && b == 255 && c < 255; effect a = 0, b = 0, c = c + 1; };
}
system async;
"""


@pytest.fixture
def endless(tmp_path: Path) -> Path:
    model = tmp_path / "endless.dve"
    model.write_text(ENDLESS)
    return model


def command(*arguments: str | Path) -> list[str]:
    return [sys.executable, "-m", "scrimp", *map(str, arguments), "--json", "-", "--quiet"]


@pytest.mark.parametrize(
    ("order", "interrupt"), [("bfs", signal.SIGINT), ("dfs", signal.SIGINT), ("bfs", signal.SIGTERM)]
)
def test_interrupt_reports_what_is_known_within_a_second(endless: Path, order: str, interrupt: signal.Signals) -> None:
    with subprocess.Popen(
        command("check", endless, "--as-written", "--order", order), stdout=subprocess.PIPE
    ) as process:
        wait_until_searching(process)
        output, seconds = interrupted(process, interrupt)
    record = json.loads(output)
    assert seconds < 2
    assert process.returncode == 3
    assert record["verdict"] == "undetermined"
    assert "interrupted" in record["reason"]
    assert record["states"] > 1


FULL = ["full", "full:compress=tree", "full:compress=cleary"]
HASHED = ["comback", "compact", "bitstate"]


@pytest.mark.parametrize(("order", "megabytes"), [("bfs", 20), ("dfs", 40)])
@pytest.mark.parametrize("store", FULL + HASHED)
def test_memory_limit_is_kept_and_ends_the_run_undetermined(
    endless: Path, order: str, store: str, megabytes: int
) -> None:
    arguments = ("--order", order, "--store", store, "--memory", f"{megabytes}M")
    with subprocess.Popen(command("check", endless, "--as-written", *arguments), stdout=subprocess.PIPE) as process:
        peak = peak_of_search(process)
        record = json.loads(process.communicate()[0])
    assert process.returncode == 3
    assert "memory" in record["reason"]
    assert record["states"] > 100_000
    assert 0 < peak <= megabytes * 2**20


@pytest.mark.parametrize("order", ["bfs", "dfs"])
def test_memory_limit_is_kept_by_a_trace_of_a_hundred_thousand_steps(tmp_path: Path, order: str) -> None:
    model, trace = tmp_path / "long.dve", tmp_path / "trace.json"
    model.write_text(LONG.replace("c < 255", "c < 1"))
    arguments = ["check", model, "--order", order, "--memory", "24M", "--trace", trace]
    with subprocess.Popen([sys.executable, "-m", "scrimp", *map(str, arguments)], stdout=subprocess.PIPE) as process:
        peak = peak_of_search(process)
        report = process.communicate()[0].decode()
    assert process.returncode == 1
    assert "after 131,071 steps" in report
    with trace.open() as lines:
        assert sum('"event"' in line for line in lines) == 131_071
    assert 0 < peak <= 24 * 2**20


@pytest.mark.parametrize("compress", ["none", "cleary"])
def test_memory_limit_is_kept_by_a_search_of_as_many_levels_as_states(tmp_path: Path, compress: str) -> None:
    model, written = tmp_path / "long.dve", tmp_path / "record.json"
    model.write_text(LONG)
    arguments = ["explore", model, "--store", f"full:compress={compress}", "--memory", "24M", "--json", written]
    with subprocess.Popen([sys.executable, "-m", "scrimp", *map(str, arguments)], stdout=subprocess.PIPE) as process:
        peak = peak_of_search(process)
        process.communicate()
    record = json.loads(written.read_text())
    assert process.returncode == 3
    assert "memory" in record["reason"]
    assert sum(states for states, _ in record["levels"]) == record["states"] > 100_000
    assert 0 < peak <= 24 * 2**20


def test_memory_limit_below_the_floor_is_refused_with_the_figure(endless: Path) -> None:
    finished = subprocess.run(
        command("check", endless, "--as-written", "--memory", "5M"), capture_output=True, text=True
    )
    assert finished.returncode == 2
    assert "too small" in finished.stderr
    assert finished.stderr.count("\n") == 1
    assert finished.stdout == ""


def test_time_limit_ends_the_run_undetermined(endless: Path) -> None:
    finished = subprocess.run(command("explore", endless, "--time", "1s"), capture_output=True, text=True)
    assert finished.returncode == 3
    assert "time" in json.loads(finished.stdout)["reason"]


# A cube of 40^4 states: they take 20 MB in the file of levels and 5 MB in a dense table. The last corner is a deadlock.
CUBE = (
    "byte counter[4];\nprocess Count {\nstate q;\ninit q;\ntrans\n"
    + ",\n".join(f" q -> q {{ guard counter[{i}] < 39; effect counter[{i}] = counter[{i}] + 1; }}" for i in range(4))
    + ";\n}\nsystem async;\n"
)
NO_FOLDER = Path("/nowhere/at/all")


@pytest.fixture
def cube(tmp_path: Path) -> Path:
    model = tmp_path / "cube.dve"
    model.write_text(CUBE)
    return model


def checked(model: Path, *arguments: str, folder: Path, file_bytes: int = resource.RLIM_INFINITY) -> dict[str, Any]:
    """The record of a breadth-first check whose temporary files are in `folder`, none larger than so many bytes."""
    finished = subprocess.run(
        command("check", model, "--as-written", "--store", "full:compress=cleary", *arguments),
        capture_output=True,
        text=True,
        env=os.environ | {"TMPDIR": str(folder)},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (file_bytes, file_bytes)),
    )
    record: dict[str, Any] = json.loads(finished.stdout)
    return record


def test_a_proof_needs_no_folder_for_temporary_files(cube: Path) -> None:
    assert checked(cube, "--allow-deadlock", folder=NO_FOLDER)["verdict"] == "proved"


def test_a_violation_is_traced_without_a_folder_for_temporary_files(cube: Path) -> None:
    record = checked(cube, folder=NO_FOLDER)
    assert (record["verdict"], len(record["trace"]["steps"])) == ("refuted", 4 * 39)


def test_a_disk_that_fills_up_changes_no_proof_and_no_trace(cube: Path, tmp_path: Path) -> None:
    assert checked(cube, "--allow-deadlock", folder=tmp_path, file_bytes=2**20)["verdict"] == "proved"
    record = checked(cube, folder=tmp_path, file_bytes=2**20)
    assert (record["verdict"], len(record["trace"]["steps"])) == ("refuted", 4 * 39)
    assert list(tmp_path.iterdir()) == [cube]


def test_a_proof_needs_no_memory_for_traces(cube: Path) -> None:
    assert checked(cube, "--allow-deadlock", "--memory", "20M", folder=NO_FOLDER)["verdict"] == "proved"


def test_a_trace_that_fits_neither_on_the_disk_nor_into_memory_leaves_the_verdict_open(cube: Path) -> None:
    record = checked(cube, "--memory", "20M", folder=NO_FOLDER)
    assert (record["verdict"], record["ending"], record["violating"]) == ("undetermined", "disk", 1)
    assert record["reason"] == (
        "something was found, but its trace was lost: disk and memory had no room for the states before it; "
        f"set TMPDIR (now {NO_FOLDER}) to a folder with free space or use --order dfs"
    )
