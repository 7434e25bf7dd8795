"""A Promela text before it is parsed: macros, inlines, separators."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.frontends.parsing import body, program, shown, texts

from scrimp.frontends.promela.program.parse import parse_model
from scrimp.frontends.promela.program.syntax import (
    Assign,
    Block,
    Goto,
    Labelled,
    Selection,
)
from scrimp.system.system import Position

# The preprocessor


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


def test_other_directives_are_ignored() -> None:
    assert program("#pragma once\n#ident me\ninit { skip }").proctypes


def test_the_expansion_of_a_macro_has_the_position_of_its_use() -> None:
    (statement,) = body("\n  SET(y)", "#define SET(a) x = a\nbyte x, y;")
    assert statement.position == Position(4, 3)


def test_a_long_arrow_is_an_arrow() -> None:
    (selection, _) = body("if :: x == 1 --> x = 2 fi --> x--", "byte x;")
    assert isinstance(selection, Selection)
    assert texts(selection.options[0]) == ["x == 1", "x = 2"]


def test_a_formula_may_end_with_a_semicolon() -> None:
    found = program("byte x; init { x = 1 } ltl p { [] (x < 2); };")
    assert [formula.text for formula in found.formulas] == ["[] (x < 2)"]


def test_two_question_marks_do_not_begin_a_trigraph() -> None:
    assert texts(body("c??<x,y>; c??(x,y)")) == ["c??<x,y>", "c??(x,y)"]


def test_a_backslash_continues_a_comment_on_the_next_line() -> None:
    text = 'byte x; // up to here \\\n not a word \\\n of this\ninit { printf("// text"); /* // and \\\n */ x = 1 }'
    found = program(text)
    assert texts(found.proctypes[0].body) == ['printf("// text")', "x = 1"]
    assert found.proctypes[0].position == Position(4, 1)


def test_characters_of_adjacent_macros_do_not_form_one_token() -> None:
    (statement,) = body("x = y -MINUS", "#define MINUS -1\nbyte x, y;")
    assert isinstance(statement, Assign)
    assert shown(statement.value) == "(y - -1)"


# Inlines


def test_an_inline_is_a_block_with_its_parameters_replaced() -> None:
    (block,) = body("add(x, y + 1)", "byte x, y; inline add(a, b) { a = a + (b); skip }")
    assert isinstance(block, Block)
    assert (block.kind, texts(block.body)) == ("block", ["x = x + (y + 1)", "skip"])


def test_inlines_call_inlines() -> None:
    (block,) = body("twice(x)", "byte x; inline one(a) { a++ } inline twice(a) { one(a); one(a) }")
    assert isinstance(block, Block)
    assert [texts(inner.body) for inner in block.body if isinstance(inner, Block)] == [["x++"], ["x++"]]


def test_statements_of_an_inline_have_positions_in_its_definition() -> None:
    (block,) = body("f()", "byte x;\ninline f() {\n  x = 1\n}")
    assert isinstance(block, Block)
    assert block.body[0].position == Position(3, 3)


def test_a_label_of_an_inline_is_a_different_label_in_each_call() -> None:
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


# Separators


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
