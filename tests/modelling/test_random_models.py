"""Random models do the same under CPython and as compiled systems, in all states of small ones."""

from __future__ import annotations

import os

import pytest
from tests.modelling.comparing import Comparison
from tests.modelling.generator import random_model
from tests.modelling.native import compare_native

MODELS = int(os.environ.get("SCRIMP_MODELS", "40"))


@pytest.mark.filterwarnings("ignore:coroutine .* was never awaited")
@pytest.mark.parametrize("seed", range(MODELS))
def test_cpython_and_the_system_agree_on_all_successors_of_all_states(seed: int) -> None:
    assert Comparison(random_model(seed), most_states=40).run() > 0


@pytest.mark.parametrize("seed", range(4))
def test_native_code_and_the_reference_interpreter_do_the_same(seed: int) -> None:
    assert compare_native(random_model(seed)) > 0
