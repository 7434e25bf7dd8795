"""What the numbers of a search with a cache say about the size of the cache (GHP92, section 4)."""

from __future__ import annotations

from dataclasses import replace

from scrimp.result import Ending, Result, Statistics, Verdict
from scrimp.strategies import Cache, Pseudoroot, Store

# Beyond this a cache saves little memory for the time it costs; GHP92 ends its curves at about four.
TOO_OFTEN = 3.0
SELDOM = 1.5

# A cache so many times as large as the longest path has room to spare.
SPACIOUS = 4

# A cache of so many bytes has room for some states, whatever they are.
SMALL_BYTES = 64 << 10


def remedy(ending: Ending, store: Store, numbers: Statistics) -> str:
    """What would help a search whose path alone fills its cache: nobody knows how long the path would have become."""
    if isinstance(store, Pseudoroot) and ending == "memory":
        return _remedy_of_counting(store, numbers)
    if ending != "cache" or not isinstance(store, Cache | Pseudoroot):
        return ""
    if numbers.most_stored == 0 and isinstance(store, Cache):
        return f"not one state fits into it; there is little room, but some, in {replace(store, bytes=SMALL_BYTES)}"
    return f"it is longer than {numbers.most_stored:,} states; twice the room may do: {store.doubled()}"


def _remedy_of_counting(store: Pseudoroot, numbers: Statistics) -> str:
    if numbers.entered:
        return "not even the path has room in it; twice the memory may do"
    if store.source == "counted":
        return "the search that counts what leads to states stores all; source=inverse, where it is possible, does not"
    return ""


def advice(result: Result) -> str | None:
    """One line on the size of the cache; None where nothing can be said."""
    numbers = result.statistics
    store = result.store
    if not store.may_forget or store.remembers_levels or store.forgets_for_good or not numbers.entered:
        return None
    finished = result.verdict is Verdict.PROVED
    if numbers.most_stored == numbers.entered:
        unneeded = f"the cache is larger than needed: it never held more than {numbers.most_stored:,} states"
        return unneeded if finished else None
    times = f"each state was visited {numbers.visits_per_state:.1f} times on average"
    if numbers.visits_per_state > TOO_OFTEN:
        help_ = "" if result.reduction.sleeps else ", and sleep sets would help as well"
        return f"the cache is too small: {times}{help_}"
    if finished and numbers.visits_per_state < SELDOM and numbers.most_stored > SPACIOUS * (numbers.depth + 1):
        room = f"the longest path took {numbers.depth + 1:,} of its {numbers.most_stored:,} states"
        return f"the cache is larger than needed: {times}, and {room}"
    return times
