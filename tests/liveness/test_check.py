"""Properties of infinite runs, as users ask for them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import scrimp
from scrimp.result import Result

PROVED, REFUTED = scrimp.Verdict.PROVED, scrimp.Verdict.REFUTED


def promela(text: str) -> scrimp.Model:
    return scrimp.load(text=text, language="promela")


def asked(text: str, formula: str, fair: str = "none") -> Result:
    return scrimp.check(promela(text), ltl=formula, fair=scrimp.Fairness(fair))


COUNTER = "byte x; active proctype P() { do :: x < 3 -> x++ :: x == 3 -> x = 0 od }"


def test_a_formula_that_holds_on_all_runs_is_proved() -> None:
    assert asked(COUNTER, "[] <> (x == 3)").verdict is PROVED


def test_a_violation_is_a_path_and_a_cycle() -> None:
    trace = asked(COUNTER, "<> [] (x == 3)").trace
    assert trace is not None
    assert trace.cycle is not None
    assert len(trace.cycle) == 8


def test_a_run_that_ends_repeats_its_last_state() -> None:
    result = asked("byte x; active proctype P() { x = 1 }", "<> (x == 2)")
    assert result.verdict is REFUTED
    assert result.trace is not None
    assert result.trace.cycle is not None
    assert len(result.trace.cycle) == 0
    assert "no process can move: this state repeats forever" in str(result)


def test_the_last_state_of_a_run_that_ends_may_satisfy_a_formula() -> None:
    assert asked("byte x; active proctype P() { x = 1 }", "<> [] (x == 1)").verdict is PROVED


def test_states_inside_an_atomic_sequence_are_not_seen() -> None:
    assert asked("byte x; active proctype P() { do :: atomic { x = 1; x = 0 } od }", "[] (x == 0)").verdict is PROVED


def test_a_state_in_which_an_atomic_sequence_blocks_is_seen() -> None:
    assert asked("byte x, y; active proctype P() { atomic { x = 1; y == 1; x = 0 } }", "[] (x == 0)").verdict is REFUTED


def test_next_is_the_state_after_one_step() -> None:
    model = "byte x; active proctype P() { x = 1; x = 2 }"
    assert asked(model, "X (x == 1) && X X (x == 2) && X X X (x == 2)").verdict is PROVED
    assert asked(model, "X (x == 2)").verdict is REFUTED


def test_a_safety_formula_is_violated_by_a_finite_run() -> None:
    result = asked(COUNTER, "(x < 2) W (x == 3)")
    assert result.verdict is REFUTED
    assert result.trace is not None
    assert result.trace.cycle is None
    assert len(result.trace.steps) == 4


def test_a_safety_formula_with_next_is_violated_at_the_end_of_a_run() -> None:
    result = asked("byte x; active proctype P() { x = 1 }", "[] (x == 1 -> X X X (x == 0))")
    assert result.verdict is REFUTED
    assert result.trace is not None
    assert result.trace.cycle is not None
    assert len(result.trace.cycle) == 0


@pytest.mark.parametrize(
    "method", ["bfs/full", "dfs/full/stubborn", "dfs/full/local+sleep", "dfs/cache:states=100", "bfs/snapshots"]
)
def test_a_safety_formula_is_decided_by_every_method(method: str) -> None:
    model = promela(COUNTER)
    assert scrimp.check(model, ltl="(x < 2) W (x == 2)", method=method).verdict is PROVED
    assert scrimp.check(model, ltl="(x < 2) W (x == 3)", method=method).verdict is REFUTED


def test_a_safety_formula_is_decided_by_several_threads() -> None:
    assert scrimp.check(promela(COUNTER), ltl="(x < 2) W (x == 2)", threads=2).verdict is PROVED


def test_fairness_does_not_matter_to_a_safety_formula() -> None:
    result = asked(COUNTER, "[] (x < 3)", "strong")
    assert result.verdict is REFUTED
    assert result.violations[0].notes == ("strongly fair runs begin in this way, too",)


# Two processes that loop, and one whose steps nothing depends on.
LOOPS = """
byte y; bool d;
active proctype A() { byte i; do :: i < 3 -> i++ :: i == 3 -> break od; d = 1 }
active proctype B() { y = 1; do :: y = 1 - y od }
active proctype C() { byte k; k = 1; k = 2; k = 3; k = 4; k = 5 }
"""


@pytest.mark.parametrize("reduction", ["local", "stubborn"])
@pytest.mark.parametrize("formula", ["[] <> (y == 0)", "<> d", "<> [] (y == 1)", "[] (d -> <> (y == 1))"])
def test_reductions_leave_some_run_of_each_kind(formula: str, reduction: str) -> None:
    everything = scrimp.check(promela(LOOPS), ltl=formula, order="dfs")
    reduced = scrimp.check(promela(LOOPS), ltl=formula, reduction=reduction, audit=True)
    assert reduced.verdict is everything.verdict
    assert reduced.verdict is REFUTED or reduced.statistics.states < everything.statistics.states


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ({"ltl": "<> (d && X !d)"}, "only for formulas without X"),
        ({"ltl": "<> d", "fair": scrimp.Fairness.WEAK}, "not always a fair one"),
        ({"non_progress": True}, "only for formulas without X"),
    ],
)
def test_reductions_that_may_leave_out_all_violations_are_refused(question: dict[str, Any], reason: str) -> None:
    with pytest.raises(scrimp.OptionError, match=reason):
        scrimp.check(promela(LOOPS), reduction="stubborn", **question)


def test_an_audit_without_a_reduction_has_nothing_to_check() -> None:
    with pytest.raises(scrimp.OptionError, match="nothing to check"):
        scrimp.check(promela(LOOPS), ltl="<> d", audit=True)


def test_a_reduction_is_refused_if_steps_are_counted() -> None:
    with pytest.raises(scrimp.OptionError, match="reduction 'stubborn' keeps the order of changes, not of steps"):
        scrimp.check(promela(COUNTER), ltl="[] (x == 1 -> X X X (x == 2))", reduction="stubborn")


def test_several_threads_are_refused_if_only_one_could_look_for_lassos() -> None:
    with pytest.raises(scrimp.OptionError, match="a search for infinite runs has one thread if it is depth-first"):
        scrimp.check(promela(COUNTER), ltl="[] <> (x == 2)", threads=2, fair="strong")


@pytest.mark.parametrize("formula", ["<> d", "[] <> (x == 2)", "<> [] (x == 2)"])
@pytest.mark.parametrize("fair", ["none", "weak"])
def test_verdict_counts_and_lasso_do_not_depend_on_threads(formula: str, fair: str) -> None:
    model = promela(COUNTER if "x" in formula else LOOPS)
    alone = scrimp.check(model, ltl=formula, fair=scrimp.Fairness(fair))
    for threads in (1, 2, 3):
        shared = scrimp.check(model, ltl=formula, fair=scrimp.Fairness(fair), order="bfs", threads=threads)
        assert shared.verdict is alone.verdict
        assert shared.statistics.states == alone.statistics.states
        assert shared.statistics.transitions == alone.statistics.transitions
        assert shared.trace == alone.trace


def test_several_threads_search_in_levels() -> None:
    shared = scrimp.check(promela(COUNTER), ltl="[] <> (x == 2)", threads=2)
    assert str(shared.method.order) == "bfs"
    assert shared.statistics.threads == 2


TWO = "byte x, y; active proctype P() { do :: x = 1 - x od } active proctype Q() { do :: y = 1 - y od }"


def test_without_fairness_a_process_may_never_move() -> None:
    assert asked(TWO, "<> (x == 1)").verdict is REFUTED


def test_weak_fairness_lets_a_process_move_that_always_can() -> None:
    assert asked(TWO, "<> (x == 1)", "weak").verdict is PROVED


# Q can move only every second time.
FLICKER = """
bit free, done;
active proctype P() { do :: free = 1 - free od }
active proctype Q() { free -> done = 1 }
"""


def test_weak_fairness_does_not_help_a_process_that_can_move_now_and_then() -> None:
    result = asked(FLICKER, "<> done", "weak")
    assert result.verdict is REFUTED
    assert result.violations[0].notes == (
        "fair to P:0: it moves in step 1",
        "fair to Q:1: it cannot move in some state of the cycle",
    )


def test_strong_fairness_does() -> None:
    assert asked(FLICKER, "<> done", "strong").verdict is PROVED


# More processes than a word has bits.
MANY = "bit x; active [70] proctype P() { do :: x = 1 - x od }"


@pytest.mark.parametrize("method", ["dfs/full", "bfs/full", "dfs/full:compress=cleary"])
def test_fairness_to_many_processes_lets_each_of_them_move(method: str) -> None:
    model = promela(f"{MANY} bit set; active proctype Q() {{ set = 1 }}")
    assert scrimp.check(model, ltl="<> (set == 1)", method=method).verdict is REFUTED
    assert scrimp.check(model, ltl="<> (set == 1)", method=method, fair=scrimp.Fairness.WEAK).verdict is PROVED


def test_a_run_that_is_fair_to_many_processes_moves_each_of_them() -> None:
    result = asked(MANY, "<> [] (x == 0)", "strong")
    assert result.verdict is REFUTED
    assert len(result.violations[0].notes) == 70


def test_a_handshake_is_a_move_of_both_partners() -> None:
    model = """
    chan c = [0] of { bit };
    byte x;
    active proctype P() { do :: c!1 od }
    active proctype Q() { do :: c?1 od }
    active proctype R() { do :: x = 1 - x od }
    """
    assert asked(model, "<> (x == 1)", "weak").verdict is PROVED
    fair = asked(model, "[] <> (x == 1) && <> [] (x == 0)", "weak").violations[0].notes
    assert [note.split(":")[0] for note in fair] == ["fair to P", "fair to Q", "fair to R"]


def test_a_process_that_moves_inside_an_atomic_sequence_of_another_moves() -> None:
    model = """
    chan c = [0] of { bit };
    active proctype P() { do :: atomic { c!1; c!0 } od }
    active proctype Q() { do :: c?1 -> c?0 od }
    bit x;
    active proctype R() { do :: x = 1 - x od }
    """
    result = asked(model, "<> (x == 2)", "strong")
    assert result.verdict is REFUTED
    assert all("moves in step" in note for note in result.violations[0].notes)


def test_each_formula_has_its_verdict() -> None:
    result = scrimp.check(promela(COUNTER), ltl=["[] (x <= 3)", "[] (x < 3)", "[] <> (x == 0)"])
    assert [judgement.verdict for judgement in result.properties] == [PROVED, REFUTED, PROVED]


def test_formulas_of_the_model_are_checked_beside_the_usual_questions() -> None:
    result = scrimp.check(promela(COUNTER + " ltl often { [] <> (x == 0) } ltl rarely { <> [] (x == 0) }"))
    assert [(each.property.kind, each.verdict) for each in result.properties] == [
        ("assertion", PROVED),
        ("fault", PROVED),
        ("deadlock", PROVED),
        ("ltl", PROVED),
        ("ltl", REFUTED),
    ]


def test_a_formula_of_the_model_is_asked_for_by_name() -> None:
    result = scrimp.check(promela(COUNTER + " ltl often { [] <> (x == 0) } ltl rarely { <> [] (x == 0) }"), ltl="often")
    assert [(each.property.name, each.verdict) for each in result.properties] == [("often", PROVED)]


def test_a_formula_of_the_model_may_be_about_the_label_of_a_jump() -> None:
    text = "byte x; active proctype P() { again: x = 1 - x; if :: x == 1; back: goto again :: x == 0 fi }"
    model = promela(text + " ltl never_back { [] !P@back }")
    assert scrimp.check(model).properties[-1].verdict is REFUTED
    with pytest.raises(scrimp.ModelError, match="no process stops at 'back', the label of a jump: write 'back: skip;"):
        asked(text, "[] !P@back")


ALTERNATING = (
    "byte x; active proctype P() { do :: x == 0 -> x = 1 od } active proctype Q() { do :: x == 1 -> x = 0 od }"
)


def test_a_formula_may_ask_which_process_moved_last() -> None:
    model = promela(
        ALTERNATING + " ltl both { [] <> (_last == 0) && [] <> (_last == 1) } ltl one { <> [] (_last == 1) }"
    )
    assert [each.verdict for each in scrimp.check(model).properties[-2:]] == [PROVED, REFUTED]
    with pytest.raises(scrimp.ModelError, match="'_last' is no part of the states of this model: put the formula into"):
        asked(ALTERNATING, "[] <> (_last == 1)")


def test_a_formula_may_ask_which_process_can_move() -> None:
    assert asked(ALTERNATING, "[] (enabled(0) -> <> enabled(1))").verdict is PROVED
    assert asked(ALTERNATING, "[] !(enabled(0) && enabled(1))").verdict is PROVED
    assert asked(ALTERNATING, "[] enabled(0)").verdict is REFUTED
    assert asked(ALTERNATING, "[] !timeout").verdict is PROVED


def test_timeout_in_a_formula_holds_if_no_process_can_move_without_one() -> None:
    text = "byte x; active proctype P() { x = 1; do :: timeout -> x = 2 od }"
    assert asked(text, "[] (timeout -> x >= 1)").verdict is PROVED
    assert asked(text, "[] !timeout").verdict is REFUTED


def test_a_formula_is_checked_without_the_claim_of_the_model() -> None:
    model = promela(COUNTER + " ltl high { <> (x == 3) } never { do :: x == 0 :: x == 1 od }")
    assert scrimp.check(model, ltl="high").verdict is PROVED


def test_an_expression_that_cannot_be_evaluated_is_an_error() -> None:
    model = "byte a[2], i; active proctype P() { i = 2 }"
    with pytest.raises(scrimp.OptionError, match=r"ltl \[\] \(a\[i\] == 0\): a\[i\] == 0 cannot be evaluated .*"):
        asked(model, "[] (a[i] == 0)")


@pytest.mark.parametrize("order", ["dfs", "bfs"])
def test_an_expression_that_cannot_be_evaluated_is_an_error_in_a_search_for_lassos(order: str) -> None:
    model = promela("byte a[2], i; active proctype P() { i = 2 }")
    with pytest.raises(scrimp.OptionError, match=r"a\[i\] == 1 cannot be evaluated .*"):
        scrimp.check(model, ltl="[] <> (a[i] == 1)", order=order)


NEVER = "never { do :: true :: x == 3 -> break od; accept: do :: x != 2 od }"


def test_a_claim_with_accept_labels_is_violated_by_a_run_that_passes_them_forever() -> None:
    refuted = scrimp.check(promela("byte x; active proctype P() { x = 3; x = 1 }" + NEVER))
    assert refuted.violations[0].message == "never claim is violated"
    proved = scrimp.check(promela(COUNTER + NEVER))
    assert [each.verdict for each in proved.properties if each.property.kind == "never"] == [PROVED]


def test_an_assertion_in_such_a_claim_violates_it() -> None:
    claim = "never { do :: true :: atomic { x == 3 -> assert(!(x == 3)) } od; accept: do :: x == 9 od }"
    assert scrimp.check(promela(COUNTER + claim)).verdict is REFUTED


# The claim is at the accept label after every second move; when the program has ended, it moves twice between states.
CHANGING = """byte x, n; active proctype P() { x = 1 }
never { do :: true :: x == 1 -> break od; do :: n = 2; accept: n = 3 od }"""


def test_a_claim_that_changes_variables_is_violated_by_a_run_that_passes_its_accept_label_forever() -> None:
    result = scrimp.check(promela(CHANGING))
    assert [each.verdict for each in result.properties if each.property.kind == "never"] == [REFUTED]
    assert result.trace is not None
    assert result.trace.cycle


def test_fairness_is_refused_for_a_claim_that_changes_variables() -> None:
    with pytest.raises(scrimp.OptionError, match="--fair: the never claim does more than read states"):
        scrimp.check(promela(CHANGING), fair="weak")


@pytest.mark.parametrize(("bad", "verdict"), [("x > 2", REFUTED), ("x > 9", PROVED)])
def test_the_claim_that_spin_writes_for_an_invariant_has_a_verdict_of_its_own(
    bad: str, verdict: scrimp.Verdict
) -> None:
    claim = f"never {{ do :: atomic {{ ({bad}) -> assert(!({bad})) }} :: (1) od; accept_all: skip }}"
    result = scrimp.check(promela(COUNTER + claim))
    assert [(each.property.kind, each.verdict) for each in result.properties][-1] == ("never", verdict)


def test_a_claim_goes_on_after_an_atomic_sequence_although_the_program_has_ended() -> None:
    claim = "never { do :: atomic { true -> assert(true) } :: x == 9 -> break od }"
    assert scrimp.check(promela("byte x; active proctype P() { x = 1 }" + claim)).verdict is PROVED


# In SPIN, the first timeout is always false, because the program has none; the second is true when the claim waits.
@pytest.mark.parametrize(("program", "verdict"), [("x == 2", REFUTED), ("x = 2; x = 0", PROVED)])
def test_a_timeout_in_a_claim_says_that_no_process_can_move(program: str, verdict: scrimp.Verdict) -> None:
    claim = "never { do :: timeout -> break :: x < 2 od; x == 1 }"
    assert scrimp.check(promela(f"byte x; active proctype P() {{ x = 1; {program} }}" + claim)).verdict is verdict


def test_a_claim_at_an_end_label_is_violated_at_once() -> None:
    result = scrimp.check(promela(COUNTER + "never { end: do :: x == 9 od }"))
    assert result.trace is not None
    assert (result.violations[0].kind, len(result.trace.steps)) == ("never", 1)


PROGRESS = "bit x; active proctype P() { progress: do :: x = 1; x = 0 od } active proctype Q() { do :: x od }"


def test_a_cycle_without_progress_labels_is_found() -> None:
    assert scrimp.check(promela(PROGRESS), non_progress=True).verdict is REFUTED
    assert scrimp.check(promela(PROGRESS), non_progress=True, fair="weak").verdict is PROVED


def test_formulas_can_speak_of_progress() -> None:
    assert asked(PROGRESS, "! <> [] np_").verdict is REFUTED
    assert asked(PROGRESS, "! <> [] np_", "weak").verdict is PROVED


def test_a_run_that_ends_is_no_cycle_without_progress() -> None:
    assert scrimp.check(promela("active proctype P() { skip }"), non_progress=True).verdict is PROVED


def test_a_cycle_through_accept_labels_is_found() -> None:
    model = "bit x; active proctype P() { do :: x = 1 :: accept: x = 0 od }"
    assert scrimp.check(promela(model), acceptance=True).verdict is REFUTED
    once = "bit x; active proctype P() { accept: x = 1; do :: x = 0 od }"
    assert scrimp.check(promela(once), acceptance=True).verdict is PROVED


HOA = """HOA: v1
States: 1
Start: 0
AP: 1 "x == 3"
Acceptance: 1 Inf(0)
--BODY--
State: 0
[0] 0 {0}
[!0] 0
--END--
"""


def test_an_automaton_in_a_file_must_accept_no_run(tmp_path: Path) -> None:
    (tmp_path / "often.hoa").write_text(HOA)
    assert scrimp.check(promela(COUNTER), automaton=tmp_path / "often.hoa").verdict is REFUTED
    once = promela("byte x; active proctype P() { x = 3; x = 0 }")
    assert scrimp.check(once, automaton=tmp_path / "often.hoa").verdict is PROVED


DVE = """
byte x;
process P { state a; init a; trans a -> a { effect x = (x + 1) % 4; }; }
process Never { state wait, bad; init wait; accept bad; trans wait -> wait { }, wait -> bad { guard x == GOAL; },
  bad -> bad { guard x < 9; }; }
