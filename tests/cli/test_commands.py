"""The commands, as a user meets them."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest
from tests.cli.conftest import Ran, Scrimp

STRATEGIES = [
    [f"--order={order}", f"--store=full:compress={compress}"]
    for order in ("bfs", "dfs")
    for compress in ("none", "tree", "cleary")
]

SHARES = """\
byte shared;
process A {
byte own;
state a;
init a;
trans
a -> a { effect own = 1; },
a -> a { effect shared = 1; };
}
process B {
state a;
init a;
trans
a -> a { effect shared = 2; };
}
system async;
"""


def settled(text: str) -> str:
    """A report without the numbers that differ from run to run."""
    text = re.sub(r" · [\d,.]+ [kMG]?/s", "", text)
    text = re.sub(r"[\d.]+ (KiB|MiB|GiB|bytes\b(?! per))", "SIZE", text)
    text = re.sub(r"[\d.]+ bytes per state", "N bytes per state", text)
    text = re.sub(r"\b\d+ threads?\b", "N threads", text)
    return re.sub(r"([\d.]+|under 1) m?s\b", "TIME", text)


def test_a_proof_is_reported(scrimp: Scrimp) -> None:
    ran = scrimp("check", "lock.dve", "--invariant", "!(P0.critical && P1.critical)")
    assert ran.code == 0
    assert ran.err == ""
    assert settled(ran.out) == (
        """\
PROVED  every reachable state was visited

  model        lock.dve
  property     no assertion violated, no fault
               no deadlock
               always !(P0.critical && P1.critical)
  strategy     order bfs · store auto · reduction none (there are few states)
  states       20
  transitions  34 · 15 met a visited state
  depth         6 · deepest level
  memory       N bytes per state · SIZE · SIZE in all
  time         TIME on N threads · TIME to compile
