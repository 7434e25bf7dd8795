"""SPIN's trails: scrimp follows those of SPIN's verifier to their end, and SPIN follows ours."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.frontends.pan import COMPILER, needs_spin

from scrimp.cli.application import run
from scrimp.errors import ScrimpError
from scrimp.outputs.trail import Trail, TrailStep, read_trail

ASSERTION = """\
mtype = { msg, ack };
chan q = [2] of { mtype, byte };
chan r = [0] of { mtype };
byte x;
proctype Child(byte n) { atomic { x = x + n; x = x + 1 }; q!msg(n); r!ack }
init {
  mtype m; byte v;
  atomic { run Child(3); run Child(4) };
  q?m(v); r?ack; q?m(v); r?ack; (_nr_pr == 1);
  d_step { x = 5; x++ };
  assert(x == 7)
}
"""

# Local statements, which SPIN merges with those before them, on both paths to the end.
DEADLOCK = """\
chan left = [0] of { byte };
chan right = [0] of { byte };
active proctype A() { byte a; a = 1; a = a + 1; right!a; left?a; a = 0; a = 3 }
active proctype B() { byte b; b = 4; b = b + 1; right?b; right?b; b = 1; b = 2 }
"""

# A d_step with a loop, and an assertion that is not the last statement.
LOOP = """\
byte x, y;
active proctype P() {
  d_step { do :: x < 5 -> x++ :: else -> break od; y = x };
  if :: y == 5 -> y = 6 :: else fi;
  assert(y < 6);
  y = 0
}
"""

CLAIM = """\
byte x;
active proctype A() { x = 1; x = 2; x = 3 }
active proctype B() { (x == 2); skip }
never { do :: (x == 2) -> break :: else od }
"""

MODELS = {"assertion": ASSERTION, "deadlock": DEADLOCK, "loop": LOOP, "claim": CLAIM}
SHOWN = {
    "assertion": ("assertion violated: assert(x == 7)", "assertion violated"),
    "deadlock": ("deadlock: no process can move", "invalid end state"),
    "loop": ("assertion violated: assert(y < 6)", "assertion violated"),
    "claim": ("the never claim is completed", "end state in claim"),
}
UNMERGED = ("-o1", "-o2", "-o3")

every_model = pytest.mark.parametrize("name", MODELS)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in MODELS.items():
        (tmp_path / f"{name}.pml").write_text(text)
    return tmp_path


@pytest.fixture
def outcome(capfd: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """The last line that a command line printed, on whichever stream."""

    def call(*arguments: str) -> str:
        capfd.readouterr()
        run(list(arguments))
        return "".join(capfd.readouterr()).splitlines()[-1]

    return call


def spin(*command: str) -> str:
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60, check=False)
    return done.stdout.decode()


def verifier(name: str, *options: str) -> None:
    spin("spin", "-a", *options, f"{name}.pml")
    spin(str(COMPILER), "-w", "-DSAFETY", "-o", "pan", "pan.c")


@needs_spin
@every_model
@pytest.mark.parametrize("options", [UNMERGED, ()], ids=["plain", "merged"])
def test_a_trail_of_spin_is_followed_to_the_violation(
    folder: Path, outcome: Callable[..., str], name: str, options: tuple[str, ...]
) -> None:
    verifier(name, *options)
    assert SHOWN[name][1] in spin("./pan")
    assert outcome("replay", f"{name}.pml", f"{name}.pml.trail").startswith(f"CONFIRMED  {SHOWN[name][0]}, after ")


def test_a_trail_may_end_in_the_middle_of_a_d_step(folder: Path, outcome: Callable[..., str]) -> None:
    """The violation happens inside a loop and no longer holds at the end of the step."""
    model = "byte x; active proctype P() { d_step { do :: x < 5 -> x++; assert(x != 3) :: else -> break od } }"
    (folder / "inner.pml").write_text(model)
    outcome("check", "inner.pml", "--trail", "inner.pml.trail")
    shown = outcome("replay", "inner.pml", "inner.pml.trail")
    assert shown.startswith("CONFIRMED  assertion violated: assert(x != 3), after ")


@needs_spin
@every_model
def test_a_trail_of_ours_is_followed_by_the_verifier(folder: Path, outcome: Callable[..., str], name: str) -> None:
    outcome("check", f"{name}.pml", "--trail", f"{name}.pml.trail")
    verifier(name, *UNMERGED)
    printed = spin("./pan", "-r")
    assert "spin: trail ends after" in printed
    assert "assertion violated" in printed or SHOWN[name][1] != "assertion violated"
    written = read_trail(folder / f"{name}.pml.trail")
    assert f"trail ends after {len(written.steps)} steps" in printed


@needs_spin
@every_model
def test_a_trail_of_ours_is_followed_by_the_simulator(folder: Path, outcome: Callable[..., str], name: str) -> None:
    outcome("check", f"{name}.pml", "--trail", f"{name}.pml.trail")
    printed = spin("spin", "-t", "-p", f"{name}.pml")
    assert "transition failed" not in printed
    assert "no matching stmnt" not in printed
    assert "Error: assertion violated" in printed or SHOWN[name][1] != "assertion violated"


@every_model
def test_a_trail_of_ours_is_followed_by_scrimp(folder: Path, outcome: Callable[..., str], name: str) -> None:
    outcome("check", f"{name}.pml", "--trail", "our.trail", "--trace", "our.json")
    confirmed = outcome("replay", f"{name}.pml", "our.trail")
    assert confirmed.startswith(f"CONFIRMED  {SHOWN[name][0]}")
    assert confirmed == outcome("replay", f"{name}.pml", "our.json")


def test_steps_of_a_claim_in_a_trail_are_skipped_if_the_model_has_none(
    folder: Path, outcome: Callable[..., str]
) -> None:
    outcome("check", "claim.pml", "--trail", "our.trail")
    printed = outcome("replay", "--ignore-claims", "claim.pml", "our.trail")
    assert printed == "scrimp: error: our.trail: nothing is wrong at the end of the trail, after 2 steps"


def test_a_trail_without_the_claim_of_its_model_is_refused(folder: Path, outcome: Callable[..., str]) -> None:
    Path("bare.trail").write_text("1:0:0\n")
    assert outcome("replay", "claim.pml", "bare.trail").endswith("use --ignore-claims")


def test_a_simulation_is_guided_by_a_trail(folder: Path, outcome: Callable[..., str]) -> None:
    outcome("check", "loop.pml", "--trail", "our.trail")
    assert outcome("simulate", "loop.pml", "--guide", "our.trail").strip() == "assertion violated: assert(y < 6)"


def test_a_trail_of_another_model_is_refused(folder: Path, outcome: Callable[..., str]) -> None:
    outcome("check", "assertion.pml", "--trail", "our.trail")
    printed = outcome("replay", "deadlock.pml", "our.trail")
    assert printed.startswith(
        "scrimp: error: our.trail: step 1: process 0 cannot execute statement 6 here; was the trace"
    )


def test_a_trail_for_a_model_in_another_language_is_refused(folder: Path, outcome: Callable[..., str]) -> None:
    Path("one.trail").write_text("1:0:0\n")
    Path("one.dve").write_text("process P { state a; init a; }\nsystem async;\n")
    printed = outcome("replay", "one.dve", "one.trail")
    assert printed == "scrimp: error: one.trail: a SPIN trail needs a Promela model, not one in dve"


def test_a_trail_says_how_its_verifier_was_compiled(tmp_path: Path) -> None:
    file = tmp_path / "a.trail"
    file.write_text("-2:2:-2\n-4:-4:-4\n1:0:9\n2:1:0\n")
    assert read_trail(file) == Trail((TrailStep(0, 9), TrailStep(1, 0)), watched=True, merged=True)


def test_a_trail_says_where_its_cycle_begins(tmp_path: Path) -> None:
    file = tmp_path / "a.trail"
    file.write_text("1:0:9\n-1:-1:-1\n2:1:0\n")
    assert read_trail(file) == Trail((TrailStep(0, 9), TrailStep(1, 0)), cycle=1)


# SPIN ignores the value of y, which is never read: its cycle closes for us after one more round.
WHEEL = """\
byte x;
chan c = [1] of { byte };
active proctype P() {
  x = 1;
accept: do :: x < 3 -> x++; c!x :: x == 3 -> x = 1 od
}
active proctype Q() { byte y; do :: c?y od }
"""


@needs_spin
@pytest.mark.parametrize("options", [UNMERGED, ()], ids=["plain", "merged"])
@pytest.mark.parametrize(
    ("switch", "search"), [("-DMEMLIM=1024", "-a"), ("-DNP", "-l")], ids=["acceptance", "progress"]
)
def test_a_cycle_of_spin_is_followed_until_it_closes(
    folder: Path, outcome: Callable[..., str], options: tuple[str, ...], switch: str, search: str
) -> None:
    (folder / "wheel.pml").write_text(WHEEL)
    spin("spin", "-a", *options, "wheel.pml")
    spin(str(COMPILER), "-w", switch, "-o", "pan", "pan.c")
    assert "cycle" in spin("./pan", search)
    assert outcome("replay", "wheel.pml", "wheel.pml.trail").startswith("CONFIRMED  a cycle of 10 steps, after ")


@needs_spin
def test_a_cycle_of_ours_is_followed_by_the_simulator(folder: Path, outcome: Callable[..., str]) -> None:
    model = "byte x; active proctype P() { skip; atomic { x = 5; do :: x = 1; x = 2 od } }"
    (folder / "endless.pml").write_text(model)
    outcome("check", "endless.pml", "--trail", "endless.pml.trail")
    printed = spin("spin", "-t", "-p", "endless.pml")
    assert "START OF CYCLE" in printed
    assert "transition failed" not in printed


ENDING = "byte x; active proctype P() { x = 1; x = 2 } ltl asked { [] <> (x == 1) }"


def test_a_trail_of_a_run_that_ends_has_no_steps_in_its_cycle(folder: Path, outcome: Callable[..., str]) -> None:
    (folder / "ends.pml").write_text(ENDING)
    outcome("check", "ends.pml", "--trail", "ends.trail")
    assert (folder / "ends.trail").read_text().endswith("-1:-1:-1\n")
    assert outcome("replay", "ends.pml", "ends.trail").startswith("CONFIRMED  a state without steps, forever, after ")


def test_a_run_whose_trail_has_no_steps_in_its_cycle_must_end(folder: Path, outcome: Callable[..., str]) -> None:
    (folder / "ends.pml").write_text(ENDING)
    (folder / "ends.trail").write_text("1:0:0\n-1:-1:-1\n")
    assert "the cycle does not close" in outcome("replay", "ends.pml", "ends.trail")


@needs_spin
def test_a_run_of_ours_that_ends_is_followed_by_the_simulator(folder: Path, outcome: Callable[..., str]) -> None:
    (folder / "ends.pml").write_text(ENDING.partition("ltl")[0])
    outcome("check", "ends.pml", "--ltl", "[] <> (x == 1)", "--trail", "ends.pml.trail")
    printed = spin("spin", "-t", "-p", "ends.pml")
    assert "START OF CYCLE" in printed
    assert "transition failed" not in printed


def test_a_cycle_that_does_not_close_is_refused(folder: Path, outcome: Callable[..., str]) -> None:
    (folder / "count.pml").write_text("byte x; active proctype P() { do :: x++ od }")
    (folder / "count.trail").write_text("1:0:0\n-1:-1:-1\n2:0:0\n")
    assert "count.trail: the cycle does not close" in outcome("replay", "count.pml", "count.trail")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1:0\n", "{file}:1: not a trail: expected step:process:statement"),
        ("1:0:0\nlost\n", "{file}:2: not a trail: expected step:process:statement"),
        ("-5:-5:-5\n", "{file}: not a trail: unknown lines that begin with -5"),
    ],
)
def test_an_invalid_trail_is_refused_in_one_line(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "a.trail"
    file.write_text(text)
    with pytest.raises(ScrimpError) as refused:
        read_trail(file)
    assert str(refused.value).startswith(message.format(file=file))
