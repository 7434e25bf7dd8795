"""Random models do what docs/dve.md says, in the reference interpreter and in a search over native code."""

from __future__ import annotations

import pytest
from tests.frontends.dve import model
from tests.frontends.random_dve import random_model

import scrimp
from scrimp.system.reference import explore

LIMIT = 400


@pytest.mark.parametrize("seeds", [range(first, first + 40) for first in range(0, 120, 40)], ids=str)
def test_a_model_has_the_expected_states_and_transitions(seeds: range) -> None:
    for seed in seeds:
        made = random_model(seed)
        expected = made.explored(LIMIT)
        if expected is not None:
            found = explore(model(made.written).system)
            assert (len(found.states), found.transitions, found.deadlocks) == expected, made.written


@pytest.mark.parametrize("seed", [3, 14, 15, 92])
def test_native_code_does_the_same(seed: int) -> None:
    made = random_model(seed)
    found = scrimp.explore(model(made.written)).statistics
    assert (found.states, found.transitions, found.deadlocks) == made.explored(10**6)
