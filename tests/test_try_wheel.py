"""`make wheel-test` runs .ci/try_wheel.py: it fails if a verdict is not the one that the model states."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
MODEL = (ROOT / "models" / "peterson.dve").read_text(encoding="utf-8")


def try_wheel(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / ".ci" / "try_wheel.py"), str(folder)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_it_succeeds_if_every_model_has_the_verdict_it_states(tmp_path: Path) -> None:
    (tmp_path / "right.dve").write_text(MODEL)
    ran = try_wheel(tmp_path)
    assert ran.returncode == 0
    assert "1 of 1 models as stated" in ran.stdout


def test_it_fails_if_a_model_has_another_verdict(tmp_path: Path) -> None:
    (tmp_path / "right.dve").write_text(MODEL)
    (tmp_path / "wrong.dve").write_text(MODEL.replace("verdict=proved", "verdict=refuted"))
    ran = try_wheel(tmp_path)
    assert ran.returncode == 1
    assert "wrong.dve: exit code 0, but the model states refuted" in ran.stdout


def test_it_fails_if_there_are_no_models(tmp_path: Path) -> None:
    ran = try_wheel(tmp_path)
    assert ran.returncode == 1
    assert "there are no models" in ran.stderr
