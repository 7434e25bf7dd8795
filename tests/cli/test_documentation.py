"""Documentation that could rot: every path it names exists, every command line in it is one."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest

from scrimp.cli.application import COMMANDS, application

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
FOLDERS = ("src", "engine", "tests", "bench", "docs", "models")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_path_that_is_named_exists(page: Path) -> None:
    named = re.findall(rf"`((?:{'|'.join(FOLDERS)})/[\w./-]*)`", page.read_text(encoding="utf-8"))
    assert [path for path in named if not (ROOT / path).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_to_a_file_leads_somewhere(page: Path) -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_command_line_uses_commands_and_options_that_exist(page: Path) -> None:
    lines = re.findall(r"(?:^\$ |`)scrimp (\w+)((?: [^`\n]*)?)", page.read_text(encoding="utf-8"), re.MULTILINE)
    for command, arguments in lines:
        assert command in COMMANDS
        assert set(re.findall(r"(?<= )--[a-z-]+", arguments)) <= options_of(command)


def options_of(command: str) -> set[str]:
    found = application.get_command(click.Context(application), command)
    assert found is not None
    return {option for parameter in found.params for option in parameter.opts} | {"--help"}


def test_the_python_example_of_the_readme_runs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    (example,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    exec(example, {})
    assert capsys.readouterr().out.startswith("REFUTED ")
