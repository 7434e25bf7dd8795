"""How the parser reads expressions, in a model and in questions about a model."""

from __future__ import annotations

import pytest
from tests.frontends.parsing import STRUCTURES, body, only, program, shown, value

from scrimp.errors import ModelError
from scrimp.frontends.promela.program import syntax
from scrimp.frontends.promela.program.parse import parse_expression
from scrimp.frontends.promela.program.syntax import (
    Assign,
    Condition,
    Infix,
    Number,
    Selection,
)

# Expressions


@pytest.mark.parametrize(
    ("text", "grouped"),
    [
        ("x + y * 2", "(x + (y * 2))"),
        ("x - y - 1", "((x - y) - 1)"),
        ("x || y && 1", "(x || (y && 1))"),
        ("x & y == 1", "(x & (y == 1))"),
        ("x | y ^ 1 & 2", "(x | (y ^ (1 & 2)))"),
        ("x << 1 + y", "(x << (1 + y))"),
        ("x == y < 1", "(x == (y < 1))"),
        ("!x == y", "(!x == y)"),
        ("-x % ~y", "(-x % ~y)"),
        ("(x + y) / 2", "((x + y) / 2)"),
        ("(x -> y : 1) + 1", "((x -> y : 1) + 1)"),
        ("a[a[x] + 1]", "a[(a[x] + 1)]"),
        ("'a' + true + skip", "(('a' + true) + skip)"),
        ("_pid + _nr_pr + _last", "((_pid + _nr_pr) + _last)"),
    ],
)
def test_operators(text: str, grouped: str) -> None:
    assert shown(value(text)) == grouped


@pytest.mark.parametrize(("text", "number"), [("'a'", 97), ("'\\n'", 10), ("007", 7), ("4294967295", -1), ("false", 0)])
def test_numbers(text: str, number: int) -> None:
    found = value(text)
    assert isinstance(found, Number)
    assert found.value == number


@pytest.mark.parametrize("test", ["len", "full", "empty", "nfull", "nempty"])
def test_tests_of_channels(test: str) -> None:
    statement = only(f"{test}(c)")
    assert isinstance(statement, Condition)
    assert isinstance(statement.test, syntax.ChannelTest)
    assert statement.test.kind == test


def test_polls() -> None:
    statement = only("c?[1,x] && c??[eval(y),_]")
    assert isinstance(statement, Condition)
    assert isinstance(statement.test, Infix)
    first, second = statement.test.left, statement.test.right
    assert isinstance(first, syntax.Poll)
    assert isinstance(second, syntax.Poll)
    assert ([shown(one) for one in first.arguments], first.anywhere) == (["=1", "x"], False)
    assert ([shown(one) for one in second.arguments], second.anywhere) == (["=y", "_"], True)


def test_a_long_run_of_one_operator_is_not_nested_deeply() -> None:
    def depth(expression: object) -> int:
        return 1 + max(depth(expression.left), depth(expression.right)) if isinstance(expression, Infix) else 0

    assert depth(value(" + ".join(["x"] * 1000))) < 20


def test_fields() -> None:
    (statement,) = body("u[1].h[t.f] = t.g.e", STRUCTURES)
    assert isinstance(statement, Assign)
    assert (shown(statement.target), shown(statement.value)) == ("u[1].h[t.f]", "t.g.e")


def test_remote_references() -> None:
    found = program(
        "active proctype P() { byte x; L: x = 1 }"
        "never { do :: P@L :: P[0]@L :: P:x == 1 :: P[0]:x == 1 :: enabled(0)"
        ":: pc_value(0) == 1 :: np_ :: timeout od }"
    )
    (loop,) = found.proctypes[1].body
    assert isinstance(loop, Selection)
    tests = [option[0].test for option in loop.options if isinstance(option[0], Condition)]
    kinds = [type(test.left if isinstance(test, Infix) else test).__name__ for test in tests]
    assert kinds == [
        *("RemoteLabel", "RemoteLabel", "RemoteVariable", "RemoteVariable", "ProcessTest", "ProcessTest"),
        *("Predefined", "Predefined"),
    ]


# Arrays without an index


def test_an_array_without_an_index_means_its_first_element() -> None:
    statement = only("a = a + a[1]")
    assert isinstance(statement, Assign)
    assert (shown(statement.target), shown(statement.value)) == ("a[0]", "(a[0] + a[1])")


def test_an_array_without_an_index_gets_a_warning_with_its_position() -> None:
    found = program("byte a[2], b[2];\ninit { a[1] = b }")
    assert found.warnings == ("model.pml:2:15: warning: 'b' is an array without an index, read as b[0] as in SPIN",)


def test_a_warning_about_an_inline_is_given_once() -> None:
    found = program("byte a[2];\ninline f() { a = 1 }\ninit { f(); f() }")
    assert len(found.warnings) == 1


def test_a_model_with_all_its_indices_gets_no_warning() -> None:
    assert program("byte a[2], i;\ninit { for (i in a) { a[i] = 1 } }").warnings == ()


def test_a_question_needs_the_index() -> None:
    found = program("byte a[2]; init { skip }")
    with pytest.raises(ModelError, match=r"'a' is an array, expected an index after it, such as a\[0\]"):
        parse_expression("a == 1", found)


# Questions


def test_questions_are_about_globals_and_processes() -> None:
    found = program(
        "mtype = { red, green }; mtype light; typedef T { byte f }; T t; chan c = [2] of { byte };"
        "active proctype P() { byte y; L: y = 1 }"
    )
    question = "light == green && t.f < 3 && len(c) == 0 && P[0]:y <= 1 && P@L && c?[1] && _nr_pr == 1"
    expression = parse_expression(question, found)
    assert isinstance(expression, Infix)
    assert expression.operator == "&&"
