"""How the parser reads declarations and proctypes: in doubtful cases, as SPIN 6.5 does."""

from __future__ import annotations

import pytest
from tests.frontends.parsing import proctype, program, shown, symbols, texts

from scrimp.frontends.promela.program.syntax import (
    Assign,
    ChannelShape,
    Predefined,
    Structure,
    Unsigned,
    Values,
)
from scrimp.system.system import Position

# Declarations


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


def test_a_later_local_is_assigned_at_its_declaration() -> None:
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


def test_an_option_is_not_a_scope() -> None:
    assert texts(proctype("if :: byte x; skip fi; x = 1").body) == ["Selection", "x = 1"]


# Proctypes


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


def test_a_proctype_has_positions_of_its_start_and_end() -> None:
    found = program("active\nproctype P() {\n  skip\n}").proctypes[0]
    assert (found.position, found.end) == (Position(2, 1), Position(4, 1))


def test_a_never_claim_is_a_process() -> None:
    found = program("init { L: skip } never { do :: skip od } never named { skip }")
    assert [(one.name, one.kind) for one in found.proctypes[1:]] == [(":never:", "claim"), ("named", "claim")]


def test_formulas_claims_and_trace_assertions_are_listed() -> None:
    found = program(
        "byte x; init { x = 1 }\nltl p { [] (x /\\ <> x -> x U x) }\nltl { x }\n"
        "never { accept: skip }\nchan c = [1] of { byte };\ntrace { do :: c!1 od }"
    )
    assert [(one.name, one.text) for one in found.formulas] == [("p", "[] (x /\\ <> x -> x U x)"), ("", "x")]
    assert [one.positions[0] for one in found.formulas] == [(0, Position(2, 9)), (0, Position(3, 7))]
    assert [one.kind for one in found.proctypes] == ["init", "claim"]
    assert found.trace is not None


def test_a_proctype_that_nothing_starts_gets_a_warning() -> None:
    found = program("proctype Q(byte b) { assert(b) }\nproctype R() { skip }\ninit { skip }")
    assert found.warnings == (
        "model.pml:1:1: warning: proctype Q is never started: add 'active' or 'run Q(…)'",
        "model.pml:2:1: warning: proctype R is never started: add 'active' or 'run R()'",
    )


@pytest.mark.parametrize(
    "text",
    [
        "active proctype Q() { skip }",
        "active [0] proctype Q() { skip } init { skip }",
        "proctype Q() { skip } init { run Q() }",
        "inline start() { run Q() } init { start() } proctype Q() { skip }",
    ],
    ids=["active", "active, but without instances", "run", "run by an inline"],
)
def test_a_proctype_that_something_starts_gets_no_warning(text: str) -> None:
    assert program(text).warnings == ()
