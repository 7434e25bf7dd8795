"""On random Promela models reductions keep what they promise to keep."""

from __future__ import annotations

import os
from itertools import count, islice

import pytest
from tests.differential.random_promela import profile_of, random_text
from tests.differential.reducing import ALL_REDUCTIONS, ReductionComparison, compare_reductions

MODELS = int(os.environ.get("SCRIMP_DIFFERENTIAL", "20"))
MODELS_PER_TEST = 10
# The models of a test together are searched under all reductions.
STEP = 4


def comparison(seed: int) -> ReductionComparison:
    return compare_reductions(random_text(seed), ALL_REDUCTIONS[seed % STEP :: STEP])


@pytest.mark.parametrize("first_seed", range(700_000, 700_000 + MODELS * 50, MODELS_PER_TEST * 50))
def test_reductions_find_what_the_full_search_finds(first_seed: int) -> None:
    comparisons = ((seed, comparison(seed)) for seed in count(first_seed))
    comparable = ((seed, each) for seed, each in comparisons if each.verdict != "left out")
    for seed, each in islice(comparable, MODELS_PER_TEST):
        assert each.verdict == "same", (
            f"python -m tests.differential --reductions --first {seed} --models 1 shows the least of a model "
            f"({profile_of(seed)}) with a difference\n{each}"
        )