system async property Never;
"""


def test_a_property_process_accepts_violations() -> None:
    refuted = scrimp.check(scrimp.load(text=DVE.replace("GOAL", "3"), language="dve"))
    assert refuted.violations[0].message == "property process 'Never' is violated"
    assert scrimp.check(scrimp.load(text=DVE.replace("GOAL", "7"), language="dve")).verdict is PROVED


@pytest.mark.parametrize("model", [COUNTER, "byte x; active proctype P() { x = 1 }"], ids=["cycle", "end"])
def test_a_trace_file_of_an_infinite_run_is_confirmed(tmp_path: Path, model: str) -> None:
    file = tmp_path / "model.pml"
    file.write_text(model)
    assert scrimp.check(file, ltl="<> [] (x == 2)").write_trace(tmp_path / "trace.json")
    assert scrimp.replay(file, tmp_path / "trace.json").shows == "<> [] (x == 2) does not hold"


def test_a_trace_file_of_a_finite_run_is_confirmed(tmp_path: Path) -> None:
    file = tmp_path / "model.pml"
    file.write_text(COUNTER)
    assert scrimp.check(file, ltl="(x < 2) W (x == 3)").write_trace(tmp_path / "trace.json")
    assert scrimp.replay(file, tmp_path / "trace.json").shows == "(x < 2) W (x == 3) does not hold"


def test_a_run_that_satisfies_the_formula_is_no_violation(tmp_path: Path) -> None:
    file = tmp_path / "model.pml"
    file.write_text(COUNTER)
    assert scrimp.check(file, ltl="<> [] (x == 2)").write_trace(tmp_path / "trace.json")
    trace = (tmp_path / "trace.json").read_text().replace("<> [] (x == 2)", "[] <> (x == 2)")
    (tmp_path / "trace.json").write_text(trace)
    with pytest.raises(scrimp.ScrimpError, match="the trace does not end as it claims"):
        scrimp.replay(file, tmp_path / "trace.json")


@pytest.mark.parametrize("compression", ["none", "tree", "cleary", "huffman", "rle"])
def test_every_compression_gives_the_same_answers(compression: str) -> None:
    store = f"full:compress={compression}"
    formulas = ["[] <> (x == 3)", "<> [] (x == 3)", "[] <> (x == 1) && [] <> (x == 2)"]
    result = scrimp.check(promela(COUNTER), ltl=formulas, store=store)
    assert [judgement.verdict for judgement in result.properties] == [PROVED, REFUTED, PROVED]


# More states than fit into 12 MiB as words, and few enough for a quotient table.
LARGE = "byte a, b, c; active proctype P() { do :: a++ :: b++ :: c < 40 -> c++ :: else -> c = 0 od }"


@pytest.mark.parametrize(
    ("fair", "smaller"),
    [("none", "full:compress=cleary"), ("weak", "full:compress=cleary or full:compress=tree")],
)
def test_without_memory_nothing_is_decided_and_a_smaller_store_is_named(fair: str, smaller: str) -> None:
    fairness = scrimp.Fairness(fair)
    result = scrimp.check(promela(LARGE), ltl="[] <> (a <= 255)", fair=fairness, memory="12M", store="full")
    assert (result.verdict, result.ending) == (scrimp.Verdict.UNDETERMINED, scrimp.Ending.MEMORY)
    assert result.reason.endswith(f"; try --store {smaller}")


@pytest.mark.parametrize("fair", ["none", "weak"])
def test_states_are_compressed_if_memory_runs_out_and_no_store_is_named(fair: str) -> None:
    result = scrimp.check(promela(LARGE), ltl="[] <> (a <= 255)", fair=scrimp.Fairness(fair), memory="16M")
    assert (result.verdict, str(result.method.store)) == (PROVED, "full:compress=cleary")
    assert result.store_reason.startswith("full had no room for more than ")


def test_a_run_that_violates_two_formulas_is_justified_once() -> None:
    model = promela("byte x; active proctype P() { x = 1 } ltl f { <> (x == 2) } ltl g { <> [] (x == 3) }")
    report = str(scrimp.check(model, allow_deadlock=True, fair="weak"))
    assert report.count("fair to P:0") == 1
