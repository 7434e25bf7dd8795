"""The mutants of mutants.toml fit the engine as it is; `make mutants` shows that tests notice them."""

from __future__ import annotations

import pytest
from tests.mutants.__main__ import ROOT, Mutant, mutants


@pytest.mark.parametrize("mutant", mutants(), ids=lambda mutant: mutant.name)
def test_a_mutant_changes_one_place_of_the_engine(mutant: Mutant) -> None:
    assert (ROOT / "engine" / mutant.file).read_text().count(mutant.before) == 1
    assert mutant.after != mutant.before


@pytest.mark.parametrize("mutant", mutants(), ids=lambda mutant: mutant.name)
def test_a_mutant_names_a_test_of_the_engine(mutant: Mutant) -> None:
    assert (ROOT / "engine" / "tests" / f"{mutant.test}.cpp").exists()
