"""Searches of canonical states: what they find, how it is shown, and what is refused."""

from __future__ import annotations

from math import factorial
from typing import Any

import pytest

import scrimp
from scrimp.errors import OptionError
from scrimp.notes import Exchangeable

COUNTERS = """
byte total;
active [4] proctype P() { byte own; do :: own < 2 -> own++; total++ :: own > 0 -> total--; own-- od }
"""
MODEL = "models/railway_crossing.pml"


def states(**arguments: Any) -> int:
    return scrimp.explore(scrimp.load(text=COUNTERS), **arguments).statistics.states


@pytest.mark.parametrize("store", ["full", "full:compress=tree", "full:compress=cleary", "auto", "cache:states=2000"])
def test_every_store_visits_the_same_canonical_states(store: str) -> None:
    order = "dfs" if store.startswith("cache") else None
    assert states(symmetry=True, store=store, order=order) == states(symmetry=True) < states() / 8


def test_several_threads_visit_the_same_canonical_states(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scrimp.searching.WORTH_SHARING", 1)
    assert states(symmetry=True, threads=3) == states(symmetry=True, threads=1)


def test_a_trace_is_one_of_the_model_itself_and_as_short() -> None:
    model = scrimp.load(text=COUNTERS)
    own, found = (
        scrimp.check(model, invariant="total < 6", symmetry=symmetry, as_written=True) for symmetry in (False, True)
    )
    assert found.verdict is own.verdict is scrimp.Verdict.REFUTED
    assert found.trace is not None
    assert own.trace is not None
    assert len(found.trace.steps) == len(own.trace.steps)
    assert found.has_shortest_traces


def test_a_model_without_interchangeable_processes_is_refused_with_the_reason() -> None:
    text = "byte x; active [3] proctype P() { do :: x == _pid -> x++ od }"
    with pytest.raises(OptionError, match="no processes can be exchanged: if P:0 and P:1 changed places, 'x == _pid'"):
        scrimp.check(scrimp.load(text=text), symmetry=True)


def test_the_result_names_the_groups() -> None:
    found = scrimp.explore(MODEL, symmetry=True)
    assert found.symmetry == (Exchangeable(("Train:0", "Train:1", "Train:2"), factorial(3)),)
    assert "symmetry     Train:0, Train:1 and Train:2: up to 6 states are one" in str(found)
    assert found.to_dict()["strategy"]["symmetry"] == [
        {"members": ("Train:0", "Train:1", "Train:2"), "permutations": 6, "after": ()}
    ]


def test_what_is_never_executed_is_the_same() -> None:
    assert scrimp.check(MODEL, symmetry=True).unreached == scrimp.check(MODEL).unreached


def test_coverage_is_not_known_if_the_initial_state_is_not_symmetric() -> None:
    text = "byte turn; active [2] proctype P() { do :: turn == _pid -> turn = 2 :: turn == 3 -> skip od }"
    found = scrimp.explore(scrimp.load(text=text), symmetry=True)
    assert found.unknown_coverage == 4
    assert "turn == 3" in [each.text for each in found.unreached]
    assert "a search without --symmetry finds out" in str(found)


def test_an_audit_compares_canonical_states_with_all() -> None:
    assert scrimp.check(MODEL, symmetry=True, as_written=True, audit=True).verdict is scrimp.Verdict.PROVED


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"reduction": "stubborn"}, "does not exploit symmetry"),
        ({"reduction": "auto"}, "--reduce auto does not exploit symmetry"),
        ({"violations": "all"}, "only one of several symmetric violations"),
        ({"violations": 2}, "only one of several symmetric violations"),
        ({"checkpoint": "somewhere"}, "leaves no checkpoints"),
        ({"ltl": "[] true"}, "infinite runs"),
        ({"store": "pseudoroot"}, "computes the in-degrees of all states"),
    ],
)
def test_what_symmetry_does_not_combine_with_is_refused(arguments: dict[str, Any], reason: str) -> None:
    with pytest.raises(scrimp.ScrimpError, match=reason):
        scrimp.check(MODEL, symmetry=True, **arguments)


def test_a_question_about_one_process_is_refused() -> None:
    model = scrimp.load(text="bool in[2]; active [2] proctype P() { do :: in[_pid] = 1; in[_pid] = 0 od }")
    with pytest.raises(OptionError, match=r"if P:0 and P:1 changed places, 'in\[0\] == 0' would change"):
        scrimp.check(model, invariant="in[0] == 0", symmetry=True, as_written=True)
    both = scrimp.check(model, invariant="in[0] + in[1] < 2", symmetry=True)
    assert both.verdict is scrimp.Verdict.REFUTED


def test_an_explicit_system_is_refused(tmp_path: Any) -> None:
    file = tmp_path / "two.aut"
    file.write_text('des (0, 1, 2)\n(0, "a", 1)\n')
    with pytest.raises(OptionError, match="an explicit LTS has a single process"):
        scrimp.explore(file, symmetry=True)


def test_the_result_says_which_processes_have_to_be_past_their_start() -> None:
    text = """
    byte x; proctype P(byte me) { do :: x = 0 :: x == 0 -> x = 1 od }
    init { run P(1); run P(2) }
    """
    (group,) = scrimp.explore(scrimp.load(text=text), symmetry=True).symmetry
    assert group.text == "P:1 and P:2: up to 2 states are one, once init:0 treats them alike"


def test_many_processes_are_named_in_short() -> None:
    members = tuple(f"P{number}" for number in range(10))
    assert Exchangeable(members, 1).text == "P0, P1, P2, P3, 5 more and P9: up to 1 states are one"
