"""The same systems in Python and in another language have the same states and transitions."""

from __future__ import annotations

from pathlib import Path

import pytest

from scrimp.checking import explore

ROOT = Path(__file__).parents[2]
MODELS = sorted((Path(__file__).parent / "same").glob("*.py"))


def counterpart(path: Path) -> Path:
    """The model of the other language, which the first line names."""
    return ROOT / path.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ")


def test_there_are_ten_of_them() -> None:
    assert len(MODELS) >= 10


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_a_system_has_the_same_states_and_transitions_in_both_languages(path: Path) -> None:
    ours, theirs = explore(path).statistics, explore(counterpart(path)).statistics
    assert (ours.states, ours.transitions, ours.deadlocks) == (theirs.states, theirs.transitions, theirs.deadlocks)
