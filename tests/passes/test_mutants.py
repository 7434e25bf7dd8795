"""The comparison of random systems notices mistakes in passes."""

from __future__ import annotations

import pytest
from tests.passes.comparing import PROFILES, difference
from tests.passes.mutants import MUTANTS, Mutant


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_mutant_is_killed(mutant: Mutant) -> None:
    assert difference(mutant.seed, PROFILES[mutant.profile], [mutant.applied()]) != ""
