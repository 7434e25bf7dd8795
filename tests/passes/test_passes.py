"""What each pass does, on models in Promela."""

from __future__ import annotations

from pathlib import Path

import pytest

import scrimp
from scrimp.passes import Dead, Fold, Merge, Pass, Slice, Unreachable, passed
from scrimp.passes.answers import compared

ENDING = scrimp.Verdict.PROVED


def states(text: str, *, passes: bool) -> int:
    return scrimp.explore(scrimp.load(text=text), passes=passes).statistics.states


def notes(text: str, *passes: Pass) -> list[str]:
    system = scrimp.load(text=text).system
    return [note.text for note in passed(system, (), passes).notes]


COUNTING = "active [2] proctype P() { byte i; do :: i < 3 -> i++ :: else -> break od }"
SHARED = "byte x; active [2] proctype P() { do :: x++; x--; x++ od }"


def test_steps_that_nobody_sees_are_merged() -> None:
    assert states(COUNTING, passes=True) < states(COUNTING, passes=False) / 2


def test_steps_on_shared_variables_are_not_merged() -> None:
    assert notes(SHARED, Merge()) == []


def test_a_location_that_another_process_refers_to_is_not_merged() -> None:
    watched = "active proctype P() { byte i; first: i = 1; here: i = 2; i = 3 } active proctype Q() { P@here }"
    unwatched = watched.replace("P@here", "P@first")
    assert notes(watched, Merge()) != notes(unwatched, Merge())


def test_a_state_before_an_endless_atomic_loop_is_kept() -> None:
    text = """
        byte x;
        active proctype P() { byte i; x = 1; i = 1; atomic { do :: i = 1 - i od } }
        active proctype Q() { assert(x == 0) }
    """
    system = scrimp.load(text=text).system
    merged = passed(system, (), (Merge(),))
    assert merged.notes != ()
    assert compared(system, merged, (), 100) == ""


def test_a_variable_is_reset_when_it_is_not_read_again() -> None:
    text = "chan c = [1] of { byte }; active proctype P() { byte i; c?i; c!i; c?_ ; c!7 }"
    assert notes(text, Dead()) == ["1 variable reset"]


def test_a_variable_that_only_counts_is_left_out() -> None:
    text = "byte x, y; active proctype P() { do :: x++ :: y < 2 -> y++ od }"
    assert notes(text, Slice()) == ["1 variable left out"]
    assert states(text, passes=True) < 10 < states(text, passes=False)


def test_a_variable_that_an_assertion_reads_is_kept() -> None:
    text = "byte x; active proctype P() { do :: x++ :: assert(x < 5) od }"
    assert notes(text, Slice()) == []
    assert scrimp.check(scrimp.load(text=text)).verdict is scrimp.Verdict.REFUTED


def test_a_constant_guard_makes_code_unreachable() -> None:
    text = "byte n = 3; active proctype P() { if :: n == 3 -> skip :: n == 4 -> skip; skip fi }"
    assert notes(text, Fold(), Unreachable())[-1] == "3 transitions removed"


def test_what_an_invariant_looks_at_is_kept() -> None:
    text = "byte x; active proctype P() { byte i; i = 1; x = 1; x = 2; x = 0 }"
    found = scrimp.check(scrimp.load(text=text), invariant="x != 2")
    assert found.verdict is scrimp.Verdict.REFUTED
    assert found.trace is not None
    assert [step.moves[0].text for step in found.trace.steps] == ["i = 1", "x = 1", "x = 2"]


def test_statements_that_cannot_be_reached_are_reported_as_before() -> None:
    text = "byte n; active proctype P() { byte i; i = 1; if :: n > 0 -> i = 2 :: else fi }"
    model = scrimp.load(text=text)
    own = scrimp.check(model, as_written=True)
    assert [each.text for each in own.unreached] == ["n > 0", "i = 2"]
    assert scrimp.check(model).unreached == own.unreached
    assert scrimp.check(model, reduction="auto").unreached == own.unreached


def test_a_trace_is_one_of_the_model_as_written() -> None:
    text = (
        "byte x; active proctype P() { byte i; i = 1; i = i + 1; x = i } active proctype Q() { x == 2; assert(false) }"
    )
    found = scrimp.check(scrimp.load(text=text), order="dfs")
    assert found.passes != ()
    assert found.trace is not None
    steps = [step.moves[0].text for step in found.trace.steps]
    assert steps == ["i = 1", "i = i + 1", "x = i", "x == 2", "assert(false)"]


def test_several_violations_are_searched_for_as_written() -> None:
    model = scrimp.load(text=COUNTING)
    assert scrimp.check(model, violations="all").passes == ()
    assert scrimp.check(model).passes != ()


MERGED = "byte x; active proctype P() { byte i; i = 1; i = 2; x = i } active proctype Q() { x == 2; assert(false) }"


def test_a_violation_is_found_again_as_written_so_that_its_trace_is_shortest() -> None:
    found = scrimp.check(scrimp.load(text=MERGED))
    assert found.passes == ()
    assert "no shorter trace exists" in str(found)


def test_no_shortest_trace_is_claimed_if_the_second_search_finds_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scrimp.reducing.MIDDLING", 4096)
    found = scrimp.check(scrimp.load(text=MERGED))
    assert found.passes != ()
    assert "no shorter trace exists" not in str(found)


def test_an_audit_compares_the_systems_before_and_after_passes() -> None:
    result = scrimp.check(scrimp.load(text=COUNTING), audit=True)
    assert result.verdict is ENDING


@pytest.mark.parametrize("name", ["peterson.dve", "broken_lock.dve", "philosophers.dve"])
def test_an_automatic_reduction_has_the_same_verdict(name: str) -> None:
    path = Path("models") / name
    own = scrimp.check(path, as_written=True)
    assert scrimp.check(path, reduction="auto").verdict is own.verdict


def test_an_automatic_reduction_is_refused_where_nothing_is_reduced(tmp_path: Path) -> None:
    with pytest.raises(scrimp.OptionError, match="needs check or explore"):
        scrimp.export("models/peterson.dve", tmp_path / "x.aut", reduction="auto")
