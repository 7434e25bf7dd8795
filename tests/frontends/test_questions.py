"""Expressions as questions about a model: macros of Promela models, and implications."""

from __future__ import annotations

from pathlib import Path

import pytest

import scrimp
from scrimp.growth import settled

PROMELA = """\
#define N 2
#define inside(i) (at[i] == 1)
#define both (inside(0) && inside(1))
#define gone 1
#undef gone
byte at[N]; byte x;
active [N] proctype P() { byte y; do :: at[_pid] == 0 -> at[_pid] = 1 :: at[_pid] = 0; y = 1 - y od }
"""
NET = Path(__file__).parents[2] / "models" / "philosophers.pnml"


@pytest.fixture(scope="module")
def model() -> scrimp.Model:
    return scrimp.load(text=PROMELA, language="promela")


@pytest.mark.parametrize(
    ("asked", "meant"),
    [
        ("both", "at[0] == 1 && at[1] == 1"),
        ("x < N", "x < 2"),
        ("inside(N - 1)", "at[1] == 1"),
        ("x -> both", "!x || (at[0] == 1 && at[1] == 1)"),
        ("x == 0 -> x == 1 -> x == 2", "!(x == 0) || (!(x == 1) || x == 2)"),
        ("(x -> at[0]) && at[1]", "(!x || at[0]) && at[1]"),
        ("at[(x -> 1 : 0)] == 0 -> x", "!(at[(x -> 1 : 0)] == 0) || x"),
        ("x -> P[0]:y == 1", "!x || P[0]:y == 1"),
        ("(x == 0 -> P[1]:y : at[0]) == 0", "(x == 0 -> (P[1]:y) : at[0]) == 0"),
        ("x -> (at[0] -> at[1] : x)", "!x || (at[0] -> at[1] : x)"),
    ],
)
def test_macros_and_implications_over_a_promela_model_are_expanded(model: scrimp.Model, asked: str, meant: str) -> None:
    assert model.expression(asked) == model.expression(meant)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ("x ->", "<expression>:1:3: found '->'"),
        ("-> x", "<expression>:1:1: found '->'"),
        ("x == 0 -> y", "<expression>:1:11: unknown name 'y'"),
        ("gone", "<expression>:1:1: unknown name 'gone'"),
        ("inside(0) -> )", "<expression>:1:14: found '\\)'"),
    ],
)
def test_a_mistake_is_reported_with_its_position(model: scrimp.Model, asked: str, message: str) -> None:
    with pytest.raises(scrimp.ModelError, match=message):
        model.expression(asked)


@pytest.mark.parametrize("text", ["x = (x -> 1)", "(x -> x > 1)"])
def test_an_implication_is_not_an_expression_inside_a_model(text: str) -> None:
    with pytest.raises(scrimp.ModelError):
        scrimp.load(text=f"byte x; active proctype P() {{ {text} }}", language="promela")


@pytest.mark.parametrize(
    ("asked", "meant"),
    [
        ("{0} == 1 -> {1} == 0", "!({0} == 1) || {1} == 0"),
        ("{0} -> {1} -> {0}", "!{0} || (!{1} || {0})"),
        ("({0} -> {1}) && {0}", "(!{0} || {1}) && {0}"),
        ("{0} or {1} -> {0}", "!({0} or {1}) || {0}"),
    ],
)
def test_an_implication_over_a_net_is_expanded(asked: str, meant: str) -> None:
    net = scrimp.load(NET)
    assert net.vocabulary.marking is not None
    places = [f'"{place}"' for place in net.vocabulary.marking.places[:2]]
    assert net.expression(asked.format(*places)) == net.expression(meant.format(*places))


def test_a_macro_in_an_invariant_is_shown_as_written(model: scrimp.Model) -> None:
    assert scrimp.check(model, invariant="!both").reason == "!both does not hold"


def test_models_of_the_same_text_keep_their_own_names(tmp_path: Path) -> None:
    for name in ("first.pml", "second.pml"):
        (tmp_path / name).write_text(PROMELA)
        assert settled(scrimp.load(tmp_path / name)).path == str(tmp_path / name)
