"""The verdict line, the report and the record say what a verdict leaves out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.conftest import Scrimp

import scrimp as api

# Its formula is violated, and so is its claim: both say that x never becomes 2.
VIOLATED = """\
byte x;
ltl safe { [] (x != 2) }
never { do :: x == 2 -> break :: else od }
active proctype P() { x = 1; x = 2 }
"""

CLAIMS = """\
byte x;
never first { do :: x == 9 -> break :: else od }
never second { do :: x == 2 -> break :: else od }
active proctype P() { x = 1; x = 2 }
"""

LABELS = """\
bit x;
active proctype P() { do :: progress_a: x = 1; accept_b: x = 0 od }
"""


def left_out(ran_out: str) -> list[tuple[str, str]]:
    return [(each["kind"], each["name"]) for each in json.loads(ran_out)["left_out"]]


@pytest.fixture
def violated(folder: Path) -> str:
    (folder / "violated.pml").write_text(VIOLATED)
    return "violated.pml"


@pytest.mark.parametrize("option", ["--ignore-property", "--ignore-claims"])
def test_the_verdict_line_names_the_properties_that_are_ignored(scrimp: Scrimp, violated: str, option: str) -> None:
    ran = scrimp("check", violated, option, "-q")
    said = "PROVED  every reachable state was visited; not checked: ltl formula safe, never claim\n"
    assert (ran.code, ran.out) == (0, said)


def test_the_report_names_the_properties_that_are_ignored(scrimp: Scrimp, violated: str) -> None:
    report = scrimp("check", violated, "--ignore-property").out
    assert "\n  not checked  ltl formula safe · never claim\n" in report


def test_the_record_names_the_properties_that_are_ignored(scrimp: Scrimp, violated: str) -> None:
    record = json.loads(scrimp("check", violated, "--ignore-property", "--json=-").out)
    assert record["left_out"][0] == {
        "kind": "ltl",
        "name": "safe",
        "text": "ltl formula safe",
        "reason": "ignored by --ignore-property",
    }
    assert record["left_out"][1]["kind"] == "never"
    assert record["reason"].endswith("; not checked: ltl formula safe, never claim")


def test_the_result_in_python_lists_what_was_left_out(violated: str) -> None:
    result = api.check(api.load(violated, ignore_property=True))
    assert [str(each) for each in result.left_out] == ["ltl formula safe", "never claim"]


def test_a_property_process_that_is_ignored_is_named(scrimp: Scrimp) -> None:
    ran = scrimp("check", "property.dve", "--ignore-property", "-q")
    assert ran.out == "PROVED  every reachable state was visited; not checked: property process 'never'\n"


def test_deadlocks_that_are_allowed_are_named(scrimp: Scrimp) -> None:
    ran = scrimp("check", "lock.dve", "--allow-deadlock", "-q")
    assert ran.out == "PROVED  every reachable state was visited; not checked: deadlocks\n"


def test_claims_after_the_first_are_named_and_so_are_deadlocks_under_a_claim(scrimp: Scrimp, folder: Path) -> None:
    (folder / "claims.pml").write_text(CLAIMS)
    ran = scrimp("check", "claims.pml", "--json=-")
    assert left_out(ran.out) == [("never", "second"), ("deadlock", ""), ("scope", "")]
    assert "deadlock" not in [each["kind"] for each in json.loads(ran.out)["properties"]]


def test_a_proof_under_a_claim_says_that_it_covers_only_what_the_claim_matches(scrimp: Scrimp, folder: Path) -> None:
    (folder / "scope.pml").write_text(
        "byte x;\nactive proctype P() { x = 1; x = 2; assert(false) }\nnever { x == 0; x == 5 }\n"
    )
    ran = scrimp("check", "scope.pml", "-q")
    not_checked = "deadlocks, executions that the never claim does not match"
    assert ran.out == f"PROVED  every reachable state was visited; not checked: {not_checked}\n"


def test_labels_for_liveness_properties_are_named(scrimp: Scrimp, folder: Path) -> None:
    (folder / "labels.pml").write_text(LABELS)
    ran = scrimp("check", "labels.pml", "-q")
    assert ran.out == "PROVED  every reachable state was visited; not checked: accept labels, progress labels\n"


def test_a_check_of_everything_leaves_nothing_out(scrimp: Scrimp) -> None:
    ran = scrimp("check", "lock.dve", "--json=-")
    assert left_out(ran.out) == []
    assert "not checked" not in scrimp("check", "lock.dve").out


def test_exploring_records_the_properties_of_the_model_that_were_left_out(scrimp: Scrimp, violated: str) -> None:
    assert left_out(scrimp("explore", violated, "--json=-").out) == [("deadlock", ""), ("scope", ""), ("ltl", "safe")]
    assert scrimp("explore", violated, "-q").out == "EXPLORED  every reachable state was visited\n"
