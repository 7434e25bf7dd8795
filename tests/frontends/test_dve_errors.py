"""Broken models: each is refused with one line that says where, what was found and what was expected."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from scrimp.errors import ModelError
from scrimp.frontends.dve import read_model

CASES = tomllib.loads(Path(__file__).with_name("broken_dve.toml").read_text(encoding="utf-8"))["case"]


def refusal(text: str) -> str:
    with pytest.raises(ModelError) as refused:
        read_model("broken.dve", text, {}, ignore_property=False)
    return str(refused.value)


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_a_broken_model_is_refused_in_one_line(case: dict[str, str]) -> None:
    assert refusal(case["model"]) == case["message"]


def test_a_synchronous_system_with_too_many_combinations_is_refused() -> None:
    transitions = ", ".join(["a -> a { }"] * 40)
    processes = [f"process P{number} {{ state a; init a; trans {transitions}; }}\n" for number in range(3)]
    assert refusal("".join(processes) + "system sync;") == (
        "broken.dve:4:8: this synchronous system has 64,000 combinations of one transition per process, "
        "expected at most 50,000"
    )


def test_a_system_with_too_many_rendezvous_is_refused() -> None:
    def process(name: str, communication: str) -> str:
        transitions = ", ".join([f"a -> a {{ sync {communication}; }}"] * 450)
        return f"process {name} {{ state a; init a; trans {transitions}; }}\n"

    assert refusal(f"channel c;\n{process('S', 'c!')}{process('R', 'c?')}system async;") == (
        "broken.dve:2:9360: found more than 200,000 pairs of a sender and a receiver up to here, expected fewer"
    )


def test_an_expression_nested_too_deeply_is_refused() -> None:
    expression = "-(" * 200 + "1" + ")" * 200
    assert refusal(f"byte x = {expression}; process P {{ state a; init a; }} system async;") == (
        "broken.dve:1:312: this expression is nested more than 150 levels deep"
    )


def test_a_very_long_name_is_shortened() -> None:
    message = refusal(f"process P {{ state a; init {'n' * 1000}; }} system async;")
    assert message == f"broken.dve:1:27: unknown state '{'n' * 40}…', expected a state of this process"
