"""Everything that the documentation names exists: files, links, headings, commands and their options, targets of
make."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest
from tests.documentation.pages import PAGES, ROOT, blocks_of, prose_of, shown, spans_of, text_of

from scrimp.cli.application import COMMANDS, application

FOLDERS = ("src", "engine", "tests", "bench", "docs", "models")


@pytest.mark.parametrize("page", PAGES, ids=shown)
def test_every_path_exists(page: Path) -> None:
    named = re.findall(rf"`((?:{'|'.join(FOLDERS)})/[\w./-]*)`", text_of(page))
    assert [path for path in named if not (ROOT / path).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=shown)
def test_every_link_leads_to_a_file_and_a_heading_in_it(page: Path) -> None:
    links = re.findall(r"\]\((?!https?:)([^)#\s]*)(?:#([^)\s]*))?\)", prose_of(page))
    targets = [(page.parent / path if path else page, anchor) for path, anchor in links]
    assert [path for path, _ in targets if not path.exists()] == []
    assert [(path, anchor) for path, anchor in targets if anchor and anchor not in anchors(path)] == []


def anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", prose_of(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=shown)
def test_every_command_line_uses_commands_and_options_that_exist(page: Path) -> None:
    lines = re.findall(r"(?:^\$ |`)scrimp ([a-z]+)((?: [^`\n]*)?)", text_of(page), re.MULTILINE)
    for command, arguments in lines:
        assert command in COMMANDS
        assert set(re.findall(r"(?<= )--[a-z-]+", arguments)) <= options_of(command)


def options_of(command: str) -> set[str]:
    found = application.get_command(click.Context(application), command)
    assert found is not None
    return {option for parameter in found.params for option in parameter.opts} | {"--help"}


@pytest.mark.parametrize("page", PAGES, ids=shown)
def test_every_target_of_make_exists(page: Path) -> None:
    makefiles = "".join((ROOT / name).read_text(encoding="utf-8") for name in ("Makefile", "build.mk"))
    targets = set(re.findall(r"^([\w-]+):", makefiles, re.MULTILINE))
    lines = [*spans_of(page), *"".join(blocks_of(page)).splitlines()]
    named = {found for line in lines for found in re.findall(r"(?:^|\$ | )make ([\w-]+)", line)}
    assert named <= targets


@pytest.mark.parametrize("page", PAGES, ids=shown)
def test_every_python_program_exists_and_has_the_options_it_is_given(page: Path) -> None:
    lines = [*spans_of(page), *"".join(blocks_of(page)).splitlines()]
    for line in lines:
        if found := re.match(r"(?:\$ )?python (?:-m ([\w.]+)|(\S+\.py))(.*)", line):
            module, path, arguments = found.groups(default="")
            program = ROOT / path if path else program_of(module)
            assert program.exists(), line
            assert all(f'"{option}"' in text_of(program) for option in re.findall(r"--[a-z-]+", arguments)), line


def program_of(module: str) -> Path:
    package = ROOT.joinpath(*module.split("."))
    return package / "__main__.py" if package.is_dir() else package.with_suffix(".py")
