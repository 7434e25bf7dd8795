"""Options that are refused before the model is read, and orders that are chosen for the user and reported."""

from __future__ import annotations

import json

import pytest
from tests.cli.conftest import Scrimp

import scrimp as api


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("check --order=bfs --store=cache", "store 'cache' needs --order dfs"),
        ("check --order=bfs --reduce=sleep", "reduction 'sleep' needs --order dfs"),
        ("check --store=comback --reduce=sleep", "store 'comback' takes no reduction"),
        ("check --reduce=stubborn:proviso=false", "reduction 'stubborn:proviso=false' cannot be used here"),
        ("check --store=snapshots:permanent=false", "store 'snapshots:permanent=false' needs --depth"),
        ("check --store=bitstate:bytes=1G --memory=64M", "store 'bitstate:bytes=1G' does not fit"),
        ("check --as-written --audit", "--audit has nothing to check"),
        ("check --seed=1", "--seed needs --shuffle"),
        ("explore --order=bfs --store=cache", "store 'cache' needs --order dfs"),
        ("export -o x.aut --reduce=sleep", "export takes no --reduce"),
        ("export -o x.aut --store=bitstate", "export needs an exact store"),
        ("export -o x.doot", "x.doot: unknown format '.doot'; did you mean '.dot'? (choices: .aut, .dot, "),
    ],
)
def test_options_that_suit_no_model_are_refused_before_the_model_is_read(
    scrimp: Scrimp, command: str, message: str
) -> None:
    ran = scrimp(*command.split(), "missing.dve")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"scrimp: error: {message}"), ran.err


@pytest.mark.parametrize(
    ("option", "reason"),
    [
        ("--store=cache:states=50", "order dfs (the only one that store cache allows) · store cache:states=50\n"),
        ("--reduce=sleep", "order dfs (the only one that reduction sleep allows) · store full · reduction sleep\n"),
    ],
)
def test_the_only_suitable_order_is_chosen_and_the_report_says_so(scrimp: Scrimp, option: str, reason: str) -> None:
    ran = scrimp("check", "lock.dve", option)
    assert ran.code == 0
    assert f"  strategy     {reason}" in ran.out


def test_an_order_that_was_asked_for_is_reported_without_a_reason(scrimp: Scrimp) -> None:
    ran = scrimp("check", "lock.dve", "--order=dfs", "--store=cache:states=50")
    assert "  strategy     order dfs · store cache:states=50\n" in ran.out


def test_the_record_says_why_an_order_was_chosen(scrimp: Scrimp) -> None:
    chosen = json.loads(scrimp("explore", "lock.dve", "--reduce=sleep", "--json=-").out)["strategy"]
    assert (chosen["order"]["name"], chosen["order_reason"]) == ("dfs", "the only one that reduction sleep allows")


def test_python_callers_need_not_name_the_only_order_either(scrimp: Scrimp) -> None:
    result = api.check(api.load("lock.dve"), store=api.Cache(states=50))
    assert result.method.order == api.DepthFirst()
    assert result.order_reason == "the only one that store cache allows"


def test_a_state_that_violates_several_invariants_is_reported_once_for_each(scrimp: Scrimp) -> None:
    questions = ("--invariant=P0.idle || P1.idle", "--invariant=!(P0.ask && P1.ask)")
    ran = scrimp("check", "lock.dve", *questions, "--violations=all", "--json=-")
    violations = [(each["name"], json.dumps(each["trace"])) for each in json.loads(ran.out)["violations"]]
    assert len(violations) == len(set(violations))
    assert {name for name, _ in violations} == {"P0.idle || P1.idle", "!(P0.ask && P1.ask)"}
