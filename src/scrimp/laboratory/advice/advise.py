"""The advice: samples of every candidate, predictions of complete searches, and the recommended method."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from scrimp.errors import OptionError
from scrimp.inputs import AnyModel, Memory, Time, limits_of, model_of, require_threads, seconds_of
from scrimp.laboratory.advice.prediction import Prediction, predict, states_of
from scrimp.laboratory.advice.sample import CANDIDATES, Sample, take
from scrimp.laboratory.advice.size import Range
from scrimp.laboratory.tables import text_lines
from scrimp.memory import RESERVE, RESERVE_OF_A_THREAD, search_budget
from scrimp.numbers import amount, count, counted, duration
from scrimp.outputs.style import dim, plain, strong
from scrimp.strategies import Method

# The first sample, from which the number of states is estimated, gets this share of the time.
FIRST_PART = 0.4

# Among methods that are about equally good, the first of the candidates is recommended: it is the simplest.
AS_GOOD = 1.25

# What the process that searches holds besides, if the model is of usual size.
FLOOR = 3 * 2**20

# Below this time, all methods count as equally fast.
SHORTEST = 0.01

# A method that is unlikely to fit is recommended only if it is much faster.
LEAST_CHANCE = 0.001


@dataclass(frozen=True, slots=True, repr=False)
class Advice:
    """Predictions of complete searches, from `advise`. `print(advice)` shows them as a table.

    Attributes:
        model: the model's path.
        states: how many states the model has, as a range.
        budget: how many bytes of the memory the engine may hold.
        predictions: for the methods that can be used, the recommended one first, then by time.
        refused: the other methods, with the reason.

    Example:
        >>> import scrimp
        >>> advice = scrimp.advise("models/peterson.dve", sample=0.1)
        >>> advice
        <Advice for models/peterson.dve: bfs/full of 11 methods>
        >>> advice.recommended.method.store
        Full(compress='none')
    """

    model: str
    states: Range
    budget: int
    predictions: tuple[Prediction, ...]
    refused: dict[Method, str]

    @property
    def recommended(self) -> Prediction:
        """The prediction for the recommended method."""
        return self.predictions[0]

    @property
    def smallest(self) -> Prediction:
        """The prediction for the method that needs the least memory, among those that keep or rebuild every state they
        need: a cache that is too small may search forever."""
        lasting = [each for each in self.predictions if not each.method.store.evicts]
        return min(lasting, key=lambda each: each.held.high)

    @property
    def smallest_memory(self) -> int:
        """The smallest memory limit, in bytes, that is likely to suffice for `smallest`."""
        held = int(self.smallest.held.high)
        return -(-(held + FLOOR + RESERVE + RESERVE_OF_A_THREAD) // 2**20) * 2**20

    def __str__(self) -> str:
        return plain("\n".join(self.lines()))

    def __repr__(self) -> str:
        methods = counted(len(self.predictions) + len(self.refused), "method")
        return f"<Advice for {self.model}: {self.recommended.method} of {methods}>"

    def lines(self) -> Iterator[str]:
        """The lines of the text, styled for a terminal."""
        states = _shown(self.states, lambda value: count(_rounded(value)))
        name = Path(self.model).name
        yield f"{strong(name)}  {states} states; the engine may hold {amount(self.budget)}"
        rows = [
            [
                strong(str(each.method)) if each is self.recommended else str(each.method),
                each.fit + (", measured" if each.is_measured else ""),
                _shown(each.held, amount),
                _shown(each.seconds, duration),
            ]
            for each in self.predictions
        ]
        header = [dim(heading) for heading in ("method", "within the memory", "held by the engine", "time")]
        yield from text_lines(header, rows, left=2)
        yield f"  the least memory: --memory {self.smallest_memory // 2**20}M with {self.smallest.method}"
        for method, reason in self.refused.items():
            yield f"  {dim(f'{method}:')} {reason}"


def _shown(value: Range, text: Callable[[float], str]) -> str:
    if value.is_known:
        return text(value.likely)
    return f"about {text(value.likely)} ({text(value.low)} to {text(value.high)})"


def _rounded(value: float) -> int:
    """Rounded to two digits if it is an estimate, which is not a whole number."""
    digits = 2 - len(str(int(value))) if value != int(value) else 0
    return int(round(value, min(digits, 0)))


def advise(model: AnyModel, *, memory: Memory | None = None, sample: Time = "5s", threads: int | None = None) -> Advice:
    """Predict the memory and time of complete searches of a model from short ones.

    Args:
        model: the model, or the path of its file.
        memory: the limit that the search is to stay within, as for `check`.
        sample: how long to sample in total: seconds, or a text such as `"5s"`.
        threads: how many threads a search has if its method can use several, as for `check`.

    Returns:
        Predictions for exact methods, and a recommendation: the fastest that is likely to stay within the memory limit.

    Raises:
        OptionError: for an argument that cannot be used.
        ModelError: for a mistake in the model.

    Example:
        >>> import scrimp
        >>> advice = scrimp.advise("models/peterson.dve", memory="200M", sample="0.1s")
        >>> advice.recommended.fit
        'yes'
        >>> scrimp.check("models/peterson.dve", method=advice.recommended.method, memory="200M").verdict
        <Verdict.PROVED: 'proved'>
    """
    limits = limits_of(memory, None, None)
    seconds = seconds_of("sample", sample)
    if not seconds or not 0 < seconds < float("inf"):
        raise OptionError(f"sample: expected a time such as '5s', found {sample!r:.80}")
    if threads is not None:
        require_threads(threads)
    model = model_of(model)
    take(model, CANDIDATES[0], 0.001, threads)  # so that samples do not include compiling
    budget = search_budget(limits.memory, FLOOR, threads or 1)
    samples: list[Sample] = []
    for method in CANDIDATES:
        part = FIRST_PART if not samples else (1 - FIRST_PART) / (len(CANDIDATES) - 1)
        samples.append(take(model, method, part * seconds, threads, limits.memory))
    return advice_of(samples, budget, model.path)


def advice_of(samples: Sequence[Sample], budget: int, model: str = "") -> Advice:
    usable = [sample for sample in samples if not sample.refused]
    states = states_of(usable)
    plain_bytes = next(sample.bytes_per_state for sample in usable if sample.method == Method())
    predictions = [predict(sample, states, plain_bytes, budget) for sample in usable]
    cheapest = min(map(_cost, predictions))
    recommended = next(each for each in predictions if _cost(each) <= AS_GOOD * cheapest)
    return Advice(
        model=model,
        states=states,
        budget=budget,
        predictions=tuple(sorted(predictions, key=lambda each: (each is not recommended, _cost(each)))),
        refused={sample.method: sample.refused for sample in samples if sample.refused},
    )


def _cost(prediction: Prediction) -> float:
    return max(prediction.seconds.likely, SHORTEST) / max(prediction.chance, LEAST_CHANCE) ** 2
