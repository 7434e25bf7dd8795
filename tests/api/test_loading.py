"""Models from texts: in a string, or on standard input."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import scrimp

MODELS = Path(__file__).parents[2] / "models"
PROMELA = "byte x; active proctype P() { do :: x < 3 -> x++ od }"
DVE = "byte x;\nprocess P { state a; init a; trans a -> a { guard x < 3; effect x = x + 1; }; }\nsystem async;"


def test_a_text_is_read_in_the_language_that_is_named() -> None:
    model = scrimp.load(text=PROMELA, language="promela")
    assert (model.path, model.language) == ("<text>", "promela")
    assert scrimp.explore(model).statistics.states == 7


@pytest.mark.parametrize(
    ("text", "language"),
    [
        (PROMELA, "promela"),
        (DVE, "dve"),
        ('des (0, 1, 2)\n(0, "a", 1)\n', "aut"),
        ((MODELS / "philosophers.pnml").read_text(), "pnml"),
    ],
    ids=["promela", "dve", "aut", "pnml"],
)
def test_the_language_of_a_text_is_recognised(text: str, language: str) -> None:
    assert scrimp.load(text=text).language == language


def test_a_text_may_be_given_a_file_name() -> None:
    assert scrimp.load("lock.pml", text=PROMELA).path == "lock.pml"


def test_a_mistake_in_a_text_is_reported_with_its_place() -> None:
    with pytest.raises(scrimp.ModelError, match=r"<text>:1:33: unknown name 'y'"):
        scrimp.load(text="byte x; active proctype P() { x = y }".replace("x = y", "  y = x"), language="promela")


def test_the_language_of_a_file_can_be_named(tmp_path: Path) -> None:
    path = tmp_path / "lock.txt"
    path.write_text("#define Main() active proctype P()\nbyte x; Main() { x = 1 }")
    with pytest.raises(scrimp.ScrimpError, match=r"unknown language '\.txt'"):
        scrimp.load(path)
    assert scrimp.load(path, language="promela").language == "promela"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, r"load: expected the path of a model, or its text as in load\(text=…, language='promela'\)"),
        ({"path": DVE}, r"path: found several lines; pass a model's text as in load\(text=…"),
        ({"path": 3}, "path: expected the path of a model, found 3"),
        ({"text": 3}, "text: expected the text of a model, found 3"),
        (
            {"text": "what?"},
            r"<text>: cannot recognise the language .*; specify it with language= \(promela, dve",
        ),
        ({"text": PROMELA, "language": "pml"}, r"unknown language 'pml'; did you mean 'promela'\?"),
        ({"text": PROMELA, "language": "promla"}, r"unknown language 'promla'; did you mean 'promela'\?"),
        ({"text": PROMELA, "language": 3}, r"unknown language '3' \(choices: promela, dve, python, pnml, aut\)"),
    ],
)
def test_anything_but_a_model_is_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(scrimp.ScrimpError, match=message):
        scrimp.load(**arguments)


def piped(text: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "scrimp.cli", *arguments]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        (["check", "-", "--allow-deadlock", "--language", "promela"], "model        <stdin>"),
        (["explore", "-", "--language", "promela"], "states       7"),
        (["simulate", "-", "--language", "promela", "--steps", "1"], "<stdin>:1"),
        (["info", "-", "--language", "promela"], "<stdin>, promela"),
        (["export", "-", "--language", "promela", "-o", "lts.aut"], "written      lts.aut · 7 states"),
        (["methods", "--advise", "-", "--language", "promela", "--sample", "0.1s"], "scrimp check - --order"),
        (["check", "-", "--allow-deadlock"], "model        <stdin>"),
    ],
    ids=lambda arguments: " ".join(arguments) if isinstance(arguments, list) else "",
)
def test_commands_read_standard_input(
    arguments: list[str], shown: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    found = piped(PROMELA, *arguments)
    assert (found.returncode, found.stderr) == (0, "")
    assert shown in found.stdout


@pytest.mark.parametrize(
    ("text", "arguments", "message"),
    [
        (
            "what?",
            ["check", "-"],
            "<stdin>: cannot recognise the language of the model; "
            "specify it with --language (promela, dve, python, pnml, aut)",
        ),
        (
            PROMELA,
            ["check", "-", "--language", "pml"],
            "--language: unknown language 'pml'; did you mean 'promela'? (choices: promela, dve, python, pnml, aut)",
        ),
        (
            PROMELA,
            ["simulate", "-", "-i", "--language", "promela"],
            "--interactive reads your choices from standard input; give the model as a file",
        ),
    ],
)
def test_standard_input_without_a_model_is_refused_in_one_line(text: str, arguments: list[str], message: str) -> None:
    found = piped(text, *arguments)
    assert (found.returncode, found.stdout, found.stderr) == (2, "", f"scrimp: error: {message}\n")
