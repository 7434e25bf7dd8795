"""The examples and tables of docs/dve.md, docs/promela.md, docs/modelling.md and docs/pnml.md are true of scrimp."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.frontends.dve import model
from tests.frontends.pnml import explored, value
from tests.frontends.pnml import model as net

from scrimp.frontends.dve.operators import LEVEL
from scrimp.frontends.promela import read_model
from scrimp.frontends.python import read_model as read_python

DOCUMENTS = Path(__file__).parents[2] / "docs"


def blocks(document: str, language: str) -> list[str]:
    text = (DOCUMENTS / document).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def test_the_example_is_a_model() -> None:
    (example,) = blocks("dve.md", "dve")
    assert [process.name for process in model(example).system.processes] == ["Guest", "Waiter"]


def test_the_table_of_operators_is_that_of_the_parser() -> None:
    (table,) = blocks("dve.md", "text")
    *binary, _unary = table.splitlines()
    assert {spelling: level for level, line in enumerate(binary) for spelling in line.split()} == LEVEL


@pytest.mark.parametrize("example", blocks("promela.md", "promela"), ids=lambda text: text.splitlines()[0])
def test_every_promela_example_is_a_model(example: str) -> None:
    assert read_model("example.pml", example, {}, ignore_property=False).system.processes


@pytest.mark.parametrize("example", blocks("modelling.md", "python"), ids=lambda text: text.splitlines()[0])
def test_every_python_example_is_a_model(example: str) -> None:
    assert read_python("example.py", example, {}, ignore_property=False).system.processes


def test_the_net_is_a_lock() -> None:
    (example,) = blocks("pnml.md", "xml")
    found = explored(net(example))
    assert (len(found.states), found.deadlocks) == (2, 0)
    assert {value(net(example), "busy", state) for state in found.states} == {0, 1}
