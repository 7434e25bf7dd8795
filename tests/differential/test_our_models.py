"""SPIN finds the counts and the verdict that the first line of our own Promela models states."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.differential.spin import Answer, ask_spin_of_file, needs_spin
from tests.product.test_models import expectation

MODELS = sorted((Path(__file__).resolve().parents[2] / "models").glob("*.pml"))
MEGABYTES = 500
SECONDS = 60


@needs_spin
@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.name)
def test_spin_counts_what_the_model_states(path: Path) -> None:
    answer = ask_spin_of_file(path, MEGABYTES, SECONDS)
    assert isinstance(answer, Answer), answer
    expected = expectation(path)
    assert (answer.states, answer.edges) == (int(expected["states"]), int(expected["transitions"]))
    assert bool(answer.errors) == (expected["verdict"] == "refuted")
