"""The examples of the Python documentation run: those of docs/python.md, and of every public name's docstring."""

from __future__ import annotations

import doctest
from pathlib import Path
from typing import Any

import pytest

import scrimp

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "python.md"


@pytest.fixture(autouse=True)
def in_the_repository(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


@pytest.mark.parametrize("name", sorted(scrimp.__all__))
def test_every_public_name_has_an_example_that_runs(name: str) -> None:
    documented: Any = getattr(scrimp, name)
    example = doctest.DocTestParser().get_doctest(documented.__doc__ or "", {}, name, None, None)
    assert example.examples, f"scrimp.{name} has no example"
    report: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(example, out=report.append)
    assert report == []
