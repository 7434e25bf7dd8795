"""On random Promela models scrimp has SPIN's states, transitions, depth and errors."""

from __future__ import annotations

import os
from itertools import count, islice

import pytest
from tests.differential.comparing import compare
from tests.differential.random_promela import profile_of, random_text
from tests.differential.spin import needs_spin

MODELS = int(os.environ.get("SCRIMP_DIFFERENTIAL", "40"))
MODELS_PER_TEST = 20


@needs_spin
@pytest.mark.parametrize("first_seed", range(0, MODELS * 50, MODELS_PER_TEST * 50))
def test_figures_are_those_of_spin(first_seed: int) -> None:
    comparisons = ((seed, compare(random_text(seed))) for seed in count(first_seed))
    comparable = ((seed, each) for seed, each in comparisons if each.verdict != "left out")
    for seed, comparison in islice(comparable, MODELS_PER_TEST):
        assert comparison.verdict == "same", (
            f"python -m tests.differential --first {seed} --models 1 shows the least of a model "
            f"({profile_of(seed)}) with different {comparison.kind}\n{comparison}"
        )
