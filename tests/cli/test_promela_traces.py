"""Traces of Promela models as users see them: in steps, in charts, in interactive simulation, in models that grow."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click import unstyle
from tests.cli.conftest import Scrimp

import scrimp as library
from scrimp import walking
from scrimp.frontends.model import Model
from scrimp.growth import grow
from scrimp.outputs.sequence_chart import chart_lines
from scrimp.steps import Step
from scrimp.system.reference import Fault, State
from scrimp.system.violations import ViolationKind
from scrimp.walking import Walk, follow

POST = """\
mtype = { letter, receipt };
chan box = [2] of { mtype, byte };
chan desk = [0] of { mtype, byte };
byte sent;

proctype Sender(byte number) {
  mtype answer;
  atomic { sent++; box!letter(number) };
  desk?answer(eval(number))
}

init {
  mtype what;
  byte who;
  run Sender(7);
  box?what(who);
  desk!receipt(who);
  assert(sent == 2)
}
"""

CHAIN = """\
chan up = [1] of { byte };

proctype Link(byte level) {
  byte got;
  if
  :: level < 6 -> run Link(level + 1); up?got; assert(got < 6)
  :: level == 6 -> skip
  fi;
  up!level
}

init { byte last; run Link(1); up?last }
"""


@pytest.fixture
def post(folder: Path) -> str:
    (folder / "post.pml").write_text(POST)
    return "post.pml"


@pytest.fixture
def chain(folder: Path) -> Model:
    (folder / "chain.pml").write_text(CHAIN)
    return library.load("chain.pml")


@pytest.fixture
def growths(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The needs for which walks have grown a model, starting from the model as it was read."""
    needs: list[str] = []

    def noted(model: Model, need: str, state: State) -> Model:
        needs.append(need)
        return grow(model, need, state)

    monkeypatch.setattr(walking, "settled", lambda model: model)
    monkeypatch.setattr(walking, "remember", lambda asked, grown: None)
    monkeypatch.setattr(walking, "grow", noted)
    return needs


def shown(out: str) -> list[str]:
    """The lines of a trace, without the spaces that put them into columns."""
    return [" ".join(line.split()) for line in out.splitlines()]


def test_steps_are_shown_in_terms_of_promela(scrimp: Scrimp, post: str) -> None:
    lines = shown(scrimp("check", post).out)
    first = lines.index("1 init:0 post.pml:15 run Sender(7)")
    assert lines[first : first + 10] == [
        "1 init:0 post.pml:15 run Sender(7)",
        "Sender:1 post.pml:6 -start-",
        "2 Sender:1 post.pml:8 sent++ sent 0 → 1",
        "3 Sender:1 post.pml:8 box!letter(number) box [] → [letter 7]",
        "4 init:0 post.pml:16 box?what(who) init:0.what 0 → letter, init:0.who 0 → 7, box [letter 7] → []",
        "5 init:0 post.pml:17 desk!receipt(who)",
        "Sender:1 post.pml:9 desk?answer(eval(number)) Sender:1.answer 0 → receipt",
        "6 init:0 post.pml:18 assert(sent == 2)",
        "assertion violated: assert(sent == 2)",
        "",
    ]


def test_if_steps_pass_transient_states_the_trace_is_shortest_in_states_only(scrimp: Scrimp, post: str) -> None:
    assert "after 6 steps (no trace passes fewer states)" in scrimp("check", post).out
    assert "after 2 steps (no shorter trace exists)" in scrimp("check", "forks.dve").out


def test_a_step_from_an_included_file_is_shown_with_that_file(scrimp: Scrimp, folder: Path) -> None:
    (folder / "parts.h").write_text("inline wrong() {\n  assert(false)\n}\n")
    (folder / "whole.pml").write_text('#include "parts.h"\nactive proctype P() {\n  skip;\n  wrong()\n}\n')
    lines = shown(scrimp("check", "whole.pml").out)
    assert "1 P:0 whole.pml:3 skip" in lines
    assert any(line.startswith("2 P:0") and "parts.h:2" in line for line in lines)


def test_fields_of_structures_are_named_by_their_path(scrimp: Scrimp, folder: Path) -> None:
    (folder / "pairs.pml").write_text(
        "typedef Pair { byte at[2] };\nPair pairs[2];\nactive proctype P() { pairs[1].at[0] = 5; assert(false) }\n"
    )
    assert "pairs[1].at[0] 0 → 5" in scrimp("check", "pairs.pml").out


def test_a_variable_that_holds_a_channel_is_shown_with_the_name_of_the_channel(scrimp: Scrimp, folder: Path) -> None:
    (folder / "reply.pml").write_text(
        "chan reply[2] = [1] of { byte };\nchan ask = [1] of { chan };\n"
        "active proctype P() { chan mine; mine = reply[1]; ask!mine; assert(false) }\n"
    )
    out = scrimp("check", "reply.pml").out
    assert "P:0.mine 0 → reply[1]" in out
    assert "ask [] → [reply[1]]" in out


def test_records_keep_the_numbers_of_named_values(post: str) -> None:
    result = library.check(library.load(post))
    assert result.trace is not None
    taken = result.trace.steps[3].to_dict()
    assert {"name": "box", "old": [[2, 7]], "new": []} in taken["changes"]


