"""Models on which scrimp and SPIN once differed; the first line has SPIN's figures."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.differential.comparing import Comparison, Figures, ask_scrimp, has_claim
from tests.differential.spin import ask_spin, needs_spin

MODELS = sorted((Path(__file__).parent / "found").glob("*.pml"))


def first_line(path: Path) -> str:
    return path.read_text().partition("\n")[0].removeprefix("/* ").removesuffix(" */")


def expected(path: Path) -> Figures | None:
    """None if something faults: figures up to the fault cannot be compared."""
    numbers = {name: int(value) for name, value in re.findall(r"(\w+)=(\d+)", first_line(path))}
    if not numbers:
        return None
    return Figures(
        states=numbers["states"],
        edges=numbers["edges"],
        depth=numbers["depth"],
        deadlocks=bool(numbers["deadlocks"]),
        failures=bool(numbers["failures"]),
    )


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_figures_are_what_spin_said(path: Path) -> None:
    found = ask_scrimp(path.read_text())
    figures = expected(path)
    if figures is None:
        assert isinstance(found, Figures)
        assert found.failures
    else:
        assert found == figures


@needs_spin
@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_spin_still_says_so(path: Path) -> None:
    text = path.read_text()
    assert Comparison(ask_spin(text, claimed=has_claim(text)), None).spins_line == first_line(path)
