"""Broken and unsupported models in Python: each is refused with one line that says where, what is wrong and what to
write instead."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from scrimp.errors import ModelError, OptionError
from scrimp.frontends.python import read_model

CASES = tomllib.loads(Path(__file__).with_name("broken_python.toml").read_text(encoding="utf-8"))["case"]

COUNTER = """
from enum import Enum
from scrimp.modelling import Model, action, require

LIMIT = 3
WANTED = True

class Color(Enum):
    RED = 1
    BLUE = 2

FAVOURITE = Color.RED

class Counter(Model):
    count: int = 0
    color: Color = FAVOURITE

    @action
    def tick(self) -> None:
        require(self.count < LIMIT and WANTED)
        self.count += 1
"""


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_a_broken_model_is_refused_in_one_line(case: dict[str, str]) -> None:
    with pytest.raises(ModelError) as refused:
        read_model("broken.py", case["model"], {}, ignore_property=False)
    assert str(refused.value) == case["message"]


@pytest.mark.parametrize(
    ("defines", "message"),
    [
        ({"LIMITS": "3"}, "-D LIMITS: the model has no constant of this name; did you mean 'LIMIT'?"),
        ({"LIMIT": "many"}, "-D LIMIT=many: expected a value of int, as in the model"),
        ({"LIMIT": "99999999999"}, "-D LIMIT=99999999999: expected a value of int, as in the model"),
        ({"WANTED": "maybe"}, "-D WANTED=maybe: expected a value of bool, as in the model"),
        ({"FAVOURITE": "GREEN"}, "-D FAVOURITE=GREEN: expected a value of Color, as in the model"),
        ({"model": "Count"}, "-D model=Count: the file has no model of this name; did you mean 'Counter'?"),
    ],
)
def test_a_definition_that_cannot_be_used_is_refused(defines: dict[str, str], message: str) -> None:
    with pytest.raises(OptionError) as refused:
        read_model("counter.py", COUNTER, defines, ignore_property=False)
    assert str(refused.value) == message


def test_valid_ends_by_empty_channels_are_refused() -> None:
    with pytest.raises(OptionError, match="--empty-channels: a Python model ends validly when every process is done"):
        read_model("counter.py", COUNTER, {}, ignore_property=False, empty_channels=True)


def test_a_column_counts_characters() -> None:
    text = COUNTER.replace("self.count += 1", "self.count += len('é') + Größe")
    with pytest.raises(ModelError) as refused:
        read_model("counter.py", text, {}, ignore_property=False)
    assert (refused.value.line, refused.value.column) == (21, 27)


def test_a_deeply_nested_expression_is_refused() -> None:
    text = COUNTER.replace("self.count += 1", f"self.count += {'-' * 5000}1")
    with pytest.raises(ModelError, match=r"nested too deeply|too many nested|too complex"):
        read_model("counter.py", text, {}, ignore_property=False)


@pytest.mark.parametrize(
    ("before", "after", "note"),
    [
        ("self.count += 1", "self.count += Größe", "    self.count += Größe\n                  ^"),
        ("LIMIT = 3", "LIMIT =", "    LIMIT =\n           ^"),
        ("LIMIT = 3", f"LIMIT = {'1 + ' * 40}x", f"    {('1 + ' * 40 + 'x')[-51:]}\n    {' ' * 50}^"),
    ],
    ids=["in a line", "a syntax error", "in a long line"],
)
def test_a_caret_marks_the_place(before: str, after: str, note: str) -> None:
    with pytest.raises(ModelError) as refused:
        read_model("counter.py", COUNTER.replace(before, after), {}, ignore_property=False)
    assert refused.value.__notes__ == [note]
