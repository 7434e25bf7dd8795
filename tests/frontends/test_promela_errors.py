"""Broken models: each is refused with one line that says where, what was found and what was expected."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from scrimp.errors import ModelError, OptionError
from scrimp.frontends.promela import read_model
from scrimp.frontends.promela.program.parse import parse_expression, parse_model

CASES = tomllib.loads(Path(__file__).with_name("broken_promela.toml").read_text(encoding="utf-8"))["case"]

QUESTIONS = parse_model(
    "model.pml",
    "mtype = { red, green }; typedef T { byte f }; byte x; byte a[2]; T t; chan c = [2] of { byte };"
    "active proctype P() { byte y; L: y = 1 }",
    {},
)


def refusal(text: str) -> str:
    with pytest.raises(ModelError) as refused:
        read_model("broken.pml", text, {}, ignore_property=False)
    return str(refused.value)


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_a_broken_model_is_refused_in_one_line(case: dict[str, str]) -> None:
    assert refusal(case["model"]) == case["message"]


def test_an_error_in_an_included_file_names_that_file(tmp_path: Path) -> None:
    (tmp_path / "part.h").write_text("byte x;\nbyte x;\n")
    path = str(tmp_path / "model.pml")
    with pytest.raises(ModelError) as refused:
        parse_model(path, '#include "part.h"\ninit { skip }', {})
    assert str(refused.value) == f"{tmp_path / 'part.h'}:2:6: 'x' is already declared as a variable"


def test_files_that_include_each_other_are_refused(tmp_path: Path) -> None:
    (tmp_path / "part.h").write_text('#include "part.h"\n')
    with pytest.raises(ModelError, match="files include each other more than 50 levels deep"):
        parse_model(str(tmp_path / "model.pml"), '#include "part.h"\ninit { skip }', {})


def test_a_define_needs_the_name_of_a_macro() -> None:
    with pytest.raises(OptionError, match="found -D '3', expected the name of a macro"):
        parse_model("model.pml", "init { skip }", {"3": "4"})


def test_an_expression_nested_too_deeply_is_refused() -> None:
    expression = "-(" * 200 + "1" + ")" * 200
    assert refusal(f"int x; init {{ x = {expression} }}").endswith(
        "this expression is nested more than 150 levels deep"
    )


def test_blocks_nested_too_deeply_are_refused() -> None:
    blocks = "{ " * 100 + "skip" + " }" * 100
    assert refusal(f"init {{ {blocks} }}") == "broken.pml:1:168: this statement is nested more than 80 levels deep"


def test_a_very_long_name_is_shortened() -> None:
    assert refusal(f"init {{ goto {'n' * 1000} }}") == (
        f"broken.pml:1:13: unknown label '{'n' * 40}…', expected a label of this proctype"
    )


@pytest.mark.parametrize(
    ("question", "message"),
    [
        ("", "1:1: found the end of the text, expected an expression"),
        ("x ==", "1:5: found the end of the text, expected an expression"),
        ("x = 1", "1:3: found '=', expected an operator, the end of the text, '.', '?', '??', '@' or '['"),
        ("y == 1", "1:1: unknown name 'y', expected a variable, a channel or an mtype constant"),
        ("a == 1", "1:1: 'a' is an array, expected an index after it, such as a[0]"),
        ("t == 1", "1:1: 't' is a structure, expected one of its fields"),
        ("P[0]:z == 1", "1:6: proctype 'P' has no variable 'z'"),
        ("P@M", "1:3: proctype 'P' has no label 'M'"),
        ("Q@L", "1:1: unknown name 'Q', expected a proctype"),
        ("_pid == 1", "1:1: found '_pid', expected an expression over the state"),
        (
            "run P() > 0",
            "1:1: found 'run' inside an expression, expected it alone or once in an assigned value: "
            "write 'p = run …' before it, and use p",
        ),
        ("x\n == `", "2:5: found the character '`', expected a name, a number or a symbol"),
    ],
)
def test_a_broken_question_is_refused_in_one_line(question: str, message: str) -> None:
    with pytest.raises(ModelError) as refused:
        parse_expression(question, QUESTIONS)
    assert str(refused.value) == f"<expression>:{message}"


def test_the_nearest_name_is_suggested() -> None:
    assert "1:19: unknown name 'trun' (did you mean 'turn'?), expected" in refusal("byte turn; init { trun = 1 }")
