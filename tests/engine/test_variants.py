"""The engine comes in variants for different processors; all of them find the same."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

MODEL = str(Path(__file__).resolve().parents[2] / "models" / "sliding_window.dve")


def explored(compress: str, **environment: str) -> dict[str, int]:
    command = [sys.executable, "-m", "scrimp", "explore", MODEL, "--store", f"full:compress={compress}", "--json", "-"]
    finished = subprocess.run(command, env=os.environ | environment, capture_output=True, check=True)
    record = json.loads(finished.stdout)
    return {key: record[key] for key in ("states", "transitions", "matched", "depth", "deadlocks")}


@pytest.mark.skipif(not find_spec("scrimp._engine_portable"), reason="built for this machine's kind of processor only")
@pytest.mark.parametrize("compress", ["none", "tree", "cleary"])
def test_the_portable_engine_finds_what_the_chosen_one_finds(compress: str) -> None:
    assert explored(compress, SCRIMP_ENGINE="portable") == explored(compress)


def test_an_engine_that_is_not_there_is_refused_in_one_line() -> None:
    command = [sys.executable, "-m", "scrimp", "explore", MODEL]
    finished = subprocess.run(command, env=os.environ | {"SCRIMP_ENGINE": "abacus"}, capture_output=True, text=True)
    assert finished.returncode == 2
    assert finished.stderr == (
        "scrimp: error: SCRIMP_ENGINE=abacus: there is no such engine (choices: portable, avx2, if installed)\n"
    )
