"""How the parser reads each statement of Promela: in doubtful cases, as SPIN 6.5 does."""

from __future__ import annotations

import pytest
from tests.frontends.parsing import STRUCTURES, body, only, proctype, program, shown, texts

from scrimp.frontends.promela.program.syntax import (
    Assign,
    Block,
    Condition,
    Else,
    ForMessages,
    ForRange,
    Labelled,
    Match,
    Number,
    Predefined,
    Receive,
    Run,
    Select,
    Selection,
    Send,
    Unless,
)


def test_basic_statements_and_their_texts() -> None:
    text = 'skip; x  =  1; x++; x--; (x == 1); assert(x < 2); printf("%d\\n", x); c!x,1; c?x,_; goto L; L: x = 2'
    assert texts(body(text)) == [
        *("skip", "x = 1", "x++", "x--", "(x == 1)", "assert(x < 2)", 'printf("%d\\n", x)', "c!x,1", "c?x,_", "goto L"),
        "Labelled",
    ]


def test_counting_is_an_assignment() -> None:
    up, down = body("a[y]++; x--")
    assert isinstance(up, Assign)
    assert isinstance(down, Assign)
    assert (shown(up.target), shown(up.value)) == ("a[y]", "(a[y] + 1)")
    assert (shown(down.target), shown(down.value)) == ("x", "(x - 1)")


def test_a_value_can_be_discarded() -> None:
    statement = only("_ = x")
    assert isinstance(statement, Assign)
    assert isinstance(statement.target, Predefined)


@pytest.mark.parametrize(
    ("text", "values", "sorted_"),
    [("c!1,x", ["1", "x"], False), ("c!1(x)", ["1", "x"], False), ("c!!x,(x -> 1 : 2)", ["x", "(x -> 1 : 2)"], True)],
)
def test_sends(text: str, values: list[str], sorted_: bool) -> None:
    statement = only(text)
    assert isinstance(statement, Send)
    assert ([shown(one) for one in statement.values], statement.sorted) == (values, sorted_)


@pytest.mark.parametrize(
    ("text", "arguments", "anywhere", "keeps"),
    [
        ("c?x,y", ["x", "y"], False, False),
        ("c?x(y)", ["x", "y"], False, False),
        ("c?(x,y)", ["x", "y"], False, False),
        ("c?3,eval(x + 1)", ["=3", "=(x + 1)"], False, False),
        ("c?-1,_", ["=-1", "_"], False, False),
        ("c?true,a[y]", ["=true", "a[y]"], False, False),
        ("c??x,y", ["x", "y"], True, False),
        ("c?<x,y>", ["x", "y"], False, True),
        ("c??<1,y>", ["=1", "y"], True, True),
    ],
)
def test_receives(text: str, arguments: list[str], anywhere: bool, keeps: bool) -> None:
    statement = only(text)
    assert isinstance(statement, Receive)
    assert [shown(one) for one in statement.arguments] == arguments
    assert (statement.anywhere, statement.keeps) == (anywhere, keeps)


def test_an_mtype_constant_is_matched() -> None:
    (statement,) = body("c?ack,x", "mtype = { ack, nak }; byte x; chan c = [1] of { mtype, byte };")
    assert isinstance(statement, Receive)
    match = statement.arguments[0]
    assert isinstance(match, Match)
    assert isinstance(match.value, Number)
    assert (match.value.value, match.value.text) == (2, "ack")


def test_a_structure_is_sent_and_received_by_its_fields() -> None:
    send, receive = body("c!u[1],3; c?t,_", STRUCTURES)
    assert isinstance(send, Send)
    assert isinstance(receive, Receive)
    assert [shown(one) for one in send.values] == ["u[1].f", "u[1].g.e", "u[1].h[0]", "u[1].h[1]", "3"]
    assert [shown(one) for one in receive.arguments] == ["t.f", "t.g.e", "t.h[0]", "t.h[1]", "_"]


def test_a_structure_is_passed_to_a_process_by_its_fields() -> None:
    found = program("typedef E { byte e, f }; E e; proctype Q(E a; byte b) { skip } init { run Q(e, 1) }")
    (statement,) = found.proctypes[1].body
    assert isinstance(statement, Condition)
    assert isinstance(statement.test, Run)
    assert [shown(one) for one in statement.test.arguments] == ["e.e", "e.f", "1"]


