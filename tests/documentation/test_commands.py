"""Every command that the documentation shows is run; every output in the README is what scrimp prints."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from tests.documentation.command_lines import commands, furnish, run, runnable
from tests.documentation.pages import ROOT, blocks_of

README = ROOT / "README.md"
ELLIPSIS = "…"

EXAMPLES = [
    (command, output)
    for block in blocks_of(README)
    for command, output in re.findall(r"^\$ (scrimp .*)\n\n((?:(?!\$ ).*\n)+)", block, re.MULTILINE)
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("documentation")
    furnish(made)
    return made


@pytest.mark.parametrize("line", sorted(set(commands()) - {command for command, _ in EXAMPLES}), ids=str)
def test_every_command_runs(line: str, folder: Path) -> None:
    ran = run(runnable(line), folder)
    assert ran.returncode in (0, 1, 3), ran.stderr


def test_the_readme_shows_outputs() -> None:
    assert len(EXAMPLES) >= 4


@pytest.mark.parametrize(("command", "shown"), EXAMPLES, ids=[command for command, _ in EXAMPLES])
def test_the_readme_shows_what_is_printed(command: str, shown: str) -> None:
    printed = comparable(run(shlex.split(command)[1:], ROOT).stdout)
    for part in re.split(rf"^ *{ELLIPSIS}\n", shown, flags=re.MULTILINE):
        wanted = comparable(part)
        places = [i for i in range(len(printed)) if printed[i : i + len(wanted)] == wanted]
        assert places, f"{wanted} is not in {printed}"
        printed = printed[places[0] + len(wanted) :]


def comparable(text: str) -> list[str]:
    """Lines without the numbers that depend on the machine and on what is cached: times, rates, sizes of processes,
    threads."""
    text = re.sub(r"[\d.,]+ (?:M/s|k/s|ms|s|min|h|KiB|MiB|GiB)(?!\w)", "#", text).replace(" · # to compile", "")
    text = re.sub(r" on \d+ threads?$", "", text, flags=re.MULTILINE)
    return [" ".join(line.split()) for line in text.splitlines() if line.strip()]


def test_the_python_example_of_the_readme_runs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    (example,) = blocks_of(README, "python")
    exec(example, {})
    assert capsys.readouterr().out.startswith("REFUTED ")