"""
    )


def test_a_deadlock_is_shown_step_by_step(scrimp: Scrimp) -> None:
    ran = scrimp("check", "forks.dve")
    assert ran.code == 1
    assert "REFUTED  deadlock: no process can move\n" in ran.out
    assert "deadlock: no process can move after 2 steps (no shorter trace exists)\n" in ran.out
    assert re.search(r"  1  A  forks.dve:6  .*fork\[0\] 0 → 1\n  2  B  forks.dve:14  .*fork\[1\] 0 → 1\n", ran.out)


def test_a_fault_is_shown_where_it_happens(scrimp: Scrimp) -> None:
    ran = scrimp("check", "fault.dve", "--allow-deadlock")
    assert ran.code == 1
    assert "REFUTED  division by zero\n" in ran.out
    assert "division by zero after 3 steps" in ran.out


def test_a_violated_invariant_is_named(scrimp: Scrimp) -> None:
    ran = scrimp("check", "lock.dve", "--invariant", "turn == 0")
    assert ran.code == 1
    assert "REFUTED  turn == 0 does not hold\n" in ran.out


def test_a_goal_is_shown_with_a_witness(scrimp: Scrimp) -> None:
    ran = scrimp("check", "lock.dve", "--reach", "P0.critical")
    assert ran.code == 0
    assert "P0.critical is reachable after 3 steps (no shorter trace exists)\n" in ran.out


def test_an_unreachable_goal_is_a_refutation(scrimp: Scrimp) -> None:
    ran = scrimp("check", "lock.dve", "--reach", "P0.critical && P1.critical")
    assert ran.code == 1
    assert "REFUTED  P0.critical && P1.critical is not reachable\n" in ran.out


def test_deadlocks_can_be_allowed(scrimp: Scrimp) -> None:
    assert scrimp("check", "forks.dve", "--allow-deadlock").code == 0


@pytest.mark.parametrize("strategy", STRATEGIES, ids=" ".join)
def test_every_strategy_gives_the_same_verdicts(scrimp: Scrimp, strategy: list[str]) -> None:
    assert scrimp("check", "lock.dve", *strategy).code == 0
    assert scrimp("check", "forks.dve", *strategy).code == 1


def test_all_violations_are_counted_and_shown(scrimp: Scrimp) -> None:
    ran = scrimp("check", "fault.dve", "--violations=all", "--json=-")
    record = json.loads(ran.out)
    assert record["violating"] == record["deadlocks"] + record["faults"]
    assert {violation["kind"] for violation in record["violations"]} == {"deadlock", "fault"}


def test_exploration_counts_but_does_not_judge(scrimp: Scrimp) -> None:
    ran = scrimp("explore", "forks.dve")
    assert ran.code == 0
    assert ran.out.startswith("EXPLORED  every reachable state was visited\n")
    assert "found        1 deadlock\n" in ran.out


def test_shuffling_changes_the_order_but_not_the_states(scrimp: Scrimp) -> None:
    plain = json.loads(scrimp("explore", "lock.dve", "--order=dfs", "--json=-").out)
    for seed in range(5):
        shuffled = json.loads(
            scrimp("explore", "lock.dve", "--order=dfs", "--shuffle", f"--seed={seed}", "--json=-").out
        )
        assert shuffled["states"] == plain["states"]
        assert shuffled["transitions"] == plain["transitions"]
        assert shuffled["strategy"]["seed"] == seed


def test_a_property_process_can_be_left_out(scrimp: Scrimp) -> None:
    assert scrimp("check", "property.dve", "--ignore-property").code == 0


def test_a_depth_limit_leaves_the_verdict_open(scrimp: Scrimp) -> None:
    ran = scrimp("check", "lock.dve", "--depth=3")
    assert ran.code == 3
    assert "UNDETERMINED  states beyond the depth limit were not visited\n" in ran.out


def test_a_depth_limit_beyond_the_deepest_state_allows_a_proof(scrimp: Scrimp) -> None:
    assert scrimp("check", "lock.dve", "--depth=100").code == 0


def test_a_time_limit_leaves_the_verdict_open(scrimp: Scrimp) -> None:
    ran = scrimp("check", "endless.dve", "--as-written", "--time=200ms", "--memory=256M", "-q")
    assert ran.code == 3
    assert ran.out == "UNDETERMINED  the time limit was reached before all states were visited\n"


def test_a_memory_limit_leaves_the_verdict_open(scrimp_process: Scrimp) -> None:
    # A search that may neither use the disk nor forget: its levels are too large to keep some, and a search by depth
    # could not keep to a depth limit.
    ran = scrimp_process("explore", "endless.dve", "--memory=8M", "--disk=0", "--depth=9999", "-q")
    assert ran.code == 3
    assert ran.out.startswith(
        "UNFINISHED  the memory limit was reached before all states were visited; leave out --disk 0, or name a folder"
    )


def test_a_disk_limit_leaves_the_verdict_open(scrimp_process: Scrimp) -> None:
    ran = scrimp_process("explore", "endless.dve", "--memory=16M", "--disk=8M", "-q")
    assert ran.code == 3
    assert ran.out.startswith("UNFINISHED  the disk limit was reached, or the disk is full")


def test_a_limit_on_disk_needs_a_store_that_uses_it(scrimp: Scrimp) -> None:
    ran = scrimp("explore", "lock.dve", "--store=full", "--disk=8M")
    assert (ran.code, ran.err) == (
        2,
        "scrimp: error: --disk: store 'full' keeps no states on disk; use --store auto\n",
    )


def test_quiet_prints_the_verdict_only(scrimp: Scrimp) -> None:
    assert scrimp("check", "lock.dve", "-q").out == "PROVED  every reachable state was visited\n"


def test_json_on_standard_output_is_nothing_but_json(scrimp_process: Scrimp) -> None:
    ran = scrimp_process("check", "forks.dve", "--json", "-")
    record = json.loads(ran.out)
    assert ran.code == 1
    assert ran.err == ""
    assert record["verdict"] == "refuted"
    assert [step["moves"][0]["process"] for step in record["trace"]["steps"]] == ["A", "B"]


def test_json_goes_into_a_file_beside_the_report(scrimp: Scrimp, folder: Path) -> None:
    ran = scrimp("check", "lock.dve", "--json", "record.json")
    assert ran.out.startswith("PROVED")
    assert json.loads((folder / "record.json").read_text())["states"] == 20


def test_output_without_a_terminal_is_plain(scrimp_process: Scrimp) -> None:
    for arguments in (["check", "forks.dve"], ["simulate", "lock.dve"], ["info", "lock.dve"], ["methods"]):
        ran = scrimp_process(*arguments)
        assert "\x1b" not in ran.out + ran.err


def test_a_trace_is_written_and_confirmed_by_replay(scrimp: Scrimp, folder: Path) -> None:
    scrimp("check", "forks.dve", "--trace", "trace.json")
    ran = scrimp("replay", "forks.dve", "trace.json")
    assert ran.code == 0
    assert ran.out.splitlines()[-1] == "CONFIRMED  deadlock: no process can move, after 2 steps"


@pytest.mark.parametrize(
    "arguments",
    [
        ["fault.dve", "--allow-deadlock"],
        ["lock.dve", "--invariant", "turn == 0"],
        ["lock.dve", "--reach", "P1.critical"],
    ],
    ids=" ".join,
)
def test_every_kind_of_trace_is_confirmed(scrimp: Scrimp, arguments: list[str]) -> None:
    scrimp("check", *arguments, "--trace", "trace.json")
    assert scrimp("replay", arguments[0], "trace.json").code == 0


def test_without_a_trace_no_file_is_written(scrimp: Scrimp, folder: Path) -> None:
    scrimp("check", "lock.dve", "--trace", "trace.json")
    assert not (folder / "trace.json").exists()


def test_a_trace_of_another_model_is_refused(scrimp: Scrimp) -> None:
    scrimp("check", "forks.dve", "--trace", "trace.json")
    refused = scrimp("replay", "lock.dve", "trace.json")
    assert refused.code == 2
    assert re.fullmatch(r"scrimp: error: trace.json: step 1: the model has .*another model\?\n", refused.err)


def test_a_trace_that_does_not_show_what_it_claims_is_refused(scrimp: Scrimp, folder: Path) -> None:
    scrimp("check", "forks.dve", "--trace", "trace.json")
    record = json.loads((folder / "trace.json").read_text())
    (folder / "trace.json").write_text(json.dumps(record | {"steps": record["steps"][:1]}))
    refused = scrimp("replay", "forks.dve", "trace.json")
    assert refused.code == 2
    assert refused.err == (
        "scrimp: error: trace.json: the trace does not end as it claims: deadlock: no process can move\n"
    )


def test_a_random_simulation_repeats_with_its_seed(scrimp: Scrimp) -> None:
    runs = [scrimp("simulate", "lock.dve", f"--seed={seed}", "--steps=12").out for seed in (1, 1, 2)]
    assert runs[0] == runs[1] != runs[2]
    assert len(runs[0].splitlines()) == 12


def test_a_simulation_says_why_it_ends(scrimp: Scrimp) -> None:
    endings = {scrimp("simulate", "forks.dve", f"--seed={seed}").out.splitlines()[-1] for seed in range(20)}
    assert "  deadlock: no process can move" in endings


def test_a_simulation_can_be_replayed_and_continued(scrimp: Scrimp) -> None:
    first = scrimp("simulate", "lock.dve", "--steps=5", "--trace=trace.json")
    guided = scrimp("simulate", "lock.dve", "--guide=trace.json")
    assert guided.out == first.out
    longer = scrimp("simulate", "lock.dve", "--guide=trace.json", "--steps=3")
    assert len(longer.out.splitlines()) == 8
    assert scrimp("replay", "lock.dve", "trace.json").code == 0


def test_an_interactive_simulation_takes_numbers(scrimp: Scrimp, monkeypatch: pytest.MonkeyPatch) -> None:
    ran = interact(scrimp, monkeypatch, ["1", "9", "u", "2", "q"])
    assert ran.code == 0
    assert "'9' is not among the choices" in ran.out
    assert ran.out.count("A at think, B at think, fork[0] = 0, fork[1] = 0") == 2
    assert "fork[0] 0 → 1" in ran.out
    assert "fork[1] 0 → 1" in ran.out


def test_an_interactive_simulation_ends_with_its_input(scrimp: Scrimp, monkeypatch: pytest.MonkeyPatch) -> None:
    ran = interact(scrimp, monkeypatch, ["1", "2"])
    assert ran.code == 0
    assert "deadlock: no process can move" in ran.out


def test_an_interactive_simulation_shows_only_what_changed_unless_asked(
    scrimp: Scrimp, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "A at one" not in interact(scrimp, monkeypatch, ["1"]).out
    assert "A at one, B at think, fork[0] = 1, fork[1] = 0" in interact(scrimp, monkeypatch, ["1", "s"]).out


def test_an_interactive_simulation_runs_until_a_condition_holds(
    scrimp: Scrimp, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = interact(scrimp, monkeypatch, ["r 50 until fork[1] == 1", "w fork[0] + fork[1]", "r 2", "u 100", "t", "h"])
    assert "and fork[1] == 1 holds" in ran.out
    assert "fork[0] + fork[1] = " in ran.out
    assert "run at random until a condition holds" in ran.out


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ("r until fork[", "<expression>:1:"),
        ("r x", "expected a number of steps from 1 to 1000000, as in r 10, or r until x > 3; found 'x'"),
        ("u 0", "expected a number of steps from 1 to 1000000, as in u 5; found '0'"),
        ("w nonsense", "nonsense"),
        ("x", "'x' is not among the choices"),
    ],
)
def test_an_interactive_simulation_answers_mistakes_and_goes_on(
    scrimp: Scrimp, monkeypatch: pytest.MonkeyPatch, answer: str, message: str
) -> None:
    ran = interact(scrimp, monkeypatch, [answer, "1", "q"])
    assert ran.code == 0
    assert message in ran.out
    assert "fork[0] 0 → 1" in ran.out


def interact(scrimp: Scrimp, monkeypatch: pytest.MonkeyPatch, answers: list[str]) -> Ran:
    remaining = iter(answers)

    def answer() -> str:
        for text in remaining:
            return text
        raise EOFError

    monkeypatch.setattr("builtins.input", answer)
    return scrimp("simulate", "forks.dve", "--interactive")


def test_info_lists_the_parts_of_a_model(scrimp: Scrimp) -> None:
    ran = scrimp("info", "forks.dve")
    assert ran.code == 0
    assert "2 processes\n  A  3 locations  from think\n" in ran.out
    assert "1 variable\n  fork[2]  byte 0..255  1 bit each  from 0 everywhere\n" in ran.out
    assert "  6 bits per state; 20 as declared\n" in ran.out
    assert "6 transitions\n" in ran.out


def test_info_marks_local_transitions(scrimp: Scrimp, folder: Path) -> None:
    (folder / "shares.dve").write_text(SHARES)
    rows = [line for line in scrimp("info", "shares.dve").out.splitlines() if "shares.dve:" in line]
    assert ["  local  " in row for row in rows] == [True, False, False]


def test_info_says_which_transitions_cannot_be_inverted(scrimp: Scrimp, folder: Path) -> None:
    assert "  all transitions can be taken backwards\n" in scrimp("info", "forks.dve").out
    (folder / "alone.pml").write_text(
        "byte x; active proctype P() { atomic { x++; do :: x > 9 -> x = 0 :: break od } }"
    )
    printed = scrimp("info", "alone.pml").out
    reason = r"its process has exclusive control after it +\d transitions"
    assert re.search(rf"that cannot be taken backwards\n  {reason}", printed)


@pytest.mark.parametrize("order", ["bfs", "dfs"])
@pytest.mark.parametrize("store", ["compact", "compact:hash=40", "bitstate", "bitstate:bytes=1M,functions=7"])
def test_a_store_that_relies_on_hashes_refutes_but_never_proves(scrimp: Scrimp, order: str, store: str) -> None:
    flawed = scrimp("check", "forks.dve", f"--store={store}", f"--order={order}", "--memory=500M")
    assert flawed.code == 1
    assert "deadlock" in flawed.out
    sound = scrimp("check", "lock.dve", f"--store={store}", f"--order={order}", "--memory=500M", "--quiet")
    assert sound.code == 3
    assert sound.out.startswith("UNDETERMINED  states may have been lost to hash collisions; ")


def test_without_a_memory_limit_a_table_of_bits_does_not_take_all_memory(scrimp: Scrimp) -> None:
    record = json.loads(scrimp("explore", "lock.dve", "--store=bitstate", "--json=-").out)
    assert record["bytes_peak"] < 300 * 2**20


def test_a_table_larger_than_the_memory_limit_is_refused(scrimp: Scrimp) -> None:
    ran = scrimp("check", "lock.dve", "--store=bitstate:bytes=1G", "--memory=500M")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("scrimp: error: store 'bitstate:bytes=1G' does not fit into the memory limit of 500M")


def test_methods_lists_the_strategies_and_their_combinations(scrimp: Scrimp) -> None:
    ran = scrimp("methods")
    assert ran.code == 0
    assert "compress = none, tree, cleary, huffman or rle (default none)" in ran.out
    assert "\n  compact    dfs  none, local, overman, stubborn\n" in ran.out
    assert "\n  local+sleep, local+conflict, overman+sleep, " in ran.out
    assert ran.out.count("  store 'cache' needs --order dfs: ") == 1


def test_the_file_name_of_a_model_need_not_be_valid_text(scrimp: Scrimp, folder: Path) -> None:
    name = os.fsdecode(b"bad\xff.dve")
    (folder / name).write_text((folder / "forks.dve").read_text())
    ran = scrimp("check", name, "--json=record.json", "--trace=trace.json")
    assert (ran.code, ran.err) == (1, "")
    assert "bad\ufffd.dve" in ran.out
    assert json.loads((folder / "record.json").read_text())["model"] == "bad\ufffd.dve"
    assert scrimp("replay", name, "trace.json").code == 0
