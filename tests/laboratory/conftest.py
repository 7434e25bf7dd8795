"""A folder with a small model, and the command line as a function."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from scrimp.cli.application import run

# Two processes that count to three, each for itself: 16 states, and sleep sets save transitions.
COUNTERS = """\
byte c[2];
process P0 { state a; init a; trans a -> a { guard c[0] < 3; effect c[0] = c[0] + 1; }; }
process P1 { state a; init a; trans a -> a { guard c[1] < 3; effect c[1] = c[1] + 1; }; }
system async;
"""


@dataclass(frozen=True, slots=True)
class Ran:
    code: int
    out: str
    err: str


Scrimp = Callable[..., Ran]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "counters.dve").write_text(COUNTERS)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def scrimp(folder: Path, capfd: pytest.CaptureFixture[str]) -> Scrimp:
    def call(*arguments: str) -> Ran:
        code = run(list(arguments))
        captured = capfd.readouterr()
        return Ran(code, captured.out, captured.err)

    return call