def test_run_alone_and_as_a_value() -> None:
    found = program("proctype Q() { skip } init { byte p; run Q(); p = run Q() }").proctypes[1]
    first, second = found.body
    assert isinstance(first, Condition)
    assert isinstance(second, Assign)
    assert isinstance(first.test, Run)
    assert isinstance(second.value, Run)


def test_a_process_can_be_run_before_it_is_defined() -> None:
    assert program("init { run Q() } proctype Q() { skip }").proctypes


def test_selections_and_loops() -> None:
    selection, loop = body("if :: x == 1 -> y = 2 :: else -> skip fi; do :: x = 2 :: break od")
    assert isinstance(selection, Selection)
    assert isinstance(loop, Selection)
    assert (selection.repeats, loop.repeats) == (False, True)
    assert [texts(option) for option in selection.options] == [["x == 1", "y = 2"], ["else", "skip"]]
    assert [texts(option) for option in loop.options] == [["x = 2"], ["break"]]


def test_an_else_is_accepted_anywhere() -> None:
    assert isinstance(body("x = 1; else; x = 2")[1], Else)


def test_blocks() -> None:
    statements = body("{ x = 1 }; atomic { x = 1 }; d_step { x = 1 }")
    assert [one.kind for one in statements if isinstance(one, Block)] == ["block", "atomic", "d_step"]


def test_unless() -> None:
    statement = only("{ x = 1; x = 2 } unless { y == 1 }")
    assert isinstance(statement, Unless)
    assert isinstance(statement.main, Block)
    assert isinstance(statement.escape, Block)


def test_unless_on_a_new_line() -> None:
    assert isinstance(only("{ x = 1 }\nunless { y == 1 }"), Unless)


def test_labels() -> None:
    first, last = body("L: M: x = 1; N:")
    assert isinstance(first, Labelled)
    assert isinstance(first.statement, Labelled)
    assert (first.label, first.statement.label) == ("L", "M")
    assert isinstance(last, Labelled)
    assert texts([last.statement]) == ["(1)"]


def test_a_for_over_a_range() -> None:
    statement = only("for (x : 1 .. y + 1) { y = x }")
    assert isinstance(statement, ForRange)
    assert (shown(statement.variable), shown(statement.first), shown(statement.last)) == ("x", "1", "(y + 1)")
    assert texts(statement.body) == ["y = x"]


def test_a_for_over_an_array_is_one_over_its_indices() -> None:
    statement = only("for (x in a) { a[x] = 0 }")
    assert isinstance(statement, ForRange)
    assert (shown(statement.first), shown(statement.last)) == ("0", "2")


def test_a_for_over_messages_has_a_counter() -> None:
    found = proctype("for (t in c) { t.f = 1 }", "typedef T { byte f }; T t; chan c = [2] of { T };")
    (statement,) = found.body
    assert isinstance(statement, ForMessages)
    assert statement.counter.symbol is found.locals[0]


def test_in_is_a_name_outside_for() -> None:
    assert texts(body("in = 1", "byte in;")) == ["in = 1"]


def test_select_between_two_numbers_is_written_out() -> None:
    statement = only("select (x : 1 .. 3)")
    assert isinstance(statement, Selection)
    assert [texts(option) for option in statement.options] == [["x = 1"], ["x = 2"], ["x = 3"]]


def test_select_between_numbers_far_apart_is_written_as_a_loop() -> None:
    start, loop = body("select (x : 1 .. 40)")
    assert isinstance(loop, Selection)
    assert texts([start]) == ["x = 1"]
    assert [texts(option) for option in loop.options] == [["(x < 40)", "x = x+1"], ["break"]]


def test_any_other_select_is_kept() -> None:
    assert isinstance(only("select (x : 1 .. y)"), Select)
    (block,) = body("f(x)", "byte x; inline f(a) { select (a : 1 .. 3) }")
    assert isinstance(block, Block)
    assert isinstance(block.body[0], Select)
    (named,) = body("select (x_1 : 1 .. 3)", "byte x_1;")
    assert isinstance(named, Select)


def test_promises_about_channels_are_ignored() -> None:
    assert texts(body("xr c; xs c; skip")) == ["skip"]
