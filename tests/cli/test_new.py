"""`scrimp new` writes a model that is correct, and says what to try next."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.conftest import Scrimp

LOCKED = """\
        async with self.lock:  # delete this line, and indent the next three less: updates get lost
            seen = self.counter
            await step()
            self.counter = seen + 1
"""
UNLOCKED = """\
        seen = self.counter
        await step()
        self.counter = seen + 1
"""


@pytest.mark.parametrize(
    ("language", "file"), [("python", "shared.py"), ("promela", "shared.pml"), ("dve", "shared.dve")]
)
def test_a_new_model_is_proved(scrimp: Scrimp, language: str, file: str) -> None:
    ran = scrimp("new", "shared", "--language", language)
    assert (ran.code, ran.out) == (0, f"wrote {file}\nnext: scrimp check {file}\n")
    assert scrimp("check", file).code == 0


def test_the_suffix_decides_the_language(scrimp: Scrimp) -> None:
    scrimp("new", "shared.dve")
    assert scrimp("info", "shared.dve").code == 0


def test_python_is_the_default(scrimp: Scrimp) -> None:
    assert scrimp("new", "shared").out.startswith("wrote shared.py\n")


def test_the_class_has_the_name_of_the_file(scrimp: Scrimp) -> None:
    scrimp("new", "ticket_lock")
    assert "class TicketLock(Model):" in Path("ticket_lock.py").read_text()


@pytest.mark.parametrize("name", ["1st", "model", "class", "größe"])
def test_any_name_makes_a_model(scrimp: Scrimp, name: str) -> None:
    assert scrimp("new", name).code == 0
    assert scrimp("check", f"{name}.py").code == 0


def test_a_model_is_never_overwritten(scrimp: Scrimp) -> None:
    Path("shared.py").write_text("mine")
    ran = scrimp("new", "shared")
    assert (ran.code, ran.err) == (2, "scrimp: error: shared.py exists already; choose another name\n")
    assert Path("shared.py").read_text() == "mine"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["shared", "--language", "pnml"], "unknown language 'pnml' (choices: python, promela, dve)"),
        (["shared.txt"], "shared.txt: expected a name without a suffix, or with the suffix .py, .pml, .dve"),
        (["shared.pml", "--language", "dve"], "shared.pml: expected a name without a suffix, or with the suffix .dve"),
        (["nowhere/shared"], "cannot write nowhere/shared.py: there is no directory nowhere"),
    ],
)
def test_a_new_model_that_cannot_be_written_is_refused(scrimp: Scrimp, arguments: list[str], message: str) -> None:
    ran = scrimp("new", *arguments)
    assert ran.code == 2
    assert message in ran.err


def test_the_first_ten_minutes(scrimp: Scrimp) -> None:
    """New, proved; edited, refuted with a trace; repaired, proved again."""
    scrimp("new", "shared")
    assert scrimp("check", "shared.py").code == 0
    correct = Path("shared.py").read_text()
    assert LOCKED in correct
    Path("shared.py").write_text(correct.replace(LOCKED, UNLOCKED))
    ran = scrimp("check", "shared.py")
    assert ran.code == 1
    assert "no_update_is_lost (When all are done, all have counted) does not hold after 4 steps" in ran.out
    Path("shared.py").write_text(correct)
    assert scrimp("check", "shared.py", "-D", "WORKERS=4").code == 0


def test_a_new_model_runs_under_cpython_and_type_checks(scrimp: Scrimp) -> None:
    scrimp("new", "shared")
    ran = subprocess.run([sys.executable, "shared.py"], capture_output=True, text=True, check=False)
    assert ran.stdout.endswith("every process is done\n")
    command = [sys.executable, "-m", "mypy", "--strict", "--no-incremental", "shared.py"]
    checked = subprocess.run(command, env=os.environ, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout
