"""The comparison of random systems with their canonical states notices mistakes."""

from __future__ import annotations

import pytest
from tests.symmetry.mutants import MUTANTS, Mutant


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_mutant_is_killed(mutant: Mutant) -> None:
    assert mutant.killed_by([(mutant.kind, mutant.seed)])
