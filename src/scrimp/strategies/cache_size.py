"""Advice on the size of a cache, from the numbers of a search (GHP92, section 4)."""

from __future__ import annotations

from scrimp.statistics import Statistics
from scrimp.strategies.reductions import Reduction
from scrimp.verdict import Verdict

# With more visits per state a cache saves little memory for the time it costs; the curves of GHP92 end at about four.
TOO_OFTEN = 3.0
SELDOM = 1.5

# A cache this many times as large as the longest path has room to spare.
SPACIOUS = 4


def advice(verdict: Verdict, reduction: Reduction, numbers: Statistics) -> str | None:
    """One line on the size of the cache; None if the numbers say nothing about it."""
    if not numbers.entered:
        return None
    finished = verdict is Verdict.PROVED
    if numbers.most_stored == numbers.entered:
        unneeded = f"the cache is larger than needed: it never held more than {numbers.most_stored:,} states"
        return unneeded if finished else None
    times = f"each state was visited {numbers.visits_per_state:.1f} times on average"
    if numbers.visits_per_state > TOO_OFTEN:
        help_ = "" if reduction.sleeps else "; --reduce sleep would help as well"
        return f"the cache is too small: {times}{help_}"
    if finished and numbers.visits_per_state < SELDOM and numbers.most_stored > SPACIOUS * (numbers.depth + 1):
        room = f"the longest path took {numbers.depth + 1:,} of its {numbers.most_stored:,} states"
        return f"the cache is larger than needed: {times}, and {room}"
    return times
