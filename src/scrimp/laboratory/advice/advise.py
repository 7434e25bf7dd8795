"""The advice: samples of every candidate, predictions of whole searches, and the one method to take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scrimp.laboratory.advice.prediction import Prediction, predict, states_of
from scrimp.laboratory.advice.sample import CANDIDATES, Sample, take
from scrimp.laboratory.advice.size import Range
from scrimp.memory import engine_budget
from scrimp.strategies import Method

if TYPE_CHECKING:
    from scrimp.frontends.model import Model

# The first sample, which tells how many states there are, has this part of the time.
FIRST_PART = 0.4

# Of methods that are about as good the one that comes first among the candidates is taken: it is the simpler one.
AS_GOOD = 1.25

# Below this all are as fast.
SHORTEST = 0.01

# What is not likely to fit must be much faster to be taken.
LEAST_CHANCE = 0.001


@dataclass(frozen=True, slots=True)
class Advice:
    """`predictions` are those of methods that can be used, the recommended one first, then by time; `refused` are the
    others, with the reason. `budget` is what the engine may hold of the memory."""

    states: Range
    budget: int
    predictions: tuple[Prediction, ...]
    refused: dict[Method, str]

    @property
    def recommended(self) -> Prediction:
        return self.predictions[0]


def advise(model: Model, memory: int | None, seconds: float) -> Advice:
    """Sample for about so many seconds in all, then predict."""
    take(model, CANDIDATES[0], 0.001)  # whatever is compiled or loaded first is no part of a sample
    budget = engine_budget(memory)
    samples: list[Sample] = []
    for method in CANDIDATES:
        part = FIRST_PART if not samples else (1 - FIRST_PART) / (len(CANDIDATES) - 1)
        samples.append(take(model, method, part * seconds))
    return advice_of(samples, budget)


def advice_of(samples: Sequence[Sample], budget: int) -> Advice:
    usable = [sample for sample in samples if not sample.refused]
    states = states_of(usable)
    plain_bytes = next(sample.bytes_per_state for sample in usable if sample.method == Method())
    predictions = [predict(sample, states, plain_bytes, budget) for sample in usable]
    cheapest = min(map(_cost, predictions))
    recommended = next(each for each in predictions if _cost(each) <= AS_GOOD * cheapest)
    return Advice(
        states=states,
        budget=budget,
        predictions=tuple(sorted(predictions, key=lambda each: (each is not recommended, _cost(each)))),
        refused={sample.method: sample.refused for sample in samples if sample.refused},
    )


def _cost(prediction: Prediction) -> float:
    return max(prediction.seconds.likely, SHORTEST) / max(prediction.chance, LEAST_CHANCE) ** 2
