"""The mutants of mutants.toml: each changes one place of the code as it is, and its witness kills it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from tests.modelling.comparing import Comparison
from tests.modelling.mutants import Mutant, mutants


@pytest.mark.filterwarnings("ignore:coroutine .* was never awaited")
@pytest.mark.parametrize("mutant", mutants(), ids=lambda mutant: mutant.name)
def test_a_witness_does_the_same_under_cpython_and_compiled(mutant: Mutant) -> None:
    assert mutant.text()
    assert Comparison(mutant.model(), most_states=60).run() > 0


def test_every_mutant_is_killed_by_its_witness() -> None:
    command = [sys.executable, "-W", "ignore", "-m", "tests.modelling.mutants"]
    ran = subprocess.run(command, cwd=Path(__file__).parents[2], capture_output=True, text=True, check=False)
    assert [line for line in ran.stdout.splitlines()[:-1] if "killed  " not in line] == []
    assert ran.stdout.endswith(f"{len(mutants())} of {len(mutants())} mutants killed\n")
