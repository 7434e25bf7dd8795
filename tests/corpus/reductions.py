"""The Promela part of the corpus under reductions: what each finds, and in how many states; SPIN's reduction beside
ours."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from tests.corpus.promela import PromelaCount, load
from tests.differential.spin import DEADLOCK, Answer, ask_reducing_spin_of_file

import scrimp

BEST = scrimp.Stubborn() + scrimp.Sleep()
REDUCTIONS: tuple[scrimp.Reduction, ...] = (
    scrimp.Local(),
    scrimp.Overman(refined=True),
    scrimp.Stubborn(),
    scrimp.Local() + scrimp.Sleep(),
    BEST,
)

MEGABYTES = 2_000
SECONDS = 300


@dataclass(frozen=True, slots=True)
class Verdicts:
    """What a reduction must not hide: a deadlock, a violated assertion, a fault."""

    deadlock: bool
    failure: bool


@dataclass(frozen=True, slots=True)
class Explored:
    states: int
    verdicts: Verdicts


def explored(count: PromelaCount, reduction: scrimp.Reduction) -> Explored:
    result = scrimp.explore(load(count), order=scrimp.DepthFirst(), reduction=reduction)
    if result.verdict is not scrimp.Verdict.PROVED:
        raise RuntimeError(f"{count}: {result.reason}")
    numbers = result.statistics
    return Explored(numbers.states, Verdicts(numbers.deadlocks > 0, numbers.violations > 0))


def explored_by_spin(count: PromelaCount) -> Explored:
    """Under SPIN's own reduction, without statement merging and its other optimisations."""
    answer = ask_reducing_spin_of_file(count.path, dict(count.defines), MEGABYTES, SECONDS)
    if not isinstance(answer, Answer):
        raise RuntimeError(f"{count}: {answer.stage}: {answer.reason}")
    return Explored(answer.states, Verdicts(DEADLOCK in answer.errors, any(kind != DEADLOCK for kind in answer.errors)))


def geometric_mean(ratios: Iterable[float]) -> float:
    logarithms = [math.log(ratio) for ratio in ratios]
    return math.exp(math.fsum(logarithms) / len(logarithms))
