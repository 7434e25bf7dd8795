"""Mistakes in the translation are noticed: each mutant of mutants.toml gives some random formula another meaning."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "src" / "scrimp"
MUTANTS = tomllib.loads(Path(__file__).with_name("mutants.toml").read_text(encoding="utf-8"))["mutant"]
FORMULAS = 1500


def compared(folder: Path) -> int:
    """The exit code of the comparison with the package in a folder; it needs neither the engine nor other packages."""
    command = [sys.executable, "-S", "-m", "tests.ltl.random_words", "--first", "--formulas", str(FORMULAS)]
    path = os.pathsep.join(map(str, (folder, ROOT)))
    return subprocess.run(command, cwd=ROOT, env={"PYTHONPATH": path}, capture_output=True, check=False).returncode


def copied(folder: Path) -> Path:
    package = folder / "scrimp"
    package.mkdir()
    (package / "__init__.py").touch()
    shutil.copy(SOURCES / "errors.py", package)
    shutil.copytree(SOURCES / "ltl", package / "ltl", ignore=shutil.ignore_patterns("__pycache__"))
    return package / "ltl"


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant["name"])
def test_a_mutant_is_noticed(mutant: dict[str, str], tmp_path: Path) -> None:
    file = copied(tmp_path) / mutant["file"]
    text = file.read_text(encoding="utf-8")
    assert text.count(mutant["before"]) == 1
    file.write_text(text.replace(mutant["before"], mutant["after"]), encoding="utf-8")
    assert compared(tmp_path) == 1
