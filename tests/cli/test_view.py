"""`scrimp view` as a user meets it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

import pytest
from tests.cli.conftest import Scrimp


@contextmanager
def serving(folder: Path, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """The command in a process of its own, on a machine without a screen."""
    environment = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "BROWSER")}
    command = [sys.executable, "-m", "scrimp.cli", *arguments]
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True, env=environment)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline()


def test_the_page_is_served_until_it_is_interrupted(folder: Path) -> None:
    with serving(folder, "view", "lock.dve", "--no-browser") as process:
        address = line(process).split()[-1]
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/[\w-]{32}/", address)
        with urlopen(address, timeout=30) as page:
            assert "<title>scrimp</title>" in page.read().decode()
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=30) == 0


def test_check_shows_its_result_on_the_page(folder: Path) -> None:
    with serving(folder, "check", "forks.dve", "--view", "-q") as process:
        assert line(process).startswith("REFUTED")
        assert "http://127.0.0.1:" in line(process)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=30) == 1


@pytest.mark.parametrize("trace", ["trace.json", "elsewhere/trace.json"])
def test_a_trace_file_names_its_model(scrimp: Scrimp, folder: Path, trace: str) -> None:
    (folder / "elsewhere").mkdir()
    scrimp("check", "forks.dve", "--trace", trace, "-q")
    assert scrimp("view", trace, "--save", "page.html").code == 0
    assert "deadlock: no process can move" in (folder / "page.html").read_text()


def test_a_walk_is_opened_by_its_address(scrimp: Scrimp, folder: Path) -> None:
    assert scrimp("view", "lock.dve", "--walk", "1.2.1", "--save", "page.html").code == 0
    assert '"length":3' in (folder / "page.html").read_text()


def test_a_comparison_is_saved(scrimp: Scrimp, folder: Path) -> None:
    scrimp("bench", "lock.dve", "--methods", "bfs/full", "--no-peers", "-o", "out", "-q")
    assert scrimp("view", "out", "--save", "page.html").code == 0
    assert "bfs/full" in (folder / "page.html").read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["missing.dve"], "missing.dve: cannot be read"),
        (["lock.dve", "--trace", "missing.json"], "cannot read missing.json"),
        (["lock.dve", "--walk", "9"], "step 1 of the address takes event 9, and there are 2 events"),
        (["lock.dve", "--walk", "x"], "expected numbers with dots between them, such as 1.2.1, found 'x'"),
        (["lock.dve", "--port", "99999"], "--port: expected a whole number from 0 to 65535"),
        (["orphan.json"], "orphan.json: its model gone.dve is not there; use scrimp view MODEL --trace orphan.json"),
        (["lock.dve", "--save", "missing/page.html"], "missing/page.html"),
        (["empty/report.json"], "empty/report.json: not a report of scrimp bench"),
    ],
)
def test_what_cannot_be_shown_is_refused_in_one_line(
    scrimp: Scrimp, folder: Path, arguments: list[str], message: str
) -> None:
    (folder / "empty").mkdir()
    (folder / "empty" / "report.json").write_text("{}")
    shows = {"kind": "simulation", "name": "", "message": ""}
    orphan = {"format": "scrimp trace", "version": 1, "model": "gone.dve", "shows": shows, "steps": []}
    (folder / "orphan.json").write_text(json.dumps(orphan))
    ran = scrimp("view", *arguments)
    assert ran.code == 2
    assert message in ran.err
    assert len(ran.err.splitlines()) == 1
