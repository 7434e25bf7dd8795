"""The syntax of formulas: precedences as in SPIN, atoms in the model's own language, errors with positions."""

from __future__ import annotations

import pytest

from scrimp.errors import ModelError
from scrimp.ltl.formula import Atom, Formula, atoms
from scrimp.ltl.parse import Span, parse


# Groupings on the left were printed by `spin -a` for an `ltl` block with the text on the right.
@pytest.mark.parametrize(
    ("grouped", "text"),
    [
        ("(![] x) || (y U z)", "[] x -> y U z"),
        ("!(!a || b) || c", "a -> b -> c"),
        ("(x U y) U z", "x U y U z"),
        ("(<> x) && y", "<> x && y"),
        ("({x == 1} U {y == 2}) && z", "x == 1 U y == 2 && z"),
        ("([] x) U y", "[] x U y"),
        ("([] x) U y", "always x until y"),
        ("(!x) U y", "!x U y"),
        ("(!x || y) <-> z", "x implies y equivalent z"),
        ("x R y", "x V y"),
        ("x R y", "x release y"),
    ],
)
def test_precedences_are_those_of_spin(grouped: str, text: str) -> None:
    assert parse(text) is parse(grouped)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x + 1 == y[i] U done", ["done", "x + 1 == y[i]"]),
        ("[] (x == 1)", ["x == 1"]),
        ("!x == 1 U y", ["!x == 1", "y"]),
        ("!x U y", ["x", "y"]),
        ("q?[m] U P[1]@label", ["P[1]@label", "q?[m]"]),
        ("P@R R Q.U", ["P@R", "Q.U"]),
        ("[] (R[1]:t == R[2]:t)", ["(R[1]:t == R[2]:t)"]),
        ("x + U == W U M < W", ["M < W", "x + U == W"]),
        ("x == next && <> (U == U || y)", ["U == U", "x == next", "y"]),
        ('"a place" > 2 U fireable(t)', ['"a place" > 2', "fireable(t)"]),
        ("(c -> x : y) == 1 && <> z", ["(c -> x : y) == 1", "z"]),
        ("<> (c -> x : y)", ["(c -> x : y)"]),
        ("{a -> b} U {F}", ["F", "a -> b"]),
        ("F == 1 && F F", ["F", "F == 1"]),
        ("F[0] U X", ["F[0]", "X"]),
        ("a.X > 1 && [] b", ["a.X > 1", "b"]),
        ("(P@R) == 1 U b", ["(P@R) == 1", "b"]),
        ("!P@R == 1 U b", ["!P@R == 1", "b"]),
        ("not a and always b", ["a", "b"]),
        ("x /* a U b */ U y", ["x", "y"]),
        ("[] (a && (b || c)) && <> d", ["a", "b", "c", "d"]),
    ],
)
def test_atoms_are_the_longest_texts_between_operators(text: str, expected: list[str]) -> None:
    assert list(atoms(parse(text))) == expected


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("[] x == 1", 4, "found 'x', expected '(': the operand of '[]' has the operator '==', so it needs parentheses"),
        ("a U", 4, "found the end of the formula, expected an expression, '(' or a temporal operator"),
        ("", 1, "found the end of the formula, expected an expression, '(' or a temporal operator"),
        ("a & <> b", 5, "found '<>', expected an operator before it"),
        ("(a U b) == 1", 9, "found '==', expected an operator of the formula or its end"),
        ("a U (b", 5, "found '(' without its ')'"),
        ("[] (a => b)", 7, "found '=>', expected '->'"),
        ("[] (a <=> b)", 7, "found '<=>', expected '<->'"),
        ("a)", 2, "found ')', expected an opening bracket before it"),
        ("[] ()", 5, "found ')', expected an expression, '(' or a temporal operator"),
        ("{} U a", 2, "found '}', expected an expression between the braces"),
        ("(" * 500 + "a" + ")" * 500, 101, "found '(', expected operators nested at most 100 levels deep"),
        ("a" + " U a" * 500, 1, "the formula is nested more than 100 levels deep"),
    ],
)
def test_a_mistake_is_reported_with_its_position(text: str, column: int, message: str) -> None:
    with pytest.raises(ModelError) as raised:
        parse(text, file="formula")
    assert (raised.value.line, raised.value.column, raised.value.message) == (1, column, message)


def test_an_atom_is_given_with_its_position() -> None:
    spans: list[Span] = []

    def remember(span: Span) -> Formula:
        spans.append(span)
        return Atom(span.text)

    parse("[]\n  (x == 1 ->\n <> y)", remember)
    assert spans == [Span("x == 1", 2, 4), Span("y", 3, 5)]


def test_an_atom_may_become_any_formula() -> None:
    assert parse("[] {p}", lambda span: parse("a && b")) is parse("[] (a && b)")
