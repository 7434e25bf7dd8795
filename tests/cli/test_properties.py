"""Properties are values: those that are checked, the verdict on each after a search, and a store's own report."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path

import pytest
from click import unstyle
from tests.cli.conftest import Scrimp

import scrimp as library
from scrimp import Assertions, Deadlock, Ending, Faults, Invariant, Property, Reach, Result, Store
from scrimp.outputs.text import report_lines
from scrimp.strategies import STORES

# The engine reports these for any store, and Statistics has fields for them.
GENERAL = {"stored_peak", "state_bytes", "distinct_states", "events_beside"}


def verdicts(result: Result) -> dict[Property, str]:
    return {each.property: each.verdict.value for each in result.properties}


@pytest.mark.parametrize(
    ("asked", "kind", "name", "text"),
    [
        (Assertions(), "assertion", "", "no assertion violated"),
        (Faults(), "fault", "", "no fault"),
        (Deadlock(), "deadlock", "", "no deadlock"),
        (Invariant("x < 3"), "invariant", "x < 3", "always x < 3"),
        (Reach("x == 3"), "reach", "x == 3", "reachable x == 3"),
    ],
    ids=str,
)
def test_a_property_is_a_value(asked: Property, kind: str, name: str, text: str) -> None:
    assert (asked.kind, asked.name, asked.text, str(asked)) == (kind, name, text, text)
    assert asked == type(asked)(*(getattr(asked, field.name) for field in fields(asked) if field.init))


def test_the_properties_to_check_are_a_list(folder: Path) -> None:
    result = library.check(library.load("lock.dve"), invariant=["turn < 2"], reach=["P1.critical"], allow_deadlock=True)
    assert verdicts(result) == {
        Assertions(): "proved",
        Faults(): "proved",
        Invariant("turn < 2"): "proved",
        Reach("P1.critical"): "proved",
    }


def test_a_search_that_stops_at_a_violation_leaves_other_properties_undetermined(folder: Path) -> None:
    result = library.check(library.load("lock.dve"), invariant=["turn == 0", "turn < 2"], reach=["turn == 0"])
    assert (result.ending, result.verdict.value, result.reason) == (
        Ending.VIOLATIONS,
        "refuted",
        "turn == 0 does not hold",
    )
    assert verdicts(result) == {
        Assertions(): "undetermined",
        Faults(): "undetermined",
        Deadlock(): "undetermined",
        Invariant("turn == 0"): "refuted",
        Invariant("turn < 2"): "undetermined",
        Reach("turn == 0"): "proved",
    }


def test_a_search_that_goes_on_after_a_violation_proves_other_properties(folder: Path) -> None:
    result = library.check(library.load("lock.dve"), invariant=["turn == 0", "turn < 2"], violations="all")
    assert result.ending is Ending.CLOSED
    assert verdicts(result)[Invariant("turn < 2")] == "proved"
    assert verdicts(result)[Deadlock()] == "proved"


def test_assertions_and_faults_are_distinguished(folder: Path) -> None:
    (folder / "wrong.pml").write_text("byte x; active proctype P() { assert(x == 1); x = 1 / x }\n")
    result = library.check(library.load("wrong.pml"), violations="all")
    assert [violation.kind.value for violation in result.violations] == ["assertion", "fault"]
    assert [verdicts(result)[asked] for asked in (Assertions(), Faults())] == ["refuted", "refuted"]
    first = library.check(library.load("wrong.pml"))
    assert [verdicts(first)[asked] for asked in (Assertions(), Faults())] == ["refuted", "undetermined"]


def test_if_verdicts_differ_the_report_shows_each(scrimp: Scrimp) -> None:
    shown = scrimp("check", "lock.dve", "--reach", "turn == 2").out
    assert (
        """
  property     no assertion violated, no fault · proved
               no deadlock · proved
               reachable turn == 2 · refuted
"""
        in shown
    )
    assert "\n  property     no assertion violated, no fault\n" in scrimp("check", "lock.dve").out


def test_the_record_has_a_verdict_for_each_property(scrimp: Scrimp) -> None:
    record = json.loads(scrimp("check", "lock.dve", "--reach", "turn == 2", "--json", "-").out)
    assert record["ending"] == "closed"
    assert record["properties"][-1] == {
        "kind": "reach",
        "name": "turn == 2",
        "text": "reachable turn == 2",
        "verdict": "refuted",
        "reason": "turn == 2 is not reachable",
    }
    assert [each["kind"] for each in record["property"]] == ["assertion", "fault", "deadlock", "reach"]


@pytest.mark.parametrize("store", STORES, ids=lambda store: store.name)
def test_a_store_reports_what_it_declares(folder: Path, store: type[Store]) -> None:
    order = library.DepthFirst() if store is library.Cache else library.BreadthFirst()
    chosen = library.Pseudoroot(source="counted") if store is library.Pseudoroot else store()
    result = library.explore(library.load("lock.dve"), order=order, store=chosen)
    reported = {name for name in result.statistics.report if not name.startswith("bytes.")} - GENERAL
    declared = {each.name for each in store.reports}
    assert reported <= declared
    happened_never = {"pseudoroot.restarts", "disk.passes", "disk.merged", "disk.code_bits", "disk.recodings"}
    happened_never |= {"auto.forgetting_at"}
    assert declared - reported <= happened_never
    rows = [label for label, _ in chosen.rows(result.statistics)]
    shown = [unstyle(line).split("  ")[1] for line in report_lines(result, "lock.dve") if line.strip()]
    assert set(rows) <= set(shown)
