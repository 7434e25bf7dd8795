"""A model searched in full and under reductions, side by side: both find what the reduction promises to keep."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.differential.comparing import Verdict, at_most
from tests.product.strategies import DEADLOCKS_ONLY, REDUCTIONS

import scrimp

LARGEST = 20_000
# Many times what a model of that size takes, and yet short: models that are given up should not take long either.
SECONDS = 20
PATIENCE = 2

ALL_REDUCTIONS: list[scrimp.Reduction] = [*REDUCTIONS, *DEADLOCKS_ONLY]


@dataclass(frozen=True, slots=True)
class Kept:
    """What a search found; None for what its reduction does not promise to keep."""

    states: int | None
    deadlocks: int
    failures: bool | None


@dataclass(frozen=True, slots=True)
class ReductionComparison:
    """`differences` has, by reduction, what was expected and what was found, or the error that the search ended with.
    `states` is None if the model is too large or invalid."""

    states: int | None
    differences: Mapping[str, str] = field(default_factory=dict)

    @property
    def verdict(self) -> Verdict:
        if self.states is None:
            return "left out"
        return "different" if self.differences else "same"

    @property
    def kind(self) -> str:
        return ", ".join(self.differences)

    @property
    def headline(self) -> str:
        return ""

    def __str__(self) -> str:
        return "\n".join(f"{reduction}: {found}" for reduction, found in self.differences.items())


def compare_reductions(text: str, reductions: Sequence[scrimp.Reduction] = ALL_REDUCTIONS) -> ReductionComparison:
    """Search a model without its claim, in full and under each of the reductions."""
    with tempfile.TemporaryDirectory(prefix="scrimp-reducing-") as folder:
        path = Path(folder) / "model.pml"
        path.write_text(text)
        try:
            with at_most(SECONDS):
                model = scrimp.load(path, ignore_property=True)
                full = scrimp.explore(model, order=scrimp.DepthFirst(), time=PATIENCE)
        except (scrimp.ScrimpError, TimeoutError):
            return ReductionComparison(None)
    if full.verdict is not scrimp.Verdict.PROVED or full.statistics.states > LARGEST:
        return ReductionComparison(None)
    pairs = ((reduction, _difference(model, full, reduction)) for reduction in reductions)
    return ReductionComparison(
        full.statistics.states, {str(reduction): difference for reduction, difference in pairs if difference}
    )


def _difference(model: scrimp.Model, full: scrimp.Result, reduction: scrimp.Reduction) -> str | None:
    """Every choice of the reduction is audited as well."""
    try:
        result = scrimp.explore(model, order=scrimp.DepthFirst(), reduction=reduction, audit=True)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    expected, found = _kept(full, reduction), _kept(result, reduction)
    return None if expected == found else f"{found} not {expected}"


def _kept(result: scrimp.Result, reduction: scrimp.Reduction) -> Kept:
    numbers = result.statistics
    return Kept(
        numbers.states if reduction.keeps_all_states else None,
        numbers.deadlocks,
        numbers.violations > 0 if reduction.keeps_violations else None,
    )
