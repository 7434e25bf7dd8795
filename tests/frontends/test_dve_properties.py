"""Committed states, assertions, accepting states and the property process."""

from __future__ import annotations

import re

import pytest
from tests.frontends.dve import model, reachable, value

from scrimp import check
from scrimp.errors import ModelError, OptionError
from scrimp.system.expressions import At, Binary, Unary
from scrimp.system.reference import enabled, explore, initial
from scrimp.system.system import Position

TWO = """
byte x;
process P {{ state a, b; init a; {commit} trans a -> b {{ effect x = x * 2; }}; }}
process Q {{ state a, b; init a; trans a -> b {{ effect x = x + 1; }}; }}
system async;
"""


def test_only_committed_processes_move_while_there_are_any() -> None:
    assert reachable(model(TWO.format(commit="")), "x") == {0, 1, 2}
    assert reachable(model(TWO.format(commit="commit a;")), "x") == {0, 1}


def test_a_committed_process_that_cannot_move_stops_all() -> None:
    small = model(TWO.format(commit="commit a, b;"))
    assert explore(small.system).deadlocks == 1
    assert reachable(small, "Q.b") == {0}


def test_two_committed_processes_take_turns() -> None:
    text = TWO.format(commit="commit a;").replace(
        "state a, b; init a; trans a -> b { effect x = x + 1",
        "state a, b; init a; commit a; trans a -> b { effect x = x + 1",
    )
    assert reachable(model(text), "x") == {0, 1, 2}


@pytest.mark.parametrize(("sender", "receiver", "meet"), [("", "", 1), ("a", "", 0), ("", "a", 0), ("a", "a", 1)])
def test_a_committed_process_meets_only_another_one(sender: str, receiver: str, meet: int) -> None:
    commits = [f"commit {state};" if state else "" for state in (sender, receiver)]
    text = f"""
    channel c;
    process P {{ state a, b; init a; {commits[0]} trans a -> b {{ sync c!; }}; }}
    process Q {{ state a, b; init a; {commits[1]} trans a -> b {{ sync c?; }}; }}
    system async;
    """
    small = model(text)
    assert len(enabled(small.system, initial(small.system))) == meet


def test_a_model_without_committed_states_has_no_committed_condition() -> None:
    assert model(TWO.format(commit="")).system.committed is None
    assert model(TWO.format(commit="commit b;")).system.committed == At(0, 1)


def test_an_assertion_must_hold_in_its_state() -> None:
    text = "byte x; process P { state a, b; init a; assert a: x == 0, b: x == 1; } system async;"
    system = model(text).system
    assert [invariant.name for invariant in system.invariants] == ["P.a: x == 0", "P.b: x == 1"]
    assert system.invariants[0].test == Binary("||", Unary("!", At(0, 0)), model(text).expression("x == 0"))
    assert system.invariants[0].position == Position(1, 48)


def test_an_assertion_may_use_the_variables_of_its_process() -> None:
    text = "process P { byte own = 2; state a; init a; assert a: own == 2; } system async;"
    small = model(text)
    assert value(small, "P->own == 2") == 1
    assert len(small.system.invariants) == 1


def test_the_clauses_of_a_process_come_in_any_order() -> None:
    text = "process P { state a, b; accept b; assert a: true; commit b; init a; assert b: true; } system async;"
    system = model(text).system
    assert system.processes[0].accepting == frozenset({1})
    assert len(system.invariants) == 2


@pytest.mark.parametrize(
    ("clause", "accepting"),
    [
        ("accept a, b;", {0, 1}),
        ("accept buchi b;", {1}),
        ("accept genbuchi (a), (a, b), ();", set()),
        ("accept muller (a, b);", set()),
        ("accept rabin (a; b), (; a), (b;);", set()),
        ("accept streett (a, b; b);", set()),
    ],
)
def test_every_form_of_acceptance_is_read_and_buechi_acceptance_is_recorded(clause: str, accepting: set[int]) -> None:
    text = f"process P {{ state a, b; init a; {clause} }} system async;"
    assert model(text).system.processes[0].accepting == frozenset(accepting)


PROPERTY = """
byte x;
process Never { byte seen; state wait, bad; init wait; accept bad;
  trans wait -> wait { }, wait -> bad { guard P->y == 1 and P.a; effect seen = 1; }; }
process P { byte y; state a; init a; trans a -> a { guard x < 3; effect x = x + 1, y = x % 2; }; }
system async property Never;
"""


def test_a_property_process_is_named_but_not_part_of_the_system() -> None:
    small = model(PROPERTY)
    assert small.unchecked == "property process 'Never' has variables"
    assert [process.name for process in small.system.processes] == ["P"]
    assert [(variable.name, variable.owner) for variable in small.system.variables] == [("x", None), ("y", 0)]
    assert reachable(small, "10 * x + P->y") == {0, 11, 20, 31}


GUARDS = " ".join(f"a -> a {{ guard x == {number}; }}," for number in range(63))


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("byte own; state a; init a; accept a;", "has variables"),
        ("state a; init a; accept a; assert a: x == 0;", "has assertions"),
        ("state a; init a; accept a; trans a -> a { sync c!; };", "communicates"),
        ("state a; init a; accept a; trans a -> a { effect x = 1; };", "has effects"),
        ("state a; init a; accept genbuchi (a);", "accepts by sets of states, not by 'accept STATE, …;'"),
        ("state a; init a; accept muller (a);", "accepts by sets of states, not by 'accept STATE, …;'"),
        ("state a; init a; accept rabin (a; );", "accepts by sets of states, not by 'accept STATE, …;'"),
        ("state a; init a; accept streett (a; );", "accepts by sets of states, not by 'accept STATE, …;'"),
        (f"state a; init a; accept a; trans {GUARDS.rstrip(',')};", "has more than 62 guards"),
    ],
)
def test_a_property_process_that_is_no_buechi_automaton_over_states_is_not_checked(body: str, reason: str) -> None:
    other = "process P { state s; init s; trans s -> s { sync c?; }; }"
    small = model(f"byte x; channel c; process Never {{ {body} }} {other} system async property Never;")
    assert small.unchecked == f"property process 'Never' {reason}"
    assert [(left_out.name, left_out.reason) for left_out in small.left_out] == [("Never", f"it {reason}")]
    with pytest.raises(OptionError, match=f"property process 'Never' {re.escape(reason)}, so it cannot be checked; "):
        check(small)


def test_a_property_process_can_be_ignored() -> None:
    small = model(PROPERTY, ignore_property=True)
    assert small.unchecked is None
    assert small.system == model(PROPERTY).system


def test_mistakes_in_an_ignored_property_process_are_reported() -> None:
    with pytest.raises(ModelError, match=r"model.dve:4:50: process 'P' has no variable 'q'"):
        model(PROPERTY.replace("P->y", "P->q"), ignore_property=True)


def test_nothing_can_observe_a_property_process() -> None:
    with pytest.raises(ModelError, match="<expression>:1:1: the property process 'Never' cannot be observed"):
        model(PROPERTY).expression("Never.bad")
