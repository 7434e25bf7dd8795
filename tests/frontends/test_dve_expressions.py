"""Expressions: the operators of DVE, their precedence, and the names an expression may use."""

from __future__ import annotations

import pickle

import pytest
from tests.frontends.dve import model, value

from scrimp.errors import ModelError
from scrimp.system.expressions import Constant, Read

SMALL = model(
    """
    const int LIMIT = 7; byte x = 5; int y = -3; byte field[3] = {10, 20, 30};
    const byte TABLE[3] = {2, 1, 0};
    process P { const byte OWN = 9; byte z = 4; byte local[2] = {6, 8}; state a, b; init b; }
    system async;
    """
)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("1 + 2 * 3", 7),
        ("(1 + 2) * 3", 9),
        ("10 - 3 - 2", 5),
        ("100 / 10 / 5", 2),
        ("7 % 4 * 2", 6),
        ("1 + 1 << 2", 8),
        ("1 << 2 < 5", 1),
        ("1 < 2 == 1", 1),
        ("5 & 3 == 3", 1),
        ("1 | 2 & 4", 0),
        ("6 ^ 3 | 8", 13),
        ("1 or 0 and 0", 0),
        ("1 || 0 && 0", 0),
        ("0 and 1 or 1", 1),
        ("1 imply 0 or 1", 1),
        ("0 imply 0 imply 0", 0),
        ("0 imply 1 / 0", 1),
        ("not 0 == 0", 0),
        ("not (0 == 0)", 0),
        ("! 1 or 1", 1),
        ("-2 + 3", 1),
        ("- 2 * - 3", 6),
        ("~0", -1),
        ("~5 & 7", 2),
        ("not not 3", 1),
        ("true and not false", 1),
        ("-7 / 2", -3),
        ("-7 % 2", -1),
        ("-8 >> 1", -4),
        ("2147483647 + 1", -2147483648),
    ],
)
def test_operators_bind_as_in_divine(expression: str, expected: int) -> None:
    assert value(SMALL, expression) == expected


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("x", 5),
        ("y", -3),
        ("LIMIT", 7),
        ("field[1]", 20),
        ("field[x - 3]", 30),
        ("TABLE[2]", 0),
        ("TABLE[TABLE[0]]", 0),
        ("TABLE[x - 5]", 2),
        ("P->z", 4),
        ("P->OWN", 9),
        ("P->local[1]", 8),
        ("P->local[x - 5]", 6),
        ("P->local", 6),
        ("P.b", 1),
        ("P.a", 0),
    ],
)
def test_expressions_may_use_global_names_and_those_of_processes(expression: str, expected: int) -> None:
    assert value(SMALL, expression) == expected


def test_the_second_operand_is_not_evaluated_if_the_first_decides() -> None:
    assert value(SMALL, "x == 5 or field[9] == 0") == 1
    assert value(SMALL, "x == 4 and 1 / (x - x) == 0") == 0


def test_constants_are_folded() -> None:
    assert SMALL.expression("LIMIT * 2 - TABLE[1]") == Constant(13)
    assert SMALL.expression("field[LIMIT - 6]") == Read(2, Constant(1))


def test_a_division_by_a_constant_zero_is_left_to_the_run() -> None:
    assert SMALL.expression("1 / 0") != Constant(0)


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("", "<expression>:1:1: found the end of the text, expected an expression"),
        ("x +", "<expression>:1:4: found the end of the text, expected an expression"),
        ("x y", "<expression>:1:3: found 'y', expected an operator, the end of the text, '->', '.' or '['"),
        ("x = 1", "<expression>:1:3: found '=', expected an operator, the end of the text, '->', '.' or '['"),
        ("\n  nothing", "<expression>:2:3: unknown name 'nothing', expected a variable or a constant"),
        ("LIMT", "<expression>:1:1: unknown name 'LIMT' (did you mean 'LIMIT'?), expected a variable or a constant"),
        ("z", "<expression>:1:1: unknown name 'z', expected a variable or a constant; did you mean P->z?"),
        ("P", "<expression>:1:1: 'P' is a process, expected a variable or a constant"),
        ("Q.a", "<expression>:1:1: found 'Q', expected the name of a process"),
        ("x.a", "<expression>:1:1: 'x' is a variable, expected a process"),
        ("P.z", "<expression>:1:3: process 'P' has no state 'z'; its variable of this name is (P->z)"),
        ("P->a", "<expression>:1:4: process 'P' has no variable 'a'"),
        ("P->z[0]", "<expression>:1:4: 'z' is a variable, expected an array"),
        ("99999999999", "<expression>:1:1: found the number 99999999999, expected at most 2147483647"),
    ],
)
def test_a_broken_expression_is_refused_with_its_place(expression: str, message: str) -> None:
    with pytest.raises(ModelError) as refusal:
        SMALL.expression(expression)
    assert str(refusal.value) == message


def test_a_long_sum_is_not_nested_deeply() -> None:
    assert value(SMALL, " + ".join(["x"] * 1000)) == 5000
    assert value(SMALL, " or ".join(["x == 4"] * 1000 + ["x == 5"])) == 1


@pytest.mark.parametrize(
    "expression", ["(" * 500 + "-x" + ")" * 500, "(((x))) + 1", "x" + " + x" * 20_000], ids=["deep", "few", "long"]
)
def test_parentheses_alone_are_not_nesting(expression: str) -> None:
    assert SMALL.expression(expression)


@pytest.mark.parametrize(
    "expression",
    ["not " * 20_000 + "x", "(1 - " * 20_000 + "x" + ")" * 20_000, "x - " * 20_000 + "x", "field[" * 9999 + "x"],
    ids=["prefixes", "parentheses", "differences", "unclosed"],
)
def test_an_expression_nested_too_deeply_is_refused(expression: str) -> None:
    with pytest.raises(ModelError, match=r"nested more than 150 levels deep|found the end of the text"):
        SMALL.expression(expression)


def test_the_deepest_expression_can_be_pickled_hashed_and_printed() -> None:
    deep = SMALL.expression("1 - (" * 149 + "x" + ")" * 149)
    assert pickle.loads(pickle.dumps(deep)) == deep
    assert hash(deep) == hash(pickle.loads(pickle.dumps(deep)))
    assert repr(deep)


def test_a_model_can_be_pickled_and_still_reads_expressions() -> None:
    copy = pickle.loads(pickle.dumps(SMALL))
    assert copy == SMALL
    assert value(copy, "P->z + x") == 9
