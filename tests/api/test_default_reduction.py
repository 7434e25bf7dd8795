"""`check` reduces by itself, unless something is named that needs all states."""

from __future__ import annotations

import re
from typing import Any

import pytest

import scrimp
from scrimp.frontends.model import Model
from scrimp.reducing import AT_ONCE, FEW, FOR_TRACE, LEAST_FOR_TRACE, SMALL
from scrimp.searching import Request, Searched, Watching, search

REDUCIBLE = "models/leader_election.pml"
LARGE = scrimp.load(REDUCIBLE, defines={"N": 5})


def test_a_model_is_reduced_by_default_and_the_report_says_what_that_saved() -> None:
    result = scrimp.check(LARGE)
    everything = scrimp.check(LARGE, reduction="none")
    assert result.verdict is everything.verdict
    assert result.method.reduction == scrimp.Stubborn()
    assert result.statistics.states < everything.statistics.states
    assert re.fullmatch(r"it left out [1-9][\d,]* of [\d,]+ events", result.reduction_reason)
    assert f"reduction stubborn ({result.reduction_reason})" in str(result)


def test_a_small_model_is_reduced_as_well() -> None:
    result, everything = scrimp.check(REDUCIBLE), scrimp.check(REDUCIBLE, reduction="none")
    assert FEW < everything.statistics.states < LEAST_FOR_TRACE
    assert result.method.reduction == scrimp.Stubborn()
    assert result.statistics.states < everything.statistics.states


def test_a_reduction_that_saves_less_and_less_is_not_used() -> None:
    result = scrimp.check(scrimp.load("models/peterson.pml", defines={"N": 4}))
    assert result.method.reduction == scrimp.NoReduction()
    assert re.fullmatch(
        r"stubborn sets would save about \d% of the states, at [\d.]+ times the work for each",
        result.reduction_reason,
    )


def test_a_search_for_a_shorter_trace_is_not_longer_than_the_search_that_found_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    limits: list[int] = []

    def noting(model: Model, watching: Watching, request: Request, before: Searched | None = None) -> Searched:
        limits.append(request.most_states)
        return search(model, watching, request, before)

    monkeypatch.setattr("scrimp.reducing.search", noting)
    waiting = "active [9] proctype P() { byte x; do :: x < 3 -> x++ :: x == 3 -> break od; false }"
    result = scrimp.check(scrimp.load(text=waiting), reduction="auto")
    assert result.reduction_reason == FOR_TRACE or result.method.reduction == scrimp.Stubborn()
    assert (limits[0], limits[-1]) == (FEW, LEAST_FOR_TRACE)


def test_a_search_for_a_shorter_trace_that_would_be_in_vain_is_not_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    limits: list[int | None] = []

    def noting(model: Model, watching: Watching, request: Request, before: Searched | None = None) -> Searched:
        limits.append(request.most_bytes)
        return search(model, watching, request, before)

    monkeypatch.setattr("scrimp.reducing.search", noting)
    monkeypatch.setattr("scrimp.reducing.MIDDLING", 8)
    waiting = "active [9] proctype P() { byte x; do :: x < 3 -> x++ :: x == 3 -> break od; false }"
    assert scrimp.check(scrimp.load(text=waiting), reduction="auto").verdict is scrimp.Verdict.REFUTED
    assert 8 not in limits


def test_breadth_first_few_states_are_expanded_in_full_because_of_the_proviso() -> None:
    """Ranks are learned from states of whole runs, not only of their beginnings."""
    states = [scrimp.check(LARGE, order=order, reduction="stubborn").statistics.states for order in ("bfs", "dfs")]
    assert states[0] < 1.5 * states[1]


def test_only_deadlocks_are_looked_for_without_the_proviso() -> None:
    result = scrimp.check(LARGE, only="deadlock")
    assert result.method.reduction == scrimp.Stubborn(proviso=False)
    assert {each.kind for each in result.left_out} >= {"assertion", "fault"}


@pytest.mark.parametrize(
    "named",
    [
        {"order": "bfs"},
        {"store": "full"},
        {"reduction": "none"},
        {"method": "bfs/auto/none"},
        {"depth": 10_000},
        {"violations": 2},
        {"as_written": True},
    ],
    ids=str,
)
def test_what_is_named_is_searched_without_a_reduction(named: dict[str, Any]) -> None:
    result = scrimp.check(REDUCIBLE, **named)
    assert result.method.reduction == scrimp.NoReduction()
    assert result.reduction_reason == ""


def test_a_small_model_is_not_reduced() -> None:
    result = scrimp.check("models/peterson.dve")
    assert result.statistics.states < FEW
    assert (result.method.reduction, result.reduction_reason) == (scrimp.NoReduction(), SMALL)
    assert str(result.method.store) == "auto"


def test_a_violation_near_the_beginning_is_found_without_a_reduction() -> None:
    result = scrimp.check("models/broken_lock.dve")
    assert (result.verdict, result.reduction_reason) == (scrimp.Verdict.REFUTED, AT_ONCE)
