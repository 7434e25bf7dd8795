"""What docs/dve.md shows is what scrimp reads."""

from __future__ import annotations

import re
from pathlib import Path

from tests.frontends.dve import model

from scrimp.frontends.dve.operators import LEVEL

DOCUMENT = (Path(__file__).parents[2] / "docs" / "dve.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", DOCUMENT, re.DOTALL | re.MULTILINE)


def test_the_example_is_a_model() -> None:
    (example,) = blocks("dve")
    assert [process.name for process in model(example).system.processes] == ["Guest", "Waiter"]


def test_the_table_of_operators_is_the_parsers() -> None:
    (table,) = blocks("text")
    *binary, _unary = table.splitlines()
    assert {spelling: level for level, line in enumerate(binary) for spelling in line.split()} == LEVEL