def test_a_trace_is_confirmed_by_replay(scrimp: Scrimp, post: str) -> None:
    scrimp("check", post, "--trace", "trace.json")
    ran = scrimp("replay", post, "trace.json")
    assert (ran.code, ran.out.splitlines()[-1]) == (
        0,
        "CONFIRMED  assertion violated: assert(sent == 2), after 6 steps",
    )


def test_a_trace_survives_an_additional_line_in_the_model(scrimp: Scrimp, post: str, folder: Path) -> None:
    scrimp("check", post, "--trace", "trace.json")
    (folder / post).write_text("/* a comment */\n" + POST)
    assert scrimp("replay", post, "trace.json").code == 0


def test_recorded_steps_are_found_by_their_contents_and_not_by_their_numbers(chain: Model, growths: list[str]) -> None:
    found = library.check(chain).trace
    assert found is not None
    renumbered = [Step(10_000, step.moves, step.changes, step.fault) for step in found.steps]
    walk = Walk(chain)
    follow(walk, renumbered, "trace.json")
    assert growths
    assert [step.moves for step in walk.trace.steps] == [step.moves for step in found.steps]
    assert walk.failed == (Fault("assertion violated: assert(got < 6)", ViolationKind.ASSERTION),)


def test_a_walk_continues_when_its_model_grows(chain: Model, growths: list[str]) -> None:
    walk = Walk(chain)
    while walk.events():
        walk.take(walk.events()[0])
    assert len(growths) == len(set(growths)) > 1
    assert walk.ending() == "a valid end: no process can move"
    assert {move.process for step in walk.trace.steps for move in step.moves} > {"Link:1", "Link:6"}


def test_a_simulation_goes_on_after_a_failed_assertion(scrimp: Scrimp, post: str) -> None:
    lines = shown(scrimp("simulate", post).out)
    failed = lines.index("assertion violated: assert(sent == 2)")
    assert any(line.endswith("-end-") for line in lines[failed:])
    assert lines[-1] == "a valid end: no process can move"


def test_an_interactive_simulation_shows_only_processes_that_are_running(
    scrimp: Scrimp, post: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = iter(["1", "s", "1", "q"])
    monkeypatch.setattr("builtins.input", lambda: next(answers))
    before, _, after, inside = scrimp("simulate", post, "-i").out.split("number, u, r, w, s, t, h for help, q: ")[:4]
    assert "Sender:1 at" not in before
    assert "Sender:1.answer = 0" in after
    assert "in the middle of an atomic sequence: Sender:1 at" in inside
    assert "1  Sender:1  post.pml:8  box!letter(number)" in inside


def test_a_chart_shows_messages_as_arrows(scrimp: Scrimp, post: str) -> None:
    out = scrimp("check", post, "--msc").out
    chart = out[out.index("     init:0") :].split("\n\n")[0]
    assert [line.rstrip() for line in chart.splitlines()] == [
        "     init:0    Sender:1",
        "  1  +-------->|           run Sender(7)",
        "  3  |         +-o         box!letter 7",
        "  4  |<........+           box?letter 7  of step 3",
        "  5  +-------->|           desk!receipt 7",
        "  6  x         |           assert(sent == 2)",
        "     |         |           assertion violated: assert(sent == 2)",
    ]


def test_the_manual_shows_what_is_printed(scrimp: Scrimp, post: str) -> None:
    page = (Path(__file__).parents[2] / "docs" / "traces.md").read_text(encoding="utf-8")
    text, steps, chart = re.findall(r"^```\w*\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    found = library.check(library.load(post)).trace
    assert found is not None
    assert text == POST
    assert steps in scrimp("check", post).out
    assert chart.splitlines() == [unstyle(line).rstrip() for line in chart_lines(found, lines=True)]


@pytest.mark.parametrize("arguments", [["simulate", "post.pml"], ["replay", "post.pml", "trace.json"]], ids=str)
def test_every_command_that_shows_a_trace_draws_charts(scrimp: Scrimp, post: str, arguments: list[str]) -> None:
    scrimp("check", post, "--trace", "trace.json")
    assert "desk!receipt 7" in scrimp(*arguments, "--msc").out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["check", "post.pml", "--msc", "-q"], "--msc has no effect with --quiet"),
        (["check", "post.pml", "--msc", "--json", "-"], "--msc has no effect with --json -"),
        (["replay", "post.pml", "trace.json", "--msc", "-q"], "--msc has no effect with --quiet"),
        (["simulate", "post.pml", "--msc", "-i"], "--msc shows a whole run and has no effect with --interactive"),
        (["check", "lock.dve", "--trail", "x"], "--trail needs a Promela model, and this one is in dve"),
        (["check", "post.pml", "--trail", "-"], "--trail: expected a file, found '-'"),
        (["check", "post.pml", "--trail", "x", "--trace", "x"], "--trace and --trail both name x"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_options_without_effect_are_refused(scrimp: Scrimp, post: str, arguments: list[str], message: str) -> None:
    ran = scrimp(*arguments)
    assert (ran.code, ran.err) == (2, f"scrimp: error: {message}\n")
