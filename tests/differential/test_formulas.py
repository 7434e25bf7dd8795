"""Random formulas on small random models have SPIN's verdicts. `python -m tests.differential.formulas` has more."""

from __future__ import annotations

import pytest
from tests.differential.formulas import compare_all
from tests.differential.spin import needs_spin

PAIRS = 6


@needs_spin
@pytest.mark.parametrize("fair", [False, True], ids=["unfair", "fair"])
def test_random_formulas_have_the_verdicts_of_spin(fair: bool) -> None:
    found = dict(compare_all(0, PAIRS, fair))
    assert {seed: said for seed, said in found.items() if said not in ("PROVED", "REFUTED")} == {}
