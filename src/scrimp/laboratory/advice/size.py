"""How many states a model has, estimated from the levels of a breadth-first search that was cut short.

Some of the events of a level lead to new states, and fewer and fewer do as the search goes on: their share falls, more
or less linearly, with the number of visited states, and is zero when all were visited. So a line through the shares
reaches zero at about the number of states. Lines through all levels, through the later ones and through the last ones
are averaged, as none is best everywhere. The result is averaged with what is usual for levels that still grow, or no
longer do. It is a rough estimate: docs/results/advice.md has its error.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import exp, fsum, log, sqrt
from typing import NamedTuple

# Each line goes through the levels after this share of the visited states.
BEGINNINGS = (0.0, 0.2, 0.5)

# The number of states, as a multiple of the visited ones: at least, usually, at most.
LEAST_TIMES, USUAL_TIMES, MOST_TIMES = 1.5, 5.0, 12.0

# The usual multiple, if the last level is smaller than this share of the largest one.
USUAL = ((0.5, 1.5), (0.95, 2.5), (float("inf"), USUAL_TIMES))

# Four of five estimates are within this factor of the truth (docs/results/advice.md).
FACTOR = 4.0


@dataclass(frozen=True, slots=True)
class Range:
    """From `low` to `high`; both are equal if the value is known."""

    low: float
    likely: float
    high: float

    @property
    def is_known(self) -> bool:
        return self.low == self.high

    def times(self, low: float, likely: float, high: float) -> Range:
        return Range(self.low * low, self.likely * likely, self.high * high)


def known(value: float) -> Range:
    return Range(value, value, value)


class _Share(NamedTuple):
    """After `visited` states, the share `new` of the level's `events` led to new ones."""

    visited: int
    new: float
    events: int


def estimate_states(levels: Sequence[tuple[int, int]]) -> Range:
    """The number of states of a model, from a search that visited these levels and has more to visit."""
    visited = sum(states for states, _ in levels)
    ends = [log(_end(levels, beginning * visited, visited)) for beginning in BEGINNINGS]
    line = exp(fsum(ends) / len(ends))
    likely = sqrt(line * _usual(levels) * visited)
    return Range(max(visited, likely / FACTOR), likely, likely * FACTOR)


def _usual(levels: Sequence[tuple[int, int]]) -> float:
    largest = max((states for states, _ in levels), default=1)
    last = levels[-1][0] if levels else largest
    return next(times for part, times in USUAL if last < part * largest or part > 1)


def _end(levels: Sequence[tuple[int, int]], beginning: float, visited: int) -> float:
    """Where the line through the shares from `beginning` on reaches zero, within plausible limits."""
    shares = [share for share in _shares(levels) if share.visited >= beginning] or _shares(levels)[-3:]
    weight = sum(share.events for share in shares)
    if len(shares) < 2 or not weight:
        return USUAL_TIMES * visited
    middle = fsum(share.visited * share.events for share in shares) / weight
    mean = fsum(share.new * share.events for share in shares) / weight
    spread = fsum(share.events * (share.visited - middle) ** 2 for share in shares)
    slope = fsum(share.events * (share.visited - middle) * (share.new - mean) for share in shares)
    if slope >= 0 or not spread:
        return MOST_TIMES * visited
    return min(max(middle - mean * spread / slope, LEAST_TIMES * visited), MOST_TIMES * visited)


def _shares(levels: Sequence[tuple[int, int]]) -> list[_Share]:
    shares, visited = [], 0
    for (states, events), (following, _) in pairwise(levels):
        visited += states
        if events:
            shares.append(_Share(visited, following / events, events))
    return shares
