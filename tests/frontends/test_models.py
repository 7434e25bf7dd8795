"""Our own models have the counts and the verdict that their first line states."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from scrimp.frontends import load
from scrimp.growth import settled
from scrimp.system.reference import evaluate, explore

FOLDER = Path(__file__).parents[2] / "models"
MODELS = sorted(path for suffix in ("dve", "pml", "pnml", "py") for path in FOLDER.glob(f"*.{suffix}"))
# Larger ones are left to the tests of the native search: the reference interpreter would take minutes.
LARGEST = 10_000


@dataclass(frozen=True, slots=True)
class Expectation:
    states: int
    transitions: int
    deadlocks: int
    verdict: str


def expectation(path: Path) -> Expectation:
    line = path.read_text().splitlines()[0].removesuffix(" -->")
    counts = r"states=(\d+) transitions=(\d+) deadlocks=(\d+) verdict=(proved|refuted)"
    stated = re.fullmatch(rf"(?://|#|<!--) expect: {counts}", line)
    assert stated is not None, line
    return Expectation(int(stated[1]), int(stated[2]), int(stated[3]), stated[4])


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.name)
def test_a_model_has_the_counts_and_verdict_that_it_states(path: Path) -> None:
    expected = expectation(path)
    if expected.states > LARGEST:
        pytest.skip(f"{expected.states} states")
    system = settled(load(path)).system
    found = explore(system)
    violated = (
        found.deadlocks
        + found.faults
        + found.failed
        + sum(evaluate(system, state, invariant.test) == 0 for state in found.states for invariant in system.invariants)
    )
    verdict = "refuted" if violated else "proved"
    assert Expectation(len(found.states), found.transitions, found.deadlocks, verdict) == expected
