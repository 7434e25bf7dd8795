"""Accidents of users: a wrong file name, no trace to write, a key pressed too early."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.conftest import Scrimp

import scrimp as package

MODEL = "process p { state a, b; init a; trans a -> b {}; }\nsystem async;\n"


@pytest.mark.parametrize(
    ("command", "option"),
    [
        ("check", "--json"),
        ("check", "--trace"),
        ("check", "--trail"),
        ("explore", "--json"),
        ("export", "--output"),
        ("export", "--json"),
    ],
)
@pytest.mark.parametrize("name", ["model.aut", "./model.aut", "link.aut"])
def test_the_model_is_never_overwritten(scrimp: Scrimp, folder: Path, command: str, option: str, name: str) -> None:
    model = folder / "model.aut"
    model.write_text('des (0, 1, 2)\n(0, "a", 1)\n')
    (folder / "link.aut").symlink_to(model)
    before = model.read_text()
    output = ("-o", "other.aut") if command == "export" and option != "--output" else ()
    ran = scrimp(command, "model.aut", option, name, *output)
    assert (ran.code, ran.err) == (2, f"scrimp: error: {option}: {Path(name)} is the model itself; name another file\n")
    assert model.read_text() == before


def test_a_trace_that_does_not_exist_is_reported_as_not_written(scrimp: Scrimp, folder: Path) -> None:
    (folder / "model.dve").write_text(MODEL)
    (folder / "trace.json").write_text("older")
    ran = scrimp("check", "model.dve", "--allow-deadlock", "--trace", "trace.json")
    assert (ran.code, ran.err) == (0, "scrimp: there is no trace, so trace.json was not written\n")


def test_help_is_a_command_too(scrimp: Scrimp) -> None:
    assert scrimp("help").out == scrimp("--help").out
    assert scrimp("help", "check").out == scrimp("check", "--help").out


def test_an_interrupt_before_the_command_starts_ends_in_one_line() -> None:
    """The first import of the command is interrupted."""
    program = """\
import sys
class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == "scrimp.cli.application":
            raise KeyboardInterrupt
sys.meta_path.insert(0, Interrupting())
from scrimp.cli import main
main()
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (3, "scrimp: error: interrupted\n")


def test_a_result_is_no_truth_value(folder: Path) -> None:
    (folder / "model.dve").write_text(MODEL)
    result = package.check(folder / "model.dve")
    with pytest.raises(TypeError, match=r"compare its verdict: result\.verdict is Verdict\.PROVED"):
        bool(result)


def test_a_verdict_equals_its_text() -> None:
    verdict: str = package.Verdict.REFUTED
    assert verdict == "refuted"
    assert str(verdict) == "REFUTED"


@pytest.mark.parametrize(
    ("options", "remedy"),
    [
        (["--store", "full"], "--store auto"),
        (["--order", "dfs"], "--order bfs --store auto"),
        (["--order", "dfs", "--reduce", "sleep"], "--memory 128M"),
    ],
)
def test_a_search_that_runs_out_of_memory_names_a_method_or_a_limit_that_may_do(
    options: list[str], remedy: str, scrimp_process: Scrimp, folder: Path
) -> None:
    counters = "byte " + ", ".join(f"x{i}" for i in range(4)) + ";\n"
    (folder / "large.pml").write_text(
        counters + "active proctype P() { do " + " ".join(f":: x{i}++" for i in range(4)) + " od }\n"
    )
    ran = scrimp_process("explore", "large.pml", *options, "--memory", "64M", "-q")
    assert ran.code == 3
    assert f"try {remedy}, or ask scrimp methods --advise large.pml --memory 64M" in ran.out
