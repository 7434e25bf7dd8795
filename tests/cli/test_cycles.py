"""Findings that end in a cycle, that is a path and steps from its end back to the same state, in every kind of output.
Most are made by hand."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click import unstyle
from tests.cli.conftest import Scrimp
from tests.cli.results import REFUTED
from tests.machine.systems import step, system, variable

import scrimp as library
from scrimp.errors import ScrimpError
from scrimp.evidence import Violation
from scrimp.findings import describe
from scrimp.frontends.model import Model
from scrimp.machine.fusion import fuse
from scrimp.outputs.files import write_whole
from scrimp.outputs.json import result_pieces
from scrimp.outputs.sequence_chart import chart_lines
from scrimp.outputs.text import report_lines
from scrimp.outputs.trace_file import Claim, TraceFile, read_trace_file
from scrimp.outputs.trace_text import trace_lines
from scrimp.steps import Trace
from scrimp.system.expressions import FALSE
from scrimp.system.statements import Assert
from scrimp.system.system import Invariant
from scrimp.system.violations import ViolationKind
from scrimp.trace import ReplayedSteps, ReplayError
from scrimp.unfusing import Finding, FindingKind, unfused
from scrimp.watches import watch_goals

WHEEL = """\
byte x;
process P {
state start, even, odd;
init start;
trans
start -> even { effect x = 2; },
even -> odd { effect x = 1; },
odd -> even { effect x = 2; },
even -> odd { effect x = 3; };
}
system async;
"""
PATH, CYCLE, OPEN = [0, 1], [2, 1], [2, 3]

ENDLESS = "byte x; active proctype P() { skip; atomic { x = 5; do :: x = 1; x = 2 od } }\n"


@pytest.fixture
def wheel(folder: Path) -> Model:
    (folder / "wheel.dve").write_text(WHEEL)
    return library.load("wheel.dve")


def lasso(model: Model, path: list[int], cycle: list[int]) -> Trace:
    return ReplayedSteps(model.system, path, model.vocabulary).lasso(cycle)


def written(model: Model, path: list[int], cycle: list[int], claim: Claim) -> dict[str, Any]:
    """Write trace.json; the cycle need not close."""
    steps = ReplayedSteps(model.system, path + cycle, model.vocabulary)
    trace = Trace(steps[: len(path)], steps[len(path) :])
    write_whole(Path("trace.json"), TraceFile("wheel.dve", claim, trace).pieces())
    record: dict[str, Any] = json.loads(Path("trace.json").read_text())
    return record


AROUND = Claim("cycle", "", "a cycle of 2 steps")


def test_a_finding_is_described_with_its_cycle(wheel: Model) -> None:
    watches = watch_goals((), [Invariant("x != 1", wheel.expression("x != 1"))])
    found = describe(wheel, watches, [Finding(FindingKind.WATCH, 0, PATH, CYCLE)])
    (violation,) = found.violations
    assert (violation.kind, violation.trace) == (ViolationKind.INVARIANT, lasso(wheel, PATH, CYCLE))


@pytest.mark.parametrize(
    ("path", "cycle", "message"),
    [
        (PATH, OPEN, "the cycle does not close: its 2 steps lead to another state"),
        (PATH, [0], "step 1: event 0 is not enabled"),
    ],
)
def test_a_finding_whose_cycle_does_not_close_is_an_error(
    wheel: Model, path: list[int], cycle: list[int], message: str
) -> None:
    with pytest.raises(ReplayError) as refused:
        describe(wheel, watch_goals((), ()), [Finding(FindingKind.DEADLOCK, -1, path, cycle)])
    assert str(refused.value) == message


def test_a_cycle_cannot_begin_in_a_fault() -> None:
    broken = system((variable(0),), [step(Assert(FALSE, "broken"))])
    with pytest.raises(ReplayError, match="a cycle cannot begin in a fault"):
        ReplayedSteps(broken, [0]).lasso([0])


def test_a_fused_cycle_is_reported_event_by_event() -> None:
    chained = [step(source=0, target=1), step(source=1, target=2, holder=0), step(source=2, target=1)]
    model = system((), chained, locations=(3,))
    chains = fuse(model).events
    long = next(number for number, chain in enumerate(chains) if len(chain) > 1)
    reported = unfused(model, chains, Finding(FindingKind.WATCH, 0, [0], [long]))
    assert (list(reported.events), list(reported.cycle)) == ([0], list(chains[long]))


def test_a_trace_with_a_cycle_is_a_value(wheel: Model) -> None:
    trace = lasso(wheel, PATH, CYCLE)
    assert trace.events == (0, 1, 2, 1)
    assert trace == lasso(wheel, PATH, CYCLE)
    assert trace != lasso(wheel, PATH, [2, 1, 2, 1])
    assert pickle.loads(pickle.dumps(trace)) == trace
    assert trace.cycle is not None
    assert [change.new for step in trace.cycle for change in step.changes] == [2, 1]


def test_the_steps_of_a_cycle_follow_those_of_the_path(wheel: Model) -> None:
    assert [unstyle(line) for line in trace_lines("wheel.dve", lasso(wheel, PATH, CYCLE))] == [
        "  1  P  wheel.dve:6  start -> even { effect x = 2; }  x 0 → 2",
        "  2  P  wheel.dve:7  even -> odd { effect x = 1; }    x 2 → 1",
        "  these 2 steps repeat forever:",
        "  3  P  wheel.dve:8  odd -> even { effect x = 2; }  x 1 → 2",
        "  4  P  wheel.dve:7  even -> odd { effect x = 1; }  x 2 → 1",
    ]


def test_a_chart_says_where_the_cycle_begins(wheel: Model) -> None:
    lines = [unstyle(line).rstrip() for line in chart_lines(lasso(wheel, PATH, CYCLE))]
    assert lines == [
        "     P",
        "  these 2 steps repeat forever:",
        "  4  *     even -> odd { effect x = 1; }",
    ]


def test_a_report_and_a_record_have_the_cycle(wheel: Model) -> None:
    trace = lasso(wheel, PATH, CYCLE)
    result = replace(REFUTED, violations=(Violation(ViolationKind.FAULT, "", "no end", trace),), goals=())
    shown = [unstyle(line) for line in report_lines(result, "wheel.dve")]
    assert "  no end after 2 steps, in a cycle of 2 steps" in shown
    record = json.loads("".join(result_pieces(result)))
    assert record == json.loads(json.dumps(result.to_dict()))
    assert [each["event"] for each in record["trace"]["steps"]] == PATH
    assert [each["event"] for each in record["trace"]["cycle"]] == CYCLE
    assert REFUTED.to_dict()["trace"]["cycle"] is None


def test_a_trace_file_holds_the_cycle(wheel: Model) -> None:
    record = written(wheel, PATH, CYCLE, AROUND)
    assert (record["version"], len(record["steps"]), len(record["cycle"])) == (2, 2, 2)
    assert read_trace_file(Path("trace.json")).trace.events == (*PATH, *CYCLE)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"cycle": {}}, '"cycle" should be a list'),
        ({"cycle": None}, '"cycle" should be a list'),
    ],
)
def test_a_broken_cycle_is_refused_in_one_line(wheel: Model, change: dict[str, object], message: str) -> None:
    record = written(wheel, PATH, CYCLE, AROUND)
    Path("trace.json").write_text(json.dumps(record | change))
    with pytest.raises(ScrimpError) as refused:
        read_trace_file(Path("trace.json"))
    assert str(refused.value) == f"trace.json: not a trace file: {message}"


def test_a_cycle_that_closes_is_confirmed(scrimp: Scrimp, wheel: Model) -> None:
    written(wheel, PATH, CYCLE, AROUND)
    ran = scrimp("replay", "wheel.dve", "trace.json")
    assert ran.code == 0
    assert "  these 2 steps repeat forever:\n" in ran.out
    assert ran.out.endswith("CONFIRMED  a cycle of 2 steps, after 2 steps\n")


def test_a_cycle_that_does_not_close_is_refused(scrimp: Scrimp, wheel: Model) -> None:
    written(wheel, PATH, OPEN, AROUND)
    refused = scrimp("replay", "wheel.dve", "trace.json")
    assert (refused.code, refused.err) == (
        2,
        "scrimp: error: trace.json: the cycle does not close: it does not lead back to its first state\n",
    )


@pytest.mark.parametrize("kind", ["fault", "deadlock"])
def test_a_cycle_does_not_confirm_another_claim(scrimp: Scrimp, wheel: Model, kind: str) -> None:
    written(wheel, PATH, CYCLE, Claim(kind, "", "something is wrong"))
    assert "the trace does not end as it claims" in scrimp("replay", "wheel.dve", "trace.json").err


def test_a_trace_that_claims_a_cycle_must_have_one(scrimp: Scrimp, wheel: Model) -> None:
    record = written(wheel, PATH, CYCLE, AROUND)
    del record["cycle"]
    Path("trace.json").write_text(json.dumps(record | {"version": 1}))
    assert "the trace does not end as it claims" in scrimp("replay", "wheel.dve", "trace.json").err


def test_a_simulation_is_guided_once_around_the_cycle(scrimp: Scrimp, wheel: Model) -> None:
    written(wheel, PATH, CYCLE, AROUND)
    assert "these 2 steps repeat forever:\n" in scrimp("simulate", "wheel.dve", "--guide", "trace.json").out
    went_on = scrimp("simulate", "wheel.dve", "--guide", "trace.json", "--steps", "3", "--trace", "longer.json").out
    assert "repeat forever" not in went_on
    assert len(read_trace_file(Path("longer.json")).trace.steps) == 7


def test_an_endless_atomic_sequence_is_a_cycle_and_its_trace_is_confirmed(scrimp: Scrimp, folder: Path) -> None:
    (folder / "endless.pml").write_text(ENDLESS)
    found = library.check(library.load("endless.pml")).trace
    assert found is not None
    assert (len(found.steps), len(found.cycle or ())) == (3, 2)
    scrimp("check", "endless.pml", "--trace", "trace.json", "--trail", "our.trail")
    assert scrimp("replay", "endless.pml", "trace.json", "-q").code == 0
    assert scrimp("replay", "endless.pml", "our.trail", "-q").out == "CONFIRMED  a cycle of 2 steps, after 3 steps\n"
