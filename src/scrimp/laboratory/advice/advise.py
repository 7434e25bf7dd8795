"""The advice: samples of every candidate, predictions of complete searches, and the recommended method."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from scrimp.errors import OptionError
from scrimp.inputs import AnyModel, Memory, Time, limits_of, model_of, seconds_of, threads_of
from scrimp.laboratory.advice.prediction import Prediction, predict, scale_of
from scrimp.laboratory.advice.sample import CANDIDATES, USUAL, Sample, take
from scrimp.laboratory.advice.size import Range
from scrimp.laboratory.tables import text_lines
from scrimp.memory import SMALLEST_USEFUL, as_limit, besides_states, enough_with_disk, search_budget
from scrimp.numbers import amount, count, counted, duration
from scrimp.outputs.style import dim, plain, strong
from scrimp.strategies import Method

# The first sample, from which the number of states is estimated, gets this share of the time.
FIRST_PART = 0.4

# The usual method, `bfs/auto`, is recommended unless another is better by such a factor. Among methods that are about
# equally good, the first of the candidates is recommended: it is the simplest.
CLEARLY_BETTER = 2.0
AS_GOOD = 1.25

# A method that needs no disk is also better than the usual one if that probably does, and the other is as fast and
# this likely to fit.
NEEDS_DISK = 0.5
FITS = 0.9

# What the process that searches holds besides, if the model is of usual size.
FLOOR = 3 * 2**20

# Below this time, all methods count as equally fast.
SHORTEST = 0.1

# If no method is at least this likely to fit, none is better than the usual one: more memory is needed.
LIKELY = 0.5

# A method that is unlikely to fit is recommended only if it is much faster.
LEAST_CHANCE = 0.001


@dataclass(frozen=True, slots=True, repr=False)
class Advice:
    """Predictions of complete searches, from `advise`. `print(advice)` shows them as a table.

    Attributes:
        model: the model's path.
        states: how many states the model has, as a range.
        budget: how many bytes of the memory the engine may hold.
        smallest_with_disk: the smallest memory limit, in bytes, with which `bfs/auto` finishes, if it has enough disk.
        predictions: for the methods that can be used, the recommended one first, then by time.
        refused: the other methods, with the reason.

    Example:
        >>> import scrimp
        >>> advice = scrimp.advise("models/peterson.dve", sample=0.1)
        >>> advice
        <Advice for models/peterson.dve: bfs/auto of 15 methods>
        >>> advice.recommended.method.store
        Auto()
    """

    model: str
    states: Range
    budget: int
    smallest_with_disk: int
    predictions: tuple[Prediction, ...]
    refused: dict[Method, str]

    @property
    def recommended(self) -> Prediction:
        """The prediction for the recommended method."""
        return self.predictions[0]

    @property
    def has_room(self) -> bool:
        """Whether the recommended method is likely to stay within the memory."""
        return self.recommended.chance >= LIKELY

    @property
    def smallest(self) -> Prediction:
        """The prediction for the method that needs the least memory, among those that keep or rebuild every state they
        need, in memory: a cache that is too small may search forever."""
        lasting = [each for each in self.predictions if not each.method.store.evicts and not each.method.store.changes]
        return min(lasting, key=lambda each: each.held.high)

    @property
    def smallest_memory(self) -> int:
        """The smallest memory limit, in bytes, that is likely to suffice for `smallest`."""
        return _in_mebibytes(max(int(self.smallest.held.high), SMALLEST_USEFUL) + besides_states(FLOOR, 1))

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
        with_disk, without = as_limit(self.smallest_with_disk), as_limit(self.smallest_memory)
        yield f"  the least memory: --memory {with_disk} with {USUAL} and disk, {without} with {self.smallest.method}"
        if not self.has_room:
            yield f"  no method is likely to finish within the memory: at least {with_disk} are needed"
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
        Predictions for exact methods, and a recommendation: `bfs/auto`, unless another method that is likely to stay
        within the memory limit is twice as fast, or as fast without disk.

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
    shared = threads_of(threads, USUAL)
    model = model_of(model)
    first = take(model, CANDIDATES[0], 0.001, threads, limits.memory)  # so that samples do not include compiling
    if first.refused:
        raise OptionError(first.refused)
    budget = search_budget(limits.memory, FLOOR, shared)
    samples: list[Sample] = []
    for method in CANDIDATES:
        part = FIRST_PART if not samples else (1 - FIRST_PART) / (len(CANDIDATES) - 1)
        samples.append(take(model, method, part * seconds, threads, limits.memory))
    return advice_of(samples, budget, model.path, shared)


def advice_of(samples: Sequence[Sample], budget: int, model: str = "", threads: int = 1) -> Advice:
    usable = [sample for sample in samples if not sample.refused]
    scale = scale_of(usable, budget)
    predictions = [predict(sample, scale) for sample in usable]
    recommended = _recommended(predictions)
    words = max(-(-sample.bits // 64) for sample in usable)
    return Advice(
        model=model,
        states=scale.states,
        budget=budget,
        smallest_with_disk=_in_mebibytes(besides_states(FLOOR, threads) + enough_with_disk(words, threads)),
        predictions=tuple(sorted(predictions, key=lambda each: (each is not recommended, _cost(each)))),
        refused={sample.method: sample.refused for sample in samples if sample.refused},
    )


def _recommended(predictions: Sequence[Prediction]) -> Prediction:
    """The usual method unless another is clearly better; the simplest of those that are about equally good."""
    usual = next((each for each in predictions if each.method == USUAL), None)
    likely = [each for each in predictions if each.chance >= LIKELY] if usual is not None else predictions
    better = [each for each in likely if usual is None or _is_clearly_better(each, usual)]
    if usual is not None and not better:
        return usual
    cheapest = min(map(_cost, better))
    return next(each for each in better if _cost(each) <= AS_GOOD * cheapest)


def _is_clearly_better(one: Prediction, usual: Prediction) -> bool:
    saves_disk = usual.disk_chance >= NEEDS_DISK and one.disk_chance == 0.0 and one.chance >= FITS
    return _cost(one) * (1.0 if saves_disk else CLEARLY_BETTER) <= _cost(usual) and one is not usual


def _cost(prediction: Prediction) -> float:
    return max(prediction.seconds.likely, SHORTEST) / max(prediction.chance, LEAST_CHANCE) ** 2


def _in_mebibytes(needed: int) -> int:
    """Rounded up, as a memory limit is written."""
    return -(-needed // 2**20) * 2**20
