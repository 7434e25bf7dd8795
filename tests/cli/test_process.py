"""scrimp as a process: start-up, signals, pipes, defects."""

from __future__ import annotations

import os
import pty
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from tests.cli.conftest import Scrimp
from tests.processes import interrupted, wait_until_searching

import scrimp
from scrimp.cli import application

COMMAND = [sys.executable, "-m", "scrimp.cli"]
HEAVY = ("rich", "lark", "numpy", "llvmlite", "pyarrow", "matplotlib")


def test_help_loads_nothing_heavy() -> None:
    program = (
        "import sys; from scrimp.cli.application import run; code = run(['--help']);"
        "print(code, *sys.modules, sep='\\n', file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    code, *modules = done.stderr.split()
    assert code == "0"
    assert not {module.partition(".")[0] for module in modules} & set(HEAVY)
    assert len(modules) < 350


@pytest.mark.parametrize("command", application.COMMANDS)
def test_every_command_has_help(scrimp_process: Scrimp, command: str) -> None:
    ran = scrimp_process(command, "--help")
    assert ran.code == 0
    assert ran.out.startswith(f"Usage: scrimp {command}")


def test_without_arguments_there_is_help(scrimp_process: Scrimp) -> None:
    ran = scrimp_process()
    assert ran.code == 0
    assert "Exit codes: 0 proved, 1 refuted, 2 bad input, 3 undetermined." in ran.out


def test_the_version_is_the_projects(scrimp_process: Scrimp) -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
    assert scrimp.__version__ == project["version"]
    assert scrimp_process("--version").out == f"scrimp {scrimp.__version__}\n"


def test_an_interrupt_ends_with_the_report_so_far(folder: Path) -> None:
    search = subprocess.Popen(
        [*COMMAND, "check", "endless.dve", "--as-written", "--memory=1G"], stdout=subprocess.PIPE, text=True
    )
    wait_until_searching(search)
    out, seconds = interrupted(search)
    assert search.returncode == 3
    assert "UNDETERMINED  the search was interrupted before all states were visited\n" in out
    assert "states" in out
    assert seconds < 2


def test_a_closed_pipe_does_not_change_the_verdict(folder: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run([*COMMAND, "check", "forks.dve"], stdout=writer, stderr=subprocess.PIPE, check=False)
    finally:
        os.close(writer)
    assert done.returncode == 1
    assert done.stderr == b""


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_standard_streams_do_not_change_the_exit_code(folder: Path, closed: str) -> None:
    command = shlex.join([*COMMAND, "check", "forks.dve", "--trace=trace.json"])
    done = subprocess.run(["sh", "-c", f"{command} {closed}"], stderr=subprocess.PIPE, check=False)
    assert done.returncode == 1
    assert done.stderr == b""
    assert (folder / "trace.json").stat().st_size > 0


def test_a_full_standard_output_is_reported_in_one_line(folder: Path) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run([*COMMAND, "check", "forks.dve"], stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 2
    assert done.stderr == b"scrimp: error: cannot write to standard output: No space left on device\n"


def test_a_terminal_sees_a_live_line_and_colours(folder: Path) -> None:
    keyboard, screen = pty.openpty()
    with subprocess.Popen(
        [*COMMAND, "check", "endless.dve", "--as-written", "--time=3s"], stdout=screen, stderr=screen
    ) as search:
        os.close(screen)
        seen = read_all(keyboard)
    assert search.returncode == 3
    assert "compiling endless.dve" in seen
    assert "waiting · level" in seen
    assert "\x1b[" in seen


@pytest.mark.parametrize(("locale", "arrow"), [("C", "->"), ("C.UTF-8", "→")])
def test_a_narrow_terminal_steps_in_lines_that_fit_and_in_its_own_signs(folder: Path, locale: str, arrow: str) -> None:
    keyboard, screen = pty.openpty()
    settings = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG", "PYTHONIO"))}
    settings |= {"LC_ALL": locale, "COLUMNS": "40"}
    arguments = [*COMMAND, "simulate", "forks.dve", "--interactive"]
    with subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=screen, stderr=screen, env=settings) as stepping:
        os.close(screen)
        assert stepping.stdin is not None
        stepping.stdin.write(b"s\n1\nw fork[0] + fork[1]\nr 3 until fork[1] == 1\nu 2\nt\nh\nx\nq\n")
        stepping.stdin.close()
        seen = re.sub(r"\x1b\[[0-9;]*m", "", read_all(keyboard)).replace("\r", "").replace("q: ", "q:\n")
    assert stepping.returncode == 0
    assert max(map(len, seen.splitlines())) <= 40
    assert f"fork[0] 0 {arrow} 1" in seen
    assert "  r 100 until x > 3  the same, at most a\n    hundred steps\n" in seen  # between words
    assert seen.isascii() == (locale == "C")


def test_a_terminal_without_colours_sees_a_plain_live_line(folder: Path) -> None:
    keyboard, screen = pty.openpty()
    plain = os.environ | {"NO_COLOR": "1"}
    arguments = [*COMMAND, "check", "endless.dve", "--as-written", "--time=1s"]
    with subprocess.Popen(arguments, stdout=screen, stderr=screen, env=plain):
        os.close(screen)
        seen = read_all(keyboard)
    assert "waiting · level" in seen
    assert re.search(r"\x1b\[[0-9;]*m", seen) is None


def read_all(descriptor: int) -> str:
    pieces = []
    while True:
        try:
            piece = os.read(descriptor, 4096)
        except OSError:  # how Linux reports that the other side of a terminal was closed
            break
        if not piece:
            break
        pieces.append(piece)
    os.close(descriptor)
    return b"".join(pieces).decode()


def test_a_defect_prints_a_request_to_report_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("SCRIMP_DEBUG", raising=False)
    assert run_with_defect(monkeypatch) == 70
    _, err = capfd.readouterr()
    assert err == (
        "scrimp: error: KeyError: 'x': this is a defect in scrimp, please report it with the model "
        "(SCRIMP_DEBUG=1 prints a traceback)\n"
    )


def test_a_defect_has_a_traceback_on_demand(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SCRIMP_DEBUG", "1")
    assert run_with_defect(monkeypatch) == 70
    assert "Traceback" in capfd.readouterr().err


def run_with_defect(monkeypatch: pytest.MonkeyPatch) -> int:
    def fail(*_: object, **__: object) -> None:
        raise KeyError("x")

    monkeypatch.setattr("scrimp.frontends.load", fail)
    return application.run(["check", "lock.dve"])
