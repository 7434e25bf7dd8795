"""What users learn about their Promela models: faults in words, refused questions, options."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.conftest import Scrimp

DEAD = """\
chan c = [1] of { chan };
byte x;
active proctype Q() { chan e; c?e; x == 1; _nr_pr == 1; e!7; x = 2 }
active proctype P() { chan mine = [1] of { byte }; c!mine; x = 1 }
"""
CLAIM = """\
byte x;
active proctype P() { x = 1 }
chan c = [1] of { byte };
never { do :: c?1 od }
"""

Checked = Callable[..., str]


@pytest.fixture
def verdict(scrimp: Scrimp, folder: Path) -> Checked:
    """The line that `check` prints for a model."""

    def check(text: str, *options: str) -> str:
        (folder / "model.pml").write_text(text)
        ran = scrimp("check", "model.pml", "--quiet", *options)
        return (ran.out or ran.err).strip()

    return check


@pytest.fixture
def states(scrimp: Scrimp, folder: Path) -> Callable[[str], int]:
    def count(text: str) -> int:
        (folder / "model.pml").write_text(text)
        return int(json.loads(scrimp("explore", "model.pml", "--json=-").out)["states"])

    return count


@pytest.mark.parametrize(
    ("model", "words"),
    [
        ("chan c; byte x; init { x = len(c) }", "the channel does not exist"),
        ("chan c; init { c?[1] }", "the channel does not exist"),
        ("chan c[2] = [1] of { byte }; byte i = 2; init { c[i]!1 }", "the channel does not exist"),
        (DEAD, "the channel does not exist"),
        ('byte a[2], i = 3; init { printf("%d", a[i]) }', "index 3 is outside a[2]"),
        ('byte z; init { printf("%d", 1 / z) }', "division by zero"),
        ("typedef T { byte b[2] } T t[2]; byte i = 2; init { t[1].b[i] = 3 }", "an index of t.b is outside 0..1"),
    ],
    ids=[
        *("length of no channel", "poll of no channel", "outside an array of channels", "channel of a dead process"),
        *("index in printf", "division in printf", "outside a nested array"),
    ],
)
def test_a_fault_is_described_in_words(verdict: Checked, model: str, words: str) -> None:
    assert verdict(model) == f"REFUTED  {words}"


def test_messages_with_too_few_fields_are_violations_in_a_rendezvous_too(verdict: Checked) -> None:
    model = "chan c = [0] of { byte, byte }; byte x; active proctype P() { c!1 } active proctype Q() { c?x }"
    assert verdict(model) == "REFUTED  too few values are sent on a channel: 1 instead of 2"


def test_a_hidden_variable_keeps_its_value(verdict: Checked) -> None:
    assert verdict("hidden byte x; init { x = 1; assert(x == 1) }").startswith("PROVED")


def test_a_hidden_variable_that_is_never_read_does_not_distinguish_states(states: Callable[[str], int]) -> None:
    process = "active proctype P() { do :: x = 1 :: x = 2 od }"
    assert states(f"hidden byte x; {process}") == 1
    assert states(f"byte x; {process}") == 3


def test_a_hidden_variable_that_is_read_distinguishes_states(verdict: Checked) -> None:
    model = "hidden byte x; byte y; active proctype P() { do :: x = 1 - x :: x == 1 -> y = 1 od }"
    assert verdict(model, "--reach", "y == 1").startswith("PROVED")


def test_a_name_alone_is_defined_as_1(verdict: Checked) -> None:
    model = "init { assert(LEVEL == 1) }"
    assert verdict(model, "-D", "LEVEL").startswith("PROVED")
    assert verdict(model, "-D", "LEVEL=2").startswith("REFUTED")


def test_a_name_may_be_defined_as_nothing(verdict: Checked) -> None:
    assert verdict("init { NOTHING assert(1 NOTHING) }", "-D", "NOTHING=").startswith("PROVED")


def test_questions_may_ask_which_process_can_move(verdict: Checked) -> None:
    model = "byte x; active proctype P() { x = 1 } active proctype Q() { x == 1 }"
    assert verdict(model, "--reach", "enabled(0) && !enabled(1)").startswith("PROVED")
    assert verdict(model, "--invariant", "x == 0 -> enabled(1)").startswith("REFUTED")
    assert verdict(model, "--reach", "timeout").startswith("PROVED")


def test_claims_can_be_ignored_even_unsupported_ones(verdict: Checked) -> None:
    assert "found a receive in a never claim" in verdict(CLAIM)
    assert verdict(CLAIM, "--ignore-claims").startswith("PROVED")
    assert verdict(CLAIM, "--ignore-property").startswith("PROVED")


def test_a_claim_that_cannot_move_is_not_a_deadlock(verdict: Checked) -> None:
    model = "byte x; active proctype P() { x = 1; x = 2 } never { x == 1 -> x == 2 }"
    assert verdict(model).startswith("PROVED")


LEFT = "chan c = [1] of { byte }; init { c!1 }"


def test_an_end_with_messages_left_is_a_deadlock_on_demand(scrimp: Scrimp, folder: Path, verdict: Checked) -> None:
    assert verdict(LEFT).startswith("PROVED")
    assert verdict(LEFT, "--empty-channels", "--trace", "trace.json") == "REFUTED  deadlock: no process can move"
    assert scrimp("replay", "model.pml", "trace.json", "--empty-channels").code == 0
    assert "does not end as it claims" in scrimp("replay", "model.pml", "trace.json").err


def test_empty_channels_cannot_be_required_under_a_claim(verdict: Checked) -> None:
    claimed = LEFT + "\nnever { do :: true od }"
    refusal = "--empty-channels: with a never claim, every end state is valid; use --ignore-claims to ignore it"
    assert verdict(claimed, "--empty-channels") == f"scrimp: error: {refusal}"
    assert verdict(claimed, "--empty-channels", "--ignore-claims").startswith("REFUTED")


def test_if_a_process_was_never_started_only_its_run_is_listed_as_unreached(scrimp: Scrimp, folder: Path) -> None:
    started = "c!0; c?y; if :: y == 1 -> run P() :: else fi; run P()"
    model = f"byte x, y; chan c = [1] of {{ byte }};\nproctype P() {{ x = 2 }}\ninit {{ {started} }}"
    (folder / "model.pml").write_text(model)
    scrimp("explore", "model.pml", "--json", "record.json")
    listed = json.loads((folder / "record.json").read_text())["unreached"]
    assert [(each["process"], each["text"]) for each in listed] == [("init:0", "y == 1"), ("init:0", "run P()")]


def test_a_d_step_with_a_loop_is_executed(scrimp: Scrimp, folder: Path) -> None:
    loop = "byte x; init { byte i; d_step { x == 0 -> for (i : 0 .. 1) { skip } i = 0 } }"
    (folder / "model.pml").write_text(loop)
    assert "never executed" not in scrimp("check", "model.pml").out


def test_warnings_about_a_model_go_to_standard_error_and_leave_the_verdict(scrimp: Scrimp, folder: Path) -> None:
    (folder / "model.pml").write_text("byte done, a[2];\ninit { a[1] = a; goto done; done: skip }")
    ran = scrimp("check", "model.pml", "--quiet")
    assert ran.code == 0
    assert ran.err.splitlines() == [
        "scrimp: model.pml:2:15: warning: 'a' is an array without an index, read as a[0] as in SPIN",
        "scrimp: model.pml:2:29: warning: the label 'done' has the name of a variable: SPIN reports a bad label name",
    ]


def test_a_trace_assertion_is_checked_unless_it_is_ignored(verdict: Checked) -> None:
    model = "chan c = [1] of { byte };\nactive proctype P() { c!1 }\ntrace { c!2 }"
    message = "trace assertion violated: it has no matching send on c here"
    assert verdict(model) == f"REFUTED  {message}"
    assert verdict(model, "--ignore-property").endswith("not checked: trace assertion")


def test_a_violated_trace_assertion_is_replayed(scrimp: Scrimp, folder: Path) -> None:
    model = "chan c = [0] of { byte };\nactive proctype P() { c!1; c!2 }\nactive proctype Q() { c?1; c?2 }"
    (folder / "model.pml").write_text(f"{model}\nnotrace {{ c!1; c?1; c!_; c?2 }}")
    scrimp("check", "model.pml", "--trace", "trace.json")
    assert "all its events have occurred, after 2 steps" in scrimp("replay", "model.pml", "trace.json").out


def test_the_invariant_that_an_ltl_formula_stands_for_can_be_checked(verdict: Checked) -> None:
    model = "byte x;\nltl p { [] (x < 2) }\nactive proctype P() { x = 1; x = 2 }"
    assert verdict(model, "--ignore-property", "--invariant", "x < 2").startswith("REFUTED")
