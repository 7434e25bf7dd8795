"""Processes that only wait for their end: when they end early, and that nothing can observe it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from tests.passes.ends_mutants import ENDS_MUTANTS, EndsMutant
from tests.passes.random_stacks import KINDS
from tests.passes.stacks import difference, ends_early, first_difference, model_of

import scrimp
from scrimp.passes import PASSES, Ends, passed
from scrimp.passes.answers import answers

MODELS = 12

PLAIN = "byte x; proctype P() { x++ } init { run P(); x++; run P() }"
AT_ONCE = "byte x; proctype P() { x = _pid } init { atomic { run P(); run P() }; x++ }"
FACTORIAL = """
proctype fact(int n; chan p) {
  chan child = [1] of { int };
  int result;
  if
  :: n <= 1 -> p!1
  :: n >= 2 -> run fact(n - 1, child); child?result; p!n * result
  fi
}
init { chan child = [1] of { int }; int result; run fact(4, child); child?result; assert(result == 24) }
"""


@pytest.mark.parametrize("kind", KINDS)
def test_the_answers_of_random_models_stay_the_same(kind: str) -> None:
    assert first_difference(kind, range(MODELS)) == ""
    assert first_difference(kind, range(MODELS), PASSES) == ""


@pytest.mark.parametrize("text", [PLAIN, AT_ONCE, FACTORIAL], ids=["plain", "at once", "factorial"])
def test_processes_end_early_and_the_answers_stay_the_same(text: str) -> None:
    assert ends_early(text)
    assert difference(text) == ""


@pytest.mark.parametrize(
    "statement",
    ["x = _pid", "x = _nr_pr", "x = enabled(1)", "x = pc_value(1)", "x = (run P())", "P[1]@here -> skip"],
)
def test_processes_end_as_written_if_somebody_can_see_their_numbers(statement: str) -> None:
    assert not ends_early(f"byte x; proctype P() {{ here: x++ }} init {{ run P(); {statement}; run P() }}")


def test_numbers_that_are_printed_do_not_matter() -> None:
    assert ends_early('byte x; proctype P() { printf("%d", _pid) } init { run P(); x++; run P() }')


def test_numbers_do_not_matter_if_all_processes_are_started_at_once() -> None:
    start = "do :: x < 2 -> run P(); x++ :: x >= 2 -> break od"
    assert ends_early(f"byte x; proctype P() {{ x = _pid }} init {{ atomic {{ {start} }} }}")


@pytest.mark.parametrize(
    "start", ["atomic { run P(); x > 0; run P() }", "atomic { run P(); c!0; run P() }", "run P(); run P()"]
)
def test_starts_that_may_be_interrupted_do_not_come_at_once(start: str) -> None:
    declarations = "byte x; chan c = [1] of { byte };"
    assert not ends_early(f"{declarations} proctype P() {{ x = _pid }} init {{ {start} }}")


@pytest.mark.parametrize(
    "body", ["g!c", "chan d; d = c", "x = c", "run Q(0)", "if :: c == p -> skip :: else fi", "g?c"]
)
def test_processes_end_as_written_if_their_channels_may_be_used_after_them(body: str) -> None:
    text = f"""
    byte x; chan g = [1] of {{ chan }};
    proctype Q(chan q) {{ skip }}
    proctype P(chan p) {{ chan c = [1] of {{ byte }}; {body} }}
    init {{ run P(g); run P(g) }}
    """
    assert not ends_early(text)


@pytest.mark.parametrize("head", ["proctype P() provided (x < 2)", "proctype P() priority 2"])
def test_processes_whose_end_may_have_to_wait_end_as_written(head: str) -> None:
    assert not ends_early(f"byte x; {head} {{ x++ }} init {{ run P(); x++; run P() }}")


def test_an_end_that_a_question_looks_at_does_not_come_early() -> None:
    model = model_of(AT_ONCE)
    absent = model.expression("_nr_pr == 1")
    assert passed(model.system, (absent,), (Ends(),)).notes == ()


def test_a_local_variable_that_a_question_looks_at_has_a_number() -> None:
    model = model_of("byte x; proctype P() { byte y; y = x; x++; y++ } init { run P(); x++; run P() }")
    assert passed(model.system, (model.expression("x"),), (Ends(),)).notes
    local = next(number for number, each in enumerate(model.system.variables) if each.owner is not None)
    seen = scrimp.system.expressions.Read(local)
    assert passed(model.system, (seen,), (Ends(),)).notes == ()


def test_a_system_outgrows_its_room_for_starts() -> None:
    system = model_of(PLAIN).system
    assert system.stack is not None
    for room, suffices in ((1, False), (2, True)):
        tight = replace(system, stack=replace(system.stack, room=room))
        assert (answers(passed(tight, (), (Ends(),)), (), 1000) is not None) is suffices


@pytest.fixture
def checked(tmp_path: Path) -> Callable[..., scrimp.Result]:
    def check(text: str, **options: object) -> scrimp.Result:
        path = tmp_path / "model.pml"
        path.write_text(text)
        return scrimp.check(scrimp.load(path), **options)  # type: ignore[arg-type]

    return check


def test_numbers_of_processes_still_run_out(checked: Callable[..., scrimp.Result]) -> None:
    result = checked("proctype P() { skip } init { do :: run P() od }")
    assert result.verdict is scrimp.Verdict.REFUTED
    assert "more than 255 processes" in result.violations[0].message


def test_what_numbers_executed_a_statement_is_counted_as_unknown(checked: Callable[..., scrimp.Result]) -> None:
    text = "byte x; proctype P() { if :: x == 0 -> x = 1 :: x == 2 -> x = 3 fi } init { run P(); run P() }"
    result, plain = checked(text), checked(text, as_written=True)
    assert {each.text for each in result.unreached} <= {each.text for each in plain.unreached}
    assert len(plain.unreached) <= len(result.unreached) + result.unknown_coverage


def test_a_trace_ends_processes_where_the_model_can(checked: Callable[..., scrimp.Result]) -> None:
    result = checked(
        "byte x; proctype P() { x++ } init { run P(); x == 1; run P(); x == 2; assert(false) }", audit=True
    )
    assert result.verdict is scrimp.Verdict.REFUTED
    assert result.violations[0].trace is not None


@pytest.mark.parametrize("mutant", ENDS_MUTANTS, ids=lambda mutant: mutant.name)
def test_a_mutant_is_killed(mutant: EndsMutant) -> None:
    assert difference(mutant.text) in ("", None)
    with mutant.applied():
        assert difference(mutant.text)
