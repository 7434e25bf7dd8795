"""Classes that derive from `scrimp.modelling.Model` are models for every function."""

from __future__ import annotations

import sys
from types import ModuleType

import pytest

import scrimp
from scrimp.modelling import Model, always, process, reachable, step

ROUNDS = 2


class Racy(Model):
    counter: int = 0

    @process(count=ROUNDS)
    async def worker(self, me: int) -> None:
        seen = self.counter
        await step()
        self.counter = seen + 1

    @always
    def small(self) -> bool:
        return self.counter < 2

    @reachable
    def lost(self) -> bool:
        return self.counter == 1


class Quiet(Model):
    @process
    async def nothing(self) -> None:
        await step()


def test_a_class_is_checked_by_its_text() -> None:
    result = scrimp.check(Racy)
    assert result.verdict is scrimp.Verdict.REFUTED
    assert result.model == __file__


def test_the_class_chooses_among_the_models_of_its_file() -> None:
    assert scrimp.explore(Quiet).statistics.states == 2


def test_a_class_takes_definitions() -> None:
    assert scrimp.check(scrimp.load(Racy, defines={"ROUNDS": 1})).properties[-1].verdict is scrimp.Verdict.PROVED


def test_a_class_of_another_kind_is_refused() -> None:
    with pytest.raises(scrimp.OptionError, match=r"expected a class that derives from scrimp\.modelling\.Model"):
        scrimp.check(int)  # type: ignore[arg-type]


def test_a_class_without_a_text_is_refused() -> None:
    made = type("Made", (Model,), {})
    with pytest.raises(scrimp.OptionError, match="the text of Made cannot be found"):
        scrimp.check(made)


CELLS = [
    "from enum import Enum\nfrom scrimp.modelling import Model, action, require",
    "class Light(Enum):\n    RED = 1\n    GREEN = 2",
    "%matplotlib inline",
    "class Crossing(Model):\n"
    "    light: Light = Light.RED\n\n"
    "    @action\n"
    "    def switch(self) -> None:\n"
    "        self.light = Light.GREEN if self.light is Light.RED else Light.RED",
]


def test_a_class_of_a_notebook_finds_the_definitions_in_other_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    import linecache

    notebook = ModuleType("notebook_under_test")
    monkeypatch.setitem(sys.modules, "notebook_under_test", notebook)
    vars(notebook)["In"] = ["", *CELLS]
    for number, cell in enumerate(CELLS):
        if not cell.startswith("%"):
            file = f"<cell {number}>"
            linecache.cache[file] = (len(cell), None, cell.splitlines(keepends=True), file)
            exec(compile(cell, file, "exec"), vars(notebook))
    assert scrimp.explore(vars(notebook)["Crossing"]).statistics.states == 2
