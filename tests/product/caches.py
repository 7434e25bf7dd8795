"""Searches with a cache that is hardly larger than the path."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from scrimp.result import Result
from scrimp.strategies import Cache, Store
from scrimp.verdict import Ending, Verdict

LARGEST = 1_000_000


def with_the_smallest_cache(store: Store, search: Callable[..., Result], patience: float = 0.1) -> Result:
    """The result of the first cache that has room for the path and finishes in time. Smaller ones must say that
    they have no room. `patience` is in seconds."""
    assert isinstance(store, Cache)
    states = store.states or 1
    while states < LARGEST:
        result = search(store=replace(store, states=states), time=patience)
        if result.ending is Ending.CACHE:
            assert result.verdict is Verdict.UNDETERMINED
            assert result.statistics.stored_peak == states
            states += 1 + states // 3
        elif result.ending is Ending.TIME:
            states *= 4
        else:
            return result
    return search(store=replace(store, states=LARGEST))
