"""What the parser makes of each construct of Promela; where it is not obvious, as SPIN 6.5 does."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from tests.corpus.corpus import CORPUS, needs_corpus

from scrimp.frontends.promela import syntax
from scrimp.frontends.promela.parse import parse_expression, parse_model
from scrimp.frontends.promela.syntax import (
    Assign,
    Block,
    ChannelShape,
    Choice,
    Condition,
    Else,
    ForMessages,
    ForRange,
    Goto,
    Infix,
    Labelled,
    Match,
    Number,
    Predefined,
    Prefix,
    Proctype,
    Program,
    Receive,
    Reference,
    Run,
    Select,
    Selection,
    Send,
    Statement,
    Structure,
    Symbol,
    Unless,
    Unsigned,
    Values,
)
from scrimp.system.system import Position


def program(text: str, **defines: str) -> Program:
    return parse_model("model.pml", text, defines)


def proctype(text: str, declarations: str = "") -> Proctype:
    """The only process, whose body is given."""
    (found,) = program(f"{declarations}\nactive proctype P() {{ {text} }}").proctypes
    return found


def body(text: str, declarations: str = "byte x, y; byte a[3]; chan c = [2] of { byte, byte };") -> list[Statement]:
    return list(proctype(text, declarations).body)


def only(text: str) -> Statement:
    (statement,) = body(text)
    return statement


def value(text: str) -> syntax.Expression:
    statement = only(f"x = {text}")
    assert isinstance(statement, Assign)
    return statement.value


def shown(expression: object) -> str:
    """An expression with all its parentheses."""
    match expression:
        case Number(_, text, _):
            return text
        case Reference(parts, _):
            return ".".join(
                part.symbol.name + ("" if part.index is None else f"[{shown(part.index)}]") for part in parts
            )
        case Prefix(operator, operand, _):
            return f"{operator}{shown(operand)}"
        case Infix(operator, left, right, _):
            return f"({shown(left)} {operator} {shown(right)})"
        case Choice(test, then, otherwise, _):
            return f"({shown(test)} -> {shown(then)} : {shown(otherwise)})"
        case Predefined(name, _):
            return name
        case Match(inner):
            return f"={shown(inner)}"
    return type(expression).__name__


def texts(statements: list[Statement] | tuple[Statement, ...]) -> list[str]:
    return [getattr(statement, "text", type(statement).__name__) for statement in statements]


def symbols(text: str) -> dict[str, Symbol]:
    return {symbol.name: symbol for symbol in program(f"{text}\ninit {{ skip }}").globals}


# The preprocessor.


def test_macros_are_expanded() -> None:
    (statement,) = body("x = ADD(ONE, y)", "#define ONE 1\n#define ADD(a, b) (a + b)\nbyte x, y;")
    assert texts([statement]) == ["x = (1 + y)"]


def test_a_define_is_a_macro() -> None:
    assert program("byte a[N]; init { skip }", N="4").globals[0].length == 4


def test_conditions_choose_the_text() -> None:
    text = "#if N > 2\nbyte big;\n#else\nbyte small;\n#endif\n#ifdef M\nbyte m;\n#endif\n#undef N\ninit { skip }"
    assert [symbol.name for symbol in program(text, N="3").globals] == ["big"]


def test_a_file_is_included_from_the_folder_of_the_model(tmp_path: Path) -> None:
    (tmp_path / "part.h").write_text("\nbyte x;\n")
    found = parse_model(str(tmp_path / "model.pml"), '#include "part.h"\ninit { x = 1 }', {})
    assert found.globals[0].position == Position(2, 6, str(tmp_path / "part.h"))


def test_other_directives_are_passed_over() -> None:
    assert program("#pragma once\n#ident me\ninit { skip }").proctypes


def test_what_a_macro_stands_for_has_the_position_of_its_use() -> None:
    (statement,) = body("\n  SET(y)", "#define SET(a) x = a\nbyte x, y;")
    assert statement.position == Position(4, 3)


def test_two_question_marks_are_no_trigraph() -> None:
    assert texts(body("c??<x,y>; c??(x,y)")) == ["c??<x,y>", "c??(x,y)"]


def test_signs_of_two_macros_do_not_become_one() -> None:
    (statement,) = body("x = y -MINUS", "#define MINUS -1\nbyte x, y;")
    assert isinstance(statement, Assign)
    assert shown(statement.value) == "(y - -1)"


# Inlines.


def test_an_inline_is_a_block_with_its_parameters_replaced() -> None:
    (block,) = body("add(x, y + 1)", "byte x, y; inline add(a, b) { a = a + (b); skip }")
    assert isinstance(block, Block)
    assert (block.kind, texts(block.body)) == ("block", ["x = x + (y + 1)", "skip"])


def test_inlines_call_inlines() -> None:
    (block,) = body("twice(x)", "byte x; inline one(a) { a++ } inline twice(a) { one(a); one(a) }")
    assert isinstance(block, Block)
    assert [texts(inner.body) for inner in block.body if isinstance(inner, Block)] == [["x++"], ["x++"]]


def test_statements_of_an_inline_stand_where_it_is_defined() -> None:
    (block,) = body("f()", "byte x;\ninline f() {\n  x = 1\n}")
    assert isinstance(block, Block)
    assert block.body[0].position == Position(3, 3)


def test_a_label_of_an_inline_is_another_in_each_call() -> None:
    first, second = body("f(); f()", "inline f() { skip; L: skip; goto L }")
    assert isinstance(first, Block)
    assert isinstance(second, Block)
    labels = [[part.label for part in block.body if isinstance(part, Labelled | Goto)] for block in (first, second)]
    assert labels[0] == ["L", "L"]
    assert labels[1][0] == labels[1][1] != "L"


def test_an_inline_can_return_a_value() -> None:
    (block,) = body("x = next(y)", "byte x, y; inline next(a) { return a + 1 }")
    assert isinstance(block, Block)
    (assignment,) = block.body
    assert isinstance(assignment, Assign)
    assert (shown(assignment.target), shown(assignment.value)) == ("x", "(y + 1)")


# Separators.


@pytest.mark.parametrize(
    "text",
    [
        "x = 1; y = 2",
        "x = 1; y = 2;",
        "x = 1 -> y = 2",
        "x = 1;; y = 2 ->",
        "x = 1\ny = 2",
        "x = 1;\n y = 2\n",
        "x = 1\n-> y = 2",
    ],
)
def test_statements_are_separated_by_semicolons_arrows_and_lines(text: str) -> None:
    assert texts(body(text)) == ["x = 1", "y = 2"]


def test_blocks_need_no_separator_after_them() -> None:
    assert texts(body("{ x = 1 } atomic { x = 2 } if :: x = 3 fi; y = 4")) == ["Block", "Block", "Selection", "y = 4"]


def test_a_line_does_not_end_a_statement_in_parentheses() -> None:
    assert texts(body("(x\n == 1\n && y)")) == ["(x == 1 && y)"]


def test_else_needs_no_separator_after_it() -> None:
    (selection,) = body("if :: x == 1 -> skip :: else x = 2 fi")
    assert isinstance(selection, Selection)
    assert texts(selection.options[1]) == ["else", "x = 2"]


# Declarations.


def test_types() -> None:
    found = symbols("bit b; bool o; byte y; short s; int i; unsigned u : 5; pid p; mtype m; chan c;")
    assert [symbol.type for symbol in found.values()] == [
        *("bit", "bool", "byte", "short", "int", Unsigned(5), "pid", "mtype", "chan")
    ]


def test_initial_values() -> None:
    found = symbols("byte x = 3, y, a[3] = { 1, 2 }, b[2] = 7;")
    assert shown(found["x"].initial) == "3"
    assert found["y"].initial is None
    initial = found["a"].initial
    assert isinstance(initial, Values)
    assert [shown(number) for number in initial.values] == ["1", "2"]
    assert (found["b"].length, shown(found["b"].initial)) == (2, "7")


def test_lengths_are_constant_expressions_or_initial_values() -> None:
    found = symbols("byte n = 4; byte a[2 * 3 + 1], b[n];")
    assert (found["a"].length, found["b"].length) == (7, 4)


def test_channels() -> None:
    found = symbols("typedef T { byte f }; chan c = [2] of { byte, T, mtype }, d[3] = [0] of { chan };")
    shape = found["c"].initial
    assert isinstance(shape, ChannelShape)
    assert shape.capacity == 2
    assert [field.name if isinstance(field, Structure) else field for field in shape.fields] == ["byte", "T", "mtype"]
    assert (found["d"].length, found["d"].initial) == (3, ChannelShape(0, ("chan",)))


def test_structures() -> None:
    found = symbols("typedef E { byte e }; typedef T { int f = 4; E g[2]; bit h, i }; T t[2];")
    type_ = found["t"].type
    assert isinstance(type_, Structure)
    assert [(field.name, field.length) for field in type_.fields] == [("f", None), ("g", 2), ("h", None), ("i", None)]
    assert shown(type_.fields[0].initial) == "4"


def test_hidden_variables() -> None:
    found = symbols("hidden byte x; show byte y; local byte z;")
    assert [symbol.hidden for symbol in found.values()] == [True, False, False]


def test_mtype_constants_are_numbered_from_the_last_to_the_first_of_each_declaration() -> None:
    found = program("mtype = { a, b, c }; mtype { d e }; mtype:fruit = { apple, pear }; init { skip }")
    assert found.mtypes == {"": ("c", "b", "a", "e", "d"), "fruit": ("pear", "apple")}


def test_the_set_of_a_named_mtype() -> None:
    found = symbols("mtype:fruit = { apple, pear }; mtype:fruit f; mtype m;")
    assert (found["f"].mtype, found["m"].mtype) == ("fruit", None)


def test_the_first_locals_get_their_values_at_creation() -> None:
    found = proctype("byte x = 1; byte y = x; skip")
    assert [(symbol.name, symbol.at_creation, symbol.owner) for symbol in found.locals] == [
        ("x", True, "P"),
        ("y", True, "P"),
    ]
    assert texts(found.body) == ["skip"]


def test_a_later_local_is_assigned_to_where_it_stands() -> None:
    found = proctype("skip; byte x = 1 + 2, y; byte a[2]; { bool z = true; skip }")
    assert [symbol.at_creation for symbol in found.locals] == [False] * 4
    assert texts(found.body) == ["skip", "x = 1 + 2", "y = 0", "a = 0", "Block"]
    element = found.body[3]
    assert isinstance(element, Assign)
    assert shown(element.target) == "a[0]"


def test_a_later_structure_is_a_step_without_effect() -> None:
    found = proctype("skip; T t; t.f = 1", "typedef T { byte f };")
    step = found.body[1]
    assert isinstance(step, Assign)
    assert isinstance(step.target, Predefined)


def test_blocks_side_by_side_declare_the_same_name() -> None:
    found = proctype("{ byte x; x = 1 }; { byte x; x = 2 }; byte x; x = 3")
    assert [symbol.name for symbol in found.locals] == ["x", "x", "x"]
    assert len({id(symbol) for symbol in found.locals}) == 3


def test_an_option_is_no_scope() -> None:
    assert texts(proctype("if :: byte x; skip fi; x = 1").body) == ["Selection", "x = 1"]


# Proctypes.


def test_heads_of_proctypes() -> None:
    found = program(
        "byte x; active proctype A() { skip } active [3] D_proctype B() provided (x == 1) { skip }"
        "proctype C(byte a, b; int d) { byte e; skip } init { run C(1, 2, 3) }"
    )
    heads = [(one.name, one.kind, one.active, one.parameters, one.deterministic) for one in found.proctypes]
    assert heads == [
        ("A", "proctype", 1, 0, False),
        ("B", "proctype", 3, 0, True),
        ("C", "proctype", 0, 3, False),
        (":init:", "init", 1, 0, False),
    ]
    assert shown(found.proctypes[1].provided) == "(x == 1)"
    assert [symbol.name for symbol in found.proctypes[2].locals] == ["a", "b", "d", "e"]


def test_where_a_proctype_starts_and_ends() -> None:
    found = program("active\nproctype P() {\n  skip\n}").proctypes[0]
    assert (found.position, found.end) == (Position(2, 1), Position(4, 1))


def test_a_never_claim_is_a_process() -> None:
    found = program("init { L: skip } never { do :: skip od } never named { skip }")
    assert [(one.name, one.kind) for one in found.proctypes[1:]] == [(":never:", "claim"), ("named", "claim")]


def test_what_only_liveness_needs_is_listed() -> None:
    found = program(
        "byte x; init { x = 1 }\nltl p { [] (x /\\ <> x -> x U x) }\nltl { x }\n"
        "never { accept: skip }\nchan c = [1] of { byte };\ntrace { do :: c!1 od }"
    )
    assert found.refused == (
        (Position(2, 1), "ltl formula p"),
        (Position(3, 1), "ltl formula"),
        (Position(6, 1), "trace assertion"),
        (Position(4, 1), "never claim with accept labels"),
    )
    assert [one.kind for one in found.proctypes] == ["init", "claim"]


# Statements.


def test_basic_statements_and_their_words() -> None:
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


def test_a_value_can_be_thrown_away() -> None:
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


STRUCTURES = "typedef E { byte e }; typedef T { byte f; E g; bit h[2] }; T t; T u[2]; chan c = [1] of { T, byte };"


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


def test_an_else_is_taken_wherever_it_stands() -> None:
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


def test_in_is_a_name_elsewhere() -> None:
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


def test_any_other_select_stays() -> None:
    assert isinstance(only("select (x : 1 .. y)"), Select)
    (block,) = body("f(x)", "byte x; inline f(a) { select (a : 1 .. 3) }")
    assert isinstance(block, Block)
    assert isinstance(block.body[0], Select)
    (named,) = body("select (x_1 : 1 .. 3)", "byte x_1;")
    assert isinstance(named, Select)


def test_promises_about_channels_are_passed_over() -> None:
    assert texts(body("xr c; xs c; skip")) == ["skip"]


# Expressions.


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


# Questions.


def test_questions_are_about_globals_and_processes() -> None:
    found = program(
        "mtype = { red, green }; mtype light; typedef T { byte f }; T t; chan c = [2] of { byte };"
        "active proctype P() { byte y; L: y = 1 }"
    )
    question = "light == green && t.f < 3 && len(c) == 0 && P[0]:y <= 1 && P@L && c?[1] && _nr_pr == 1"
    expression = parse_expression(question, found)
    assert isinstance(expression, Infix)
    assert expression.operator == "&&"


# The corpus.


def accepted_by_spin() -> list[tuple[str, str]]:
    """The models of the corpus that SPIN takes, each with its defines."""
    if not CORPUS.is_dir():
        return []
    with (CORPUS / "promela" / "spin_counts.csv").open() as table:
        rows = [
            (row["file"], row["defines"])
            for row in csv.DictReader(table)
            if row["mode"] == "plain" and row["result"] == "ok"
        ]
    return sorted(set(rows))


@needs_corpus
@pytest.mark.parametrize(("file", "defines"), accepted_by_spin())
def test_what_spin_takes_is_parsed(file: str, defines: str) -> None:
    path = CORPUS / "promela" / file
    given = dict(define.removeprefix("-D").split("=") for define in defines.split())
    assert parse_model(str(path), path.read_text(encoding="latin-1"), given).proctypes
