"""Predictions of complete searches, by method, from samples.

The store `auto` always suffices, if there is enough disk: what is predicted is whether it needs any. Other methods have
to stay within the memory.

Constants were found on the training half of the corpus (docs/results/advice.md). If a method evicts states, or if it is
unknown how many states a reduction leaves, the range is wide: a short sample cannot say more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import erf, log, sqrt

from scrimp.laboratory.advice.sample import Sample
from scrimp.laboratory.advice.size import Range, estimate_states, known
from scrimp.strategies import Method

# Bytes held for each byte of the states: with the slack of the table, and the states that wait to be expanded.
HELD_OF_FULL = (1.2, 1.45, 1.8)
HELD_OF_COMPRESSED = {"tree": (0.8, 1.5, 2.5), "cleary": (1.5, 2.5, 3.5)}
# Bytes for each state that the ComBack method stores: hash, backedge and slack; its caches are not included.
HELD_OF_COMBACK = (9.0, 11.0, 14.0)
# The share of the states that a breadth-first search with snapshots stores in the end, relative to that in the sample.
REMEMBERED = (0.2, 0.6, 1.1)
# Likewise, the share of the states that pseudoroot stores at the peak; and the bytes held for each byte of such a state
# and its counter.
REFERRED_TO = (0.6, 0.95, 1.0)
HELD_OF_PSEUDOROOT = (2.0, 3.2, 4.6)

# A search becomes slower as its table outgrows the processor's caches.
SLOWER = (0.8, 1.3, 2.5)
# Visits for each state, if states are evicted or left out.
VISITS_OF_SNAPSHOTS = (1.0, 1.5, 4.0)
LEFT_BY_STUBBORN = (0.02, 0.8, 1.0)
REBUILDING = (0.8, 2.0, 6.0)
# A search with states on disk compared with one in memory: docs/methods/auto.md.
ON_DISK = (1.0, 2.5, 5.0)
# A cache with room for a third of the states or more works; below that, most searches explode (GHP92, section 4).
ENOUGH_ROOM = 0.35

# The method that shows how small states are if they are compressed.
QUOTIENTS = Method.parse("bfs/full:compress=cleary")

# Disk that is less likely to be needed is not mentioned.
LEAST_DISK = 0.1

# Words for a chance, each from its lower bound on.
WORDS = ((0.9, "yes"), (0.5, "probably"), (0.1, "perhaps"), (0.0, "no"))

# A cache always fits, but its path may fill it, or the search may take forever.
CHANCE_OF_CACHE = 0.3


@dataclass(frozen=True, slots=True)
class Prediction:
    """The predicted memory and time of a complete search with one method.

    Attributes:
        method: the method.
        states: how many states it would visit, as a range.
        held: how many bytes the engine would hold.
        seconds: how long it would take.
        chance: the probability that it finishes within the memory limit.
        disk_chance: the probability that it keeps states on disk for that.
        is_measured: whether the sample was a complete search, so that nothing had to be predicted.

    Example:
        >>> import scrimp
        >>> prediction = scrimp.advise("models/peterson.dve", sample=0.1).predictions[0]
        >>> str(prediction.method), prediction.is_measured, prediction.states.likely
        ('bfs/auto', True, 20)
    """

    method: Method
    states: Range
    held: Range
    seconds: Range
    chance: float
    disk_chance: float = 0.0
    is_measured: bool = False

    @property
    def fit(self) -> str:
        """Whether the memory suffices, in words."""
        return _word(self.chance) + (f", disk: {_word(self.disk_chance)}" if self.disk_chance >= LEAST_DISK else "")


@dataclass(frozen=True, slots=True)
class Scale:
    """What samples of a model say about all its searches: how many states it has, the bytes of a state in the stores
    `full` and `full:compress=cleary`, and how many bytes the engine may hold."""

    states: Range
    plain_bytes: float
    quotient_bytes: float
    budget: int


def _word(chance: float) -> str:
    return next(word for least, word in WORDS if chance >= least)


def scale_of(samples: Sequence[Sample], budget: int) -> Scale:
    """From samples of some methods, `bfs/full` among them."""
    sizes = {sample.method: sample.bytes_per_state for sample in samples}
    plain = sizes[Method()]
    return Scale(states_of(samples), plain, sizes.get(QUOTIENTS) or plain, budget)


def states_of(samples: Sequence[Sample]) -> Range:
    """How many states the model has, by the most informative sample."""
    keeping = [each for each in samples if _keeps_all(each)]
    whole = next((each for each in keeping if each.is_complete), None)
    if whole is not None:
        return known(whole.states)
    in_levels = [each for each in keeping if each.levels]
    return estimate_states(max(in_levels, key=lambda each: each.states).levels) if in_levels else known(0)


def _keeps_all(sample: Sample) -> bool:
    return sample.method.reduction.keeps_all_states and not sample.method.store.may_forget


def predict(sample: Sample, scale: Scale) -> Prediction:
    """Predict the complete search that a sample began."""
    if sample.is_complete:
        held, seconds = known(sample.held), known(sample.seconds)
        chance = 1.0 if sample.method.store.changes else _chance(held, scale.budget)
        disk_chance = float(sample.on_disk)
        return Prediction(sample.method, known(sample.states), held, seconds, chance, disk_chance, is_measured=True)
    visited = _visited(sample, scale.states)
    seconds = _visits(sample, visited, scale).times(*SLOWER).times(*[sample.pace] * 3)
    if sample.method.store.changes:
        return _predict_changing(sample, visited, seconds, scale)
    held = _held(sample, visited, scale)
    chance = CHANCE_OF_CACHE if sample.method.store.evicts else _chance(held, scale.budget)
    return Prediction(sample.method, visited, held, seconds, 0.0 if sample.ran_out else chance)


def _predict_changing(sample: Sample, visited: Range, seconds: Range, scale: Scale) -> Prediction:
    """For the store `auto`: as much memory as there is may be used before states are compressed, and then written."""
    plain = visited.times(*HELD_OF_FULL).times(*[scale.plain_bytes] * 3)
    held = Range(*(min(bound, scale.budget) for bound in (plain.low, plain.likely, plain.high)))
    compressed = visited.times(*HELD_OF_COMPRESSED["cleary"]).times(*[scale.quotient_bytes] * 3)
    disk_chance = 1.0 if sample.on_disk else 1 - _chance(compressed, scale.budget)
    if not sample.on_disk:  # otherwise the pace of the sample is already that of the disk
        seconds = seconds.times(*(1 + (times - 1) * disk_chance for times in ON_DISK))
    return Prediction(sample.method, visited, held, seconds, 0.0 if sample.ran_out else 1.0, disk_chance)


def _visited(sample: Sample, states: Range) -> Range:
    """Distinct states of the complete search."""
    if sample.method.reduction.keeps_all_states:
        return states
    fewer = states.times(*LEFT_BY_STUBBORN)
    return Range(max(fewer.low, sample.states), max(fewer.likely, sample.states), max(fewer.high, sample.states))


def _visits(sample: Sample, visited: Range, scale: Scale) -> Range:
    store = sample.method.store
    if store.remembers_levels:
        return visited.times(*VISITS_OF_SNAPSHOTS)
    if store.rebuilds_states:
        return visited.times(*REBUILDING)
    if store.evicts:
        again = _again(sample, visited, scale)
        return visited.times(1.0, again, again**2)
    return visited


def _again(sample: Sample, states: Range, scale: Scale) -> float:
    """How often a state is visited with a cache: the smaller the cache and the more events lead to visited states, the
    more often."""
    room = min(1.0, scale.budget / (2 * scale.plain_bytes * states.likely))
    met = sample.matched / max(sample.transitions, 1)
    return 1 + 10 * met * max(0.0, ENOUGH_ROOM / room - 1)


def _held(sample: Sample, visited: Range, scale: Scale) -> Range:
    store, states, plain_bytes = sample.method.store, scale.states, scale.plain_bytes
    part = min(1.0, sample.stored / max(sample.states, 1))
    if store.rebuilds_states:
        return states.times(*HELD_OF_COMBACK)
    if store.remembers_levels:
        return states.times(*REMEMBERED).times(*HELD_OF_FULL).times(*[part * (plain_bytes + 8)] * 3)
    if store.forgets_for_good:
        return states.times(*REFERRED_TO).times(*HELD_OF_PSEUDOROOT).times(*[part * (plain_bytes + 8)] * 3)
    if store.evicts:
        return known(min(float(scale.budget), states.likely * plain_bytes * HELD_OF_FULL[1]))
    if store.compression == "cleary" or (store.compression == "tree" and plain_bytes > 8):
        return visited.times(*HELD_OF_COMPRESSED[store.compression]).times(*[sample.bytes_per_state] * 3)
    return visited.times(*HELD_OF_FULL).times(*[plain_bytes] * 3)


def _chance(held: Range, budget: int) -> float:
    """The probability that at most the budget is held, assuming that the logarithm is normally distributed and within
    the range eight times in ten."""
    if held.is_known:
        return float(held.likely <= budget)
    deviation = log(held.high / held.low) / (2 * 1.28)
    return (1 + erf(log(budget / held.likely) / (deviation * sqrt(2)))) / 2
