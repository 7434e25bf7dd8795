"""What a search with a cache says about the size of its cache."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.cli.results import CACHED, PROVED, REFERENCED

from scrimp.result import Result
from scrimp.strategies import Cache, NoReduction, Pseudoroot, Store
from scrimp.strategies.cache_size import advice
from scrimp.verdict import Ending, Verdict


def advice_on(result: Result) -> str | None:
    return advice(result.verdict, result.method.reduction, result.statistics)


def remarks(result: Result) -> list[tuple[str, str]]:
    return list(result.method.store.remarks(result.verdict, result.method.reduction, result.statistics))


def searched(*, visits: int, stored: int, depth: int) -> Result:
    """A search of (an estimated) 12,376 states."""
    return replace(CACHED, statistics=replace(CACHED.statistics, visits=visits, stored_peak=stored, depth=depth))


def test_if_nothing_is_evicted_there_is_nothing_to_say() -> None:
    assert remarks(PROVED) == []


def test_a_cache_that_never_evicted_is_larger_than_needed() -> None:
    result = searched(visits=12_376, stored=12_376, depth=545)
    assert advice_on(result) == "the cache is larger than needed: it never held more than 12,376 states"


def test_a_cache_is_too_small_if_states_are_visited_often() -> None:
    result = searched(visits=12_376 * 7, stored=600, depth=545)
    assert advice_on(result) == "the cache is too small: each state was visited 7.0 times on average"


def test_without_sleep_sets_they_are_recommended() -> None:
    result = searched(visits=12_376 * 7, stored=600, depth=545)
    result = replace(result, method=replace(result.method, reduction=NoReduction()))
    assert str(advice_on(result)).endswith("7.0 times on average; --reduce sleep would help as well")


def test_a_cache_with_few_visits_and_a_short_path_is_larger_than_needed() -> None:
    assert advice_on(searched(visits=13_000, stored=6_000, depth=545)) == (
        "the cache is larger than needed: each state was visited 1.1 times on average, and the longest path took 546 "
        "of its 6,000 states"
    )


def test_between_the_extremes_the_visits_are_reported() -> None:
    assert advice_on(searched(visits=13_000, stored=600, depth=545)) == "each state was visited 1.1 times on average"
    assert advice_on(searched(visits=20_000, stored=6_000, depth=545)) == "each state was visited 1.6 times on average"


def test_an_unfinished_search_gets_no_advice_to_shrink_its_cache() -> None:
    kept = searched(visits=12_376, stored=12_376, depth=545)
    assert advice_on(replace(kept, verdict=Verdict.UNDETERMINED)) is None
    forgot = searched(visits=13_000, stored=6_000, depth=545)
    assert advice_on(replace(forgot, verdict=Verdict.REFUTED)) == "each state was visited 1.1 times on average"


def test_if_references_are_counted_there_is_no_advice_on_a_cache_size() -> None:
    assert remarks(REFERENCED) == []


def test_if_counting_edges_runs_out_of_memory_the_remedy_does_without_counting() -> None:
    counting = replace(REFERENCED.statistics, states=0, visits=0)
    store = REFERENCED.method.store
    assert "source=inverse, if the model allows it, does not" in store.remedy(Ending.MEMORY, counting)
    assert "the search path alone needs more" in store.remedy(Ending.MEMORY, REFERENCED.statistics)


@pytest.mark.parametrize(
    ("store", "larger"),
    [
        (Cache(states=600, policy="lru"), "cache:states=1200,policy=lru"),
        (Cache(bytes=2**20), "cache:bytes=2M"),
        (Pseudoroot(states=600), "pseudoroot:states=1200"),
        (Cache(), "a larger --memory"),
    ],
    ids=str,
)
def test_if_the_path_fills_the_cache_a_larger_size_is_suggested(store: Store, larger: str) -> None:
    said = store.remedy(Ending.CACHE, CACHED.statistics)
    assert said == f"it is longer than 600 states; try {larger}"


def test_a_cache_too_small_for_any_state_is_not_doubled() -> None:
    empty = replace(CACHED.statistics, stored_peak=0)
    assert Cache(bytes=1).cause(Ending.CACHE, empty) == "the cache cannot hold a single state"
    assert Cache(bytes=1).remedy(Ending.CACHE, empty) == "try cache:bytes=64K"


def test_other_endings_get_no_advice_on_the_cache() -> None:
    assert Cache(states=600).remedy(Ending.TIME, CACHED.statistics) == ""
