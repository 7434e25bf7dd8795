"""The manual page of the system is true."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from scrimp.system.reference import explore
from scrimp.system.text import parse_system, print_system
from scrimp.system.text.names import RESERVED

PAGE = (Path(__file__).parents[2] / "docs" / "system.md").read_text(encoding="utf-8")
GLOSSARY = (Path(__file__).parents[2] / "docs" / "glossary.md").read_text(encoding="utf-8")


def example() -> str:
    found = re.search(r"```scrimp\n(.*?)```", PAGE, re.DOTALL)
    assert found is not None
    return found.group(1)


def test_the_example_is_printed_as_it_stands() -> None:
    assert print_system(parse_system(example())) == example()


def test_the_example_has_the_counts_that_the_page_states() -> None:
    stated = re.search(r"It has (\d+) states and (\d+) transitions", PAGE)
    assert stated is not None
    result = explore(parse_system(example()))
    assert (len(result.states), result.transitions) == (int(stated.group(1)), int(stated.group(2)))
    assert (result.deadlocks, result.faults) == (0, 0)


def test_the_page_lists_the_reserved_words() -> None:
    assert f"`{' '.join(sorted(RESERVED))}`" in PAGE


def test_the_glossary_is_in_order_and_without_repetition() -> None:
    words = re.findall(r"^\| \*\*(.+?)\*\* \|", GLOSSARY, re.MULTILINE)
    assert len(words) > 50
    assert words == sorted(set(words), key=str.casefold)


@pytest.mark.parametrize("module", re.findall(r"^\| `(\w+\.py)` \|", PAGE, re.MULTILINE))
def test_the_modules_that_the_page_names_exist(module: str) -> None:
    assert (Path(__file__).parents[2] / "src" / "scrimp" / "system" / module).exists()
