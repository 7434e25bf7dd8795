"""Random formulas: normal forms, rewriting and automata keep their meaning."""

from __future__ import annotations

import os

from tests.ltl.random_words import differences

from scrimp.ltl.parse import parse
from scrimp.ltl.words import evaluate

FORMULAS = int(os.environ.get("SCRIMP_RANDOM_FORMULAS", "400"))

A, B, NOTHING = frozenset("a"), frozenset("b"), frozenset[str]()


def test_everything_that_is_made_of_a_formula_accepts_the_same_words() -> None:
    assert list(differences(range(FORMULAS))) == []


def test_until_needs_its_right_side() -> None:
    assert evaluate(parse("a U b"), [A, A], [B])
    assert not evaluate(parse("a U b"), [], [A])


def test_weak_until_does_not() -> None:
    assert evaluate(parse("a W b"), [], [A])
    assert not evaluate(parse("a W b"), [A, NOTHING], [B])


def test_release_holds_up_to_the_releasing_letter() -> None:
    assert evaluate(parse("a R b"), [B, A | B], [NOTHING])
    assert not evaluate(parse("a R b"), [B, A], [NOTHING])
    assert evaluate(parse("a R b"), [], [B])
    assert not evaluate(parse("a M b"), [], [B])


def test_next_of_the_last_letter_is_the_first_of_the_cycle() -> None:
    assert evaluate(parse("[] (a -> X b)"), [], [A, B])
    assert not evaluate(parse("[] (b -> X b)"), [A], [B, A])
