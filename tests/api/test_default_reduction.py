"""`check` reduces by itself, unless something is named that needs all states."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

import scrimp
from scrimp.frontends.model import Model
from scrimp.machine import compiler
from scrimp.machine.layout import Layout
from scrimp.reducing import AT_ONCE, FEW, FOR_TRACE, LEAST_FOR_TRACE, SMALL
from scrimp.reduction.relations import Relations, build_relations
from scrimp.runner import Scribe, Search
from scrimp.searching import Request, Searched, Watching, search
from scrimp.system.expressions import Expression
from scrimp.system.system import System
from scrimp.wire import Value

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


WAITING = "active [9] proctype P() { byte x; do :: x < 3 -> x++ :: x == 3 -> break od; false }"
ALONE = "byte x; active proctype P() { do :: x < 200 -> x++ :: x > 100 -> x-- :: x == 200 -> break od; false }"
COUNTERS = "byte a, b, c; active proctype P() { do :: a++ :: b++ :: a == 7 && b == 9 -> c = 1 - c od }"


@dataclass
class Noted:
    """The searches behind one check."""

    requests: list[Request] = field(default_factory=list)
    before: list[Searched | None] = field(default_factory=list)
    results: list[Searched] = field(default_factory=list)

    def search(self, model: Model, watching: Watching, request: Request, before: Searched | None = None) -> Searched:
        self.requests.append(request)
        self.before.append(before)
        self.results.append(search(model, watching, request, before))
        return self.results[-1]


@pytest.fixture
def noted(monkeypatch: pytest.MonkeyPatch) -> Noted:
    noted = Noted()
    monkeypatch.setattr("scrimp.reducing.search", noted.search)
    return noted


def test_a_search_for_a_shorter_trace_is_not_longer_than_the_search_that_found_it(noted: Noted) -> None:
    result = scrimp.check(scrimp.load(text=WAITING), reduction="auto")
    assert result.reduction_reason == FOR_TRACE or result.method.reduction == scrimp.Stubborn()
    assert (noted.requests[0].most_states, noted.requests[-1].most_states) == (FEW, LEAST_FOR_TRACE)


def test_a_search_for_a_shorter_trace_that_would_be_in_vain_is_not_begun(
    noted: Noted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scrimp.reducing.MIDDLING", 8)
    assert scrimp.check(scrimp.load(text=WAITING), reduction="auto").verdict is scrimp.Verdict.REFUTED
    assert 8 not in [request.most_bytes for request in noted.requests]


def test_the_trace_of_merged_steps_is_shortened_among_a_million_states_at_most(noted: Noted) -> None:
    result = scrimp.check(scrimp.load(text=ALONE))
    assert result.verdict is scrimp.Verdict.REFUTED
    assert result.has_shortest_traces
    assert noted.requests[-1].passes == ()
    assert noted.requests[-1].most_states == LEAST_FOR_TRACE


def test_the_trace_of_merged_steps_is_kept_if_more_states_were_visited_than_that(
    noted: Noted, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without merging there are at least as many."""
    monkeypatch.setattr("scrimp.reducing.LEAST_FOR_TRACE", 1)
    result = scrimp.check(scrimp.load(text=ALONE))
    assert result.verdict is scrimp.Verdict.REFUTED
    assert not result.has_shortest_traces
    assert [request for request in noted.requests if not request.passes] == []


def test_each_search_goes_on_with_what_the_last_one_learned(noted: Noted) -> None:
    scrimp.check(scrimp.load("models/peterson.pml", defines={"N": 4}))
    assert len(noted.results) > 2
    for before, result in zip(noted.before[1:], noted.results, strict=False):
        assert before is not None
        assert before.outcome is result.outcome


def test_code_is_optimised_for_long_searches_only(noted: Noted, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scrimp.reducing.COMPARED", 1)
    scrimp.check(scrimp.load(text=COUNTERS))
    assert [result.native.quick for result in noted.results] == [True, False]


def test_code_is_not_optimised_for_a_search_that_is_soon_over(noted: Noted, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scrimp.reducing.MEASURED", 500)
    monkeypatch.setattr("scrimp.reducing.SOON_OVER", 0)
    scrimp.check(scrimp.load("models/peterson.pml", defines={"N": 3}))
    assert noted.requests[-1].most_states == 0
    assert noted.results[-1].native.quick


def test_no_compiler_waits_during_a_long_search(monkeypatch: pytest.MonkeyPatch) -> None:
    waiting: list[tuple[bool, bool]] = []

    class Watched(Search):
        def start(self, options: Mapping[str, Value], scribe: Scribe | None = None) -> None:
            place = compiler._waiting.get()
            is_there = place is not None and place.compiler is not None
            waiting.append((options["state_limit"] != 0, is_there))
            super().start(options, scribe)

    monkeypatch.setenv("SCRIMP_CACHE", "off")
    monkeypatch.setattr("scrimp.searching.Search", Watched)
    scrimp.check(scrimp.load("models/peterson.pml", defines={"N": 4}))
    assert set(waiting) == {(True, True), (False, False)}


@pytest.fixture
def related(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[dict[str, Any]]:
    """What relations between events were computed for."""
    asked: list[dict[str, Any]] = []

    def noting(system: System, layout: Layout, watches: Sequence[Expression], **options: Any) -> Relations:
        asked.append(options)
        return build_relations(system, layout, watches, **options)

    monkeypatch.delenv("SCRIMP_CACHE", raising=False)
    monkeypatch.setenv("SCRIMP_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr("scrimp.reduction.relations.build_relations", noting)
    monkeypatch.setattr("scrimp.searching._latest_relations", {})
    return asked


def test_relations_are_computed_once(related: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch) -> None:
    first = scrimp.check(LARGE)
    assert len(related) == 1
    monkeypatch.setattr("scrimp.searching._latest_relations", {})
    assert scrimp.check(LARGE).statistics.states == first.statistics.states
    assert len(related) == 1


@pytest.mark.parametrize("other", [{"reduction": "local"}, {"invariant": "leaders < 2"}, {"as_written": True}], ids=str)
def test_relations_for_another_question_are_others(related: list[dict[str, Any]], other: dict[str, Any]) -> None:
    model = scrimp.load(REDUCIBLE)
    scrimp.check(model, reduction="stubborn")
    before = len(related)
    scrimp.check(model, **{"reduction": "stubborn", **other})
    assert len(related) > before


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
