"""Monitors: safety formulas as automata over finite words."""

from __future__ import annotations

import pytest

from scrimp.ltl.automaton import Cube
from scrimp.ltl.formula import negation
from scrimp.ltl.monitor import Monitor, monitor_of
from scrimp.ltl.parse import parse
from scrimp.ltl.translate import translate


def monitor(text: str) -> Monitor | None:
    return monitor_of(translate(negation(parse(text))))


@pytest.mark.parametrize(
    "text", ["[] a", "a W b", "a V b", "[] (a -> X b)", "[] (a -> b W c)", "! <> a", "[] a && [] b"]
)
def test_safety_formulas_have_one(text: str) -> None:
    assert monitor(text) is not None


@pytest.mark.parametrize("text", ["<> a", "a U b", "[] <> a", "<> [] a", "[] (a -> <> b)", "[] a || <> b"])
def test_other_formulas_have_none(text: str) -> None:
    assert monitor(text) is None


@pytest.mark.parametrize("text", ["<> a || [] !a", "[] (a || X !a || X a)", "true"])
def test_a_formula_that_always_holds_has_no_bad_prefix(text: str) -> None:
    found = monitor(text)
    assert found is None or found.bad is None


def test_a_prefix_is_bad_as_soon_as_nothing_can_save_it() -> None:
    found = monitor("X X a && X X !a")
    assert found is not None
    assert found.is_bad([])


def test_a_formula_about_single_states_has_bad_letters() -> None:
    found = monitor("[] (a -> b)")
    assert found is not None
    assert found.bad_letters == (Cube(0b01, 0b10),)


def test_a_formula_about_the_first_state_is_not_about_every_state() -> None:
    found = monitor("a")
    assert found is not None
    assert found.bad_letters is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [("[] a", True), ("a W b", True), ("X a", False), ("[] (a -> X b)", False), ("[] (a -> X (a || !a))", True)],
)
def test_formulas_without_next_are_stutter_invariant(text: str, expected: bool) -> None:
    found = monitor(text)
    assert found is not None
    assert found.is_stutter_invariant is expected
