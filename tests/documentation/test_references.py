"""The references of the command line and of Python are complete."""

from __future__ import annotations

import re

import click
import pytest
from tests.documentation.pages import DOCS, hooks, text_of

import scrimp
from scrimp import modelling
from scrimp.cli.application import COMMANDS, application

SITE = hooks()
NAMES: list[str] = SITE.public_names()


def test_the_pages_have_a_place_for_generated_text() -> None:
    assert SITE.COMMANDS_HERE in text_of(DOCS / "cli.md")
    assert SITE.OTHER_NAMES_HERE in text_of(DOCS / "reference.md")


@pytest.mark.parametrize("command", COMMANDS)
def test_the_command_line_reference_has_every_option(command: str) -> None:
    sections = re.split(r"^## scrimp (\w+)$", SITE.command_line_reference(), flags=re.MULTILINE)
    section = dict(zip(sections[1::2], sections[2::2], strict=True))[command]
    found = application.get_command(click.Context(application), command)
    assert found is not None
    for parameter in found.params:
        assert not isinstance(parameter, click.Option) or all(option in section for option in parameter.opts)


def test_the_python_reference_lists_only_public_names() -> None:
    assert set(SITE.listed_names(text_of(DOCS / "reference.md"))) <= set(NAMES)


def test_the_python_reference_has_every_public_name_once() -> None:
    listed = SITE.listed_names(SITE.with_other_names(text_of(DOCS / "reference.md")))
    assert sorted(listed) == sorted(NAMES)


def test_the_reference_of_models_has_every_name_once() -> None:
    listed = re.findall(r"^::: scrimp\.modelling\.(\w+)$", text_of(DOCS / "modelling-reference.md"), re.MULTILINE)
    assert sorted(listed) == sorted(modelling.__all__)


@pytest.mark.parametrize("name", NAMES)
def test_every_public_name_has_an_example(name: str) -> None:
    documentation = getattr(scrimp, name).__doc__ or ""
    assert ">>>" in documentation or "```" in documentation
