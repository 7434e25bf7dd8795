"""Petri nets on the command line."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from tests.cli.conftest import Scrimp
from tests.frontends.coloured_pnml import (
    arc,
    const,
    declarations,
    declared,
    enumeration,
    every,
    net,
    operator,
    place,
    times,
    transition,
    var,
)
from tests.frontends.pnml import ptnet

FORKS = ptnet(
    {"thinkA": 1, "waitA": 0, "thinkB": 1, "waitB": 0, "one": 1, "two": 1},
    *("thinkA -> leftA", "one -> leftA", "leftA -> waitA", "waitA -> eatA", "two -> eatA"),
    *("eatA -> thinkA", "eatA -> one", "eatA -> two"),
    *("thinkB -> leftB", "two -> leftB", "leftB -> waitB", "waitB -> eatB", "one -> eatB"),
    *("eatB -> thinkB", "eatB -> one", "eatB -> two"),
)


def test_a_deadlock_is_shown_by_the_transitions_that_lead_to_it(scrimp: Scrimp, folder: Path) -> None:
    (folder / "forks.pnml").write_text(FORKS)
    ran = scrimp("check", "forks.pnml")
    assert ran.code == 1
    assert "REFUTED  deadlock: no transition is enabled\n" in ran.out
    assert "  1  net  forks.pnml:2  leftA  thinkA 1 → 0, waitA 0 → 1, one 1 → 0\n" in ran.out
    assert "  2  net  forks.pnml:2  leftB  thinkB 1 → 0, waitB 0 → 1, two 1 → 0\n" in ran.out


def test_invariants_speak_of_places_and_transitions(scrimp: Scrimp, folder: Path) -> None:
    (folder / "forks.pnml").write_text(FORKS)
    asked = (
        "--allow-deadlock",
        "--invariant",
        "one + two + waitA + waitB == 2",
        "--reach",
        '!fireable("eatA") && waitA',
    )
    assert scrimp("check", "forks.pnml", *asked).out.startswith("PROVED")
    refuted = scrimp("check", "forks.pnml", "--allow-deadlock", "--invariant", "fireable(leftA) || fireable(eatA)")
    assert "REFUTED  fireable(leftA) || fireable(eatA) does not hold\n" in refuted.out


def test_an_unknown_place_is_reported_with_the_expression(scrimp: Scrimp, folder: Path) -> None:
    (folder / "forks.pnml").write_text(FORKS)
    ran = scrimp("check", "forks.pnml", "--invariant", "one + three == 2")
    assert ran.code == 2
    assert ran.err == (
        "scrimp: error: --invariant 'one + three == 2':1:7: unknown place 'three', expected a place of this net\n"
        "    one + three == 2\n"
        "          ^\n"
    )


def test_info_lists_places_and_transitions(scrimp: Scrimp, folder: Path) -> None:
    (folder / "small.pnml").write_text(ptnet({"p": 2, "q": 0}, "p -> t", "t -> q"))
    ran = scrimp("info", "small.pnml")
    assert ran.out == (
        """\
small  small.pnml, pnml
  4 bits per state; 4 as declared
  all transitions can be taken backwards

2 places
  p  0..2, a fault outside  2 bits  from 2
  q  0..2, a fault outside  2 bits  from 0

1 transition
  small.pnml:2  t
"""
    )


def test_a_simulation_prints_the_places_that_hold_tokens(
    scrimp: Scrimp, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "small.pnml").write_text(ptnet({"p": 1, "q": 0, "r": 3}, "p -> t", "t -> q"))
    monkeypatch.setattr("sys.stdin", StringIO("1\ns\nq\n"))
    printed = scrimp("simulate", "small.pnml", "--interactive").out.splitlines()
    assert [line for line in printed if "marking" in line] == ["  marking, p = 1, r = 3", "  marking, q = 1, r = 3"]
    assert "  deadlock: no transition is enabled" in printed


def test_a_trace_of_a_net_is_replayed(scrimp: Scrimp, folder: Path) -> None:
    (folder / "forks.pnml").write_text(FORKS)
    scrimp("check", "forks.pnml", "--trace", "trace.json")
    ran = scrimp("replay", "forks.pnml", "trace.json")
    assert ran.out.splitlines()[-1] == "CONFIRMED  deadlock: no transition is enabled, after 2 steps"


def test_a_net_that_grows_without_bound_is_a_fault(scrimp: Scrimp, folder: Path) -> None:
    (folder / "source.pnml").write_text(ptnet({"p": 0}, "t -> p"))
    ran = scrimp("check", "source.pnml")
    assert ran.code == 1
    assert "REFUTED  place p grows without bound: here it exceeds 1 token\n" in ran.out


def test_a_place_is_given_more_bits_when_the_search_meets_more_tokens(scrimp: Scrimp, folder: Path) -> None:
    """Only an inhibitor arc bounds the place, and far above the numbers that a sample of the states shows."""
    (folder / "tall.pnml").write_text(ptnet({"p": 0}, "t -> p", "p -o t * 20000"))
    ran = scrimp("explore", "tall.pnml", "--json", "-")
    record = json.loads(ran.out)
    assert (record["states"], record["transitions"], record["deadlocks"]) == (20001, 20000, 1)
    assert record["relayouts"] > 0


def test_transitions_that_never_fire_are_listed_once_per_transition_or_binding(scrimp: Scrimp, folder: Path) -> None:
    (folder / "plain.pnml").write_text(ptnet({"p": 1, "q": 0}, "p -> t", "q -> u", "p -> v * 2"))
    unreached = json.loads(scrimp("explore", "plain.pnml", "--json", "-").out)["unreached"]
    assert [(transition["process"], transition["text"]) for transition in unreached] == [("net", "u"), ("net", "v")]
    (folder / "coloured.pnml").write_text(
        net(
            declarations(enumeration("Colour", "a", "b", "c"), declared("x", "Colour")),
            place("P", "Colour", every("Colour")),
            place("Q", "Colour"),
            *(transition(name) for name in "tuv"),
            arc("P", "t", var("x")),
            arc("t", "Q", operator("successor", const("a"))),
            arc("P", "u", times(2, var("x"))),
            arc("P", "u", var("x")),
            arc("Q", "v", times(5, var("x"))),
        )
    )
    unreached = json.loads(scrimp("explore", "coloured.pnml", "--json", "-").out)["unreached"]
    assert [transition["text"] for transition in unreached] == ["u", "v(x=b)"]


def test_a_limit_of_tokens_is_a_definition(scrimp: Scrimp, folder: Path) -> None:
    (folder / "source.pnml").write_text(ptnet({"p": 0}, "t -> p"))
    ran = scrimp("check", "source.pnml", "-D", "tokens=7")
    assert "REFUTED  place p exceeds the limit of 7 tokens\n" in ran.out
