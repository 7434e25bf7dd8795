"""How large a breadth-first search will become, from the sizes of its levels so far.

Levels usually rise and fall like a bell, so that the logarithm of their sizes is a parabola that opens downwards. A
parabola is fitted to the last levels, through the slopes of two windows that follow each other, and gives the states
that are still to be found. Windows of several lengths give several answers; their median is the forecast, and the more
they differ, the wider is its range. How wide it has to be was measured on the corpus: `python -m bench.forecasts`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import exp, log
from statistics import median

FEWEST_LEVELS = 8
# Windows are so many parts of the levels, and have at least so many levels.
PARTS = (3, 5, 8, 12)
SHORTEST_WINDOW = 3
# The states still to be found may be fewer by e^(down + PER_SPREAD · spread), and more by e^up; `spread` is the
# logarithm of how much the answers of the windows differ. If the last level has less than FALLEN times the states of
# the largest one, levels have begun to fall: then a search may end abruptly; before, another rise may come.
RISING, FALLING = (0.75, 1.75), (1.3, 1.6)  # down, up
FALLEN, PER_SPREAD = 0.7, 0.4
# If more than so many times the states seen are still to be found, nothing is said: such forecasts are mostly wrong.
FARTHEST = 6.0
MOST_LEVELS_AHEAD = 4000
MOST_SUMS = 256
POWER = 0.8
LARGEST = 60.0  # e^60 states is out of reach

# The pace of the last part of a search counts beside that of the whole.
RECENT = 0.25
PACE_DOUBT = 1.25
# A change is near if the search will have at most so many times the states by then.
NEAR = 3


@dataclass(frozen=True, slots=True)
class Range:
    """A number that is not known exactly. Once a quarter of a search is done, it lies between `least` and `most` in
    about nine cases of ten."""

    least: float
    likely: float
    most: float


@dataclass(frozen=True, slots=True)
class Change:
    """The next change of representation: what becomes of the states, how many there will be then, and in how many
    seconds that is. `is_likely` if the search will probably become that large."""

    name: str
    states: Range
    seconds: Range
    is_likely: bool


@dataclass(frozen=True, slots=True)
class Forecast:
    """What is expected of a running search, if it is not ended by a finding or a limit.

    Attributes:
        states: how many states it will have visited; None if too little is known.
        seconds_left: how long it will take; None if too little is known.
        change: the next change of representation; None if there is none, or none is expected.
    """

    states: Range | None = None
    seconds_left: Range | None = None
    change: Change | None = None


def all_states(levels: Sequence[int], more: int = 0) -> Range | None:
    """How many states there will be, if these are the sizes of the levels so far, all of them complete, and `more` are
    known already of later levels."""
    if len(levels) < FEWEST_LEVELS:
        return None
    answers = list(_answers([log(max(size, 1)) for size in levels]))
    known = [each for each in answers if each is not None]
    if 2 * len(known) <= len(answers):
        return None
    seen, rest = sum(levels), median(known)
    if rest > FARTHEST * seen:
        return None
    down, up = FALLING if levels[-1] < FALLEN * max(levels) else RISING
    down += PER_SPREAD * log(max(known) / min(known))
    least, likely, most = (max(seen + rest * exp(by), seen + more) for by in (-down, 0.0, up))
    return Range(least, likely, most)


def summed(levels: Sequence[int]) -> tuple[list[int], int]:
    """Levels in sums of equally many, and how many these are, as engine/search/breadth_first/level_profile.h makes
    them: there may be as many levels as states."""
    sums, width = list(levels), 1
    while len(sums) > MOST_SUMS:
        sums = [sum(sums[place : place + 2]) for place in range(0, len(sums), 2)]
        width *= 2
    return sums, width


def cut_short(levels: Sequence[int], depth: int) -> Range | None:
    """How many states a search would have visited that ended while it expanded level `depth`."""
    sums, width = summed(levels[: depth + 1])
    complete = sums[: (depth + 1) // width]
    return all_states(complete, sum(levels) - sum(complete))


def _answers(heights: Sequence[float]) -> Iterator[float | None]:
    """By windows of different lengths, the states of the levels to come; None if no end is in sight."""
    count = len(heights)
    for length in sorted({max(SHORTEST_WINDOW, count // parts) for parts in PARTS}):
        if 2 * length <= count:
            yield _answer(heights, length)


def _answer(heights: Sequence[float], length: int) -> float | None:
    """By the last two windows of this length: the height, the slope and the bend of a parabola at their end.

    Levels that grow like a power of their number may do so forever, and the slope of their logarithms falls as well:
    as fast as the number of the level grows. An end is in sight only if it falls faster."""
    slope_before, _ = _line(heights[-2 * length : -length])
    slope, middle = _line(heights[-length:])
    half = (length - 1) / 2
    number = len(heights) - half  # of the level in the middle of the last window
    if slope > 0 and slope * number > POWER * slope_before * (number - length):
        return None
    bend = (slope - slope_before) / length
    return _ahead(middle + slope * half, slope + bend * half, bend)


def _line(heights: Sequence[float]) -> tuple[float, float]:
    """The slope of the line through these heights, by least squares, and its height in the middle."""
    half = (len(heights) - 1) / 2
    middle = sum(heights) / len(heights)
    squares = sum((place - half) ** 2 for place in range(len(heights)))
    return sum((place - half) * (height - middle) for place, height in enumerate(heights)) / squares, middle


def _ahead(height: float, slope: float, bend: float) -> float | None:
    """The sum of the levels after the last one; a bend upwards is not believed."""
    bend = min(bend, 0.0)
    total = 0.0
    for ahead in range(1, MOST_LEVELS_AHEAD):
        there = height + slope * ahead + bend * ahead * ahead / 2
        if there > LARGEST:
            return None
        size = exp(there)
        total += size
        is_falling = slope + bend * ahead < 0
        if is_falling and (size < 1 or size < total * 1e-4):
            return total
    return None


@dataclass(frozen=True, slots=True)
class Standing:
    """What a search in levels has reached: the sizes of the levels that were expanded, each the sum of `width` of them,
    and of the level `depth` that is being expanded."""

    seconds: float
    states: int
    waiting: int
    expanded: Sequence[int]
    width: int
    depth: int
    current: int

    @property
    def complete(self) -> Sequence[int]:
        """The levels of which all states are known, in sums of the same width."""
        if self.width == 1:
            return [*self.expanded, self.current]
        return self.expanded[: self.depth // self.width]


@dataclass(frozen=True, slots=True)
class Room:
    """What a store may become: the name of its next change, and how many states there will be then, roughly."""

    change: str
    states: Range


@dataclass(slots=True)
class Forecaster:
    """Follows one search: its pace, and what that means for the time left."""

    _marks: deque[tuple[float, int, int]] = field(default_factory=deque)

    def look(self, now: Standing, room: Room | None) -> Forecast | None:
        """What is expected; None if too little is known."""
        self._marks.append((now.seconds, now.states - now.waiting, now.states))
        while len(self._marks) > 2 and self._marks[2][0] <= now.seconds * (1 - RECENT):
            del self._marks[1]  # the first one stays
        states = all_states(now.complete, now.states - sum(now.complete))
        left = None if states is None else self._left(states)
        change = None if room is None else self._change(states, room)
        return None if states is None and change is None else Forecast(states, left, change)

    def _paces(self, column: int) -> list[float]:
        """How many states a second, since the beginning and of late."""
        last = self._marks[-1]
        since = [mark for mark in (self._marks[0], self._marks[min(1, len(self._marks) - 1)]) if mark[0] < last[0]]
        return [pace for mark in since if (pace := (last[column] - mark[column]) / (last[0] - mark[0])) > 0]

    def _left(self, states: Range) -> Range | None:
        paces = self._paces(1)
        if not paces:
            return None
        expanded = self._marks[-1][1]
        least, likely, most = (max(each - expanded, 0.0) for each in (states.least, states.likely, states.most))
        return Range(least / max(paces) / PACE_DOUBT, likely / paces[-1], most / min(paces) * PACE_DOUBT)

    def _change(self, states: Range | None, room: Room) -> Change | None:
        """The next change, if the search may become large enough: if that is not known, if it is near."""
        found, paces = self._marks[-1][2], self._paces(2)
        least, likely, most = (max(each, found) for each in (room.states.least, room.states.likely, room.states.most))
        reached = NEAR * found if states is None else states.most
        if reached < least or not paces:
            return None
        seconds = Range((least - found) / max(paces), (likely - found) / paces[-1], (most - found) / min(paces))
        is_likely = states is not None and states.likely >= likely
        return Change(room.change, Range(least, likely, most), seconds, is_likely)
