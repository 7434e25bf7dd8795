"""The state machines of proctypes are those of SPIN's verifier: states, order of edges, targets, marks and labels."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import pytest
from tests.corpus.corpus import needs_corpus
from tests.corpus.promela import PromelaCount, promela_counts
from tests.frontends.pan import PanTable, Row, needs_spin, pan_tables, refusal

from scrimp.errors import ModelError
from scrimp.frontends.promela.automata.automaton import Automaton, DStep, Edge
from scrimp.frontends.promela.automata.build import build, build_all
from scrimp.frontends.promela.program.parse import parse_model
from scrimp.frontends.promela.program.syntax import Program

GLOBALS = "byte x; chan q = [2] of { byte };\ntypedef pair { byte a; byte b }\nchan pairs = [2] of { pair };\n"

BODIES = {
    "a_sequence": "x = 1; x == 2; printf(\"a\"); assert(x)",
    "a_declaration_in_between": "x = 1; byte late = 3; byte later; x = late",
    "a_selection": "if :: x == 1 -> x = 2 :: x = 3 :: skip fi",
    "else_in_front": "if :: else -> x = 1 :: x == 2 :: x == 3 fi; x = 4",
    "an_option_that_is_false": "if :: false -> x = 1 :: x = 2 fi",
    "only_options_that_are_false": "if :: x = 1 :: if :: false :: 0 fi fi; x = 2",
    "a_loop": "do :: x < 3 -> x++ :: x > 5 -> break :: else -> skip; x = 1 od",
    "break_at_once": "do :: break :: x = 1 od; x = 2",
    "a_selection_first_in_an_option": "if :: if :: x = 1 :: x = 2 fi; x = 3 :: x = 4 fi",
    "a_loop_first_in_an_option": "do :: do :: x = 1 :: break od :: x = 3 od",
    "blocks_first_in_options": "if :: { x = 1; x = 2 } :: { { x = 3 } } fi",
    "skips_in_a_row": "if :: skip; skip; skip; x = 1 :: printf(\"a\"); skip; printf(\"b\"); skip fi; skip; skip",
    "a_skip_with_a_label": "if :: skip; here: skip; skip; goto here :: x = 1 fi",
    "jumps": "again: if :: x == 1 -> goto again :: x == 2 -> goto out fi; x = 3; out: x = 4; goto again",
    "jumps_to_jumps": "first: goto second; x = 1; second: goto third; third: x = 2; goto first",
    "a_jump_first_in_an_option": "if :: goto out :: x == 1 fi; x = 2; out: x = 3",
    "a_label_at_the_end": "x = 1; if :: x == 2 -> goto out :: else fi; x = 3; out:",
    "a_range": "byte i; for (i : 1 .. x) { x = i; if :: x == 3 -> break :: else fi }; x = 5",
    "a_label_at_a_range": "byte i; x = 1; again: for (i : 1 .. 3) { x = i }; if :: goto again :: x == 1 fi",
    "messages": "pair p; for (p in pairs) { x = p.a }; x = 7",
    "a_choice_of_a_number": "byte i; select (i : 1 .. 3); x = i",
    "a_choice_of_a_number_up_to_a_variable": "byte i; again: select (i : 1 .. x); if :: goto again :: x = i fi",
    "an_atomic_sequence": "x = 1; atomic { x = 2; x = 3; x == 4; x = 5 }; x = 6",
    "an_atomic_choice": "atomic { if :: x = 1 :: x = 2; x = 3 fi }; x = 4",
    "an_atomic_loop": "atomic { do :: x = 1 :: x == 2 -> break od; x = 3 }; x = 4",
    "an_atomic_loop_at_the_end": "atomic { x = 1; do :: x = 2 :: x == 3 -> break od }; x = 4",
    "a_jump_out_of_an_atomic": "atomic { x = 1; if :: x == 1 -> goto out :: else fi; x = 2 }; x = 3; out: x = 4",
    "a_jump_from_atomic_to_atomic": "atomic { x = 1; goto other }; x = 2; other: atomic { x = 3; x = 4 }",
    "a_jump_into_an_atomic": "if :: goto inside :: x == 1 fi; atomic { x = 2; inside: x = 3; x = 4 }",
    "atomic_in_atomic": "atomic { x = 1; atomic { x = 2; x = 3 } }; x = 4",
    "a_block_at_the_end_of_an_atomic": "atomic { x = 1; { x = 2; x = 3 } }; x = 4",
    "a_d_step": "x = 1; d_step { x = 2; x = 3 }; x = 4",
    "d_steps_in_an_atomic": "atomic { d_step { x = 1; x = 2 }; x = 3; d_step { x = 4; x = 5 } }; x = 6",
    "a_d_step_as_an_option": "if :: d_step { x == 1; x = 2 } :: d_step { else; x = 3 } fi",
    "a_d_step_with_a_loop_at_its_end": "d_step { x = 1; do :: x < 5 -> x++ :: else -> break od }; x = 6",
    "an_atomic_in_a_d_step": "d_step { x = 1; atomic { x = 2; d_step { x = 3 } } }; x = 4",
    "an_escape": "{ x = 1; x = 2 } unless { x == 3; x = 4 }; x = 5",
    "an_escape_from_a_loop": "do :: x = 1 :: x == 2 -> x = 3 od unless { x == 4 -> x = 5 }",
    "an_escape_that_is_a_choice": "{ x = 1; x = 2 } unless { if :: x == 3 :: x == 4 -> x = 5 fi }; x = 6",
    "escapes_in_escapes": "{ { x = 1; x = 2 } unless { x == 3; x = 4 }; x = 5 } unless { x == 6; x = 7 }",
    "an_escape_from_an_escape": "{ x = 1; x = 2 } unless { { x == 3; x = 4 } unless { x == 5 } }",
    "an_escape_from_an_atomic": "atomic { x = 1; x = 2 } unless { x == 3 }; x = 4",
    "an_escape_inside_an_atomic": "atomic { { x = 1; x = 2 } unless { x == 3; x = 4 } }; x = 5",
    "an_escape_from_a_d_step": "{ x = 1; d_step { x = 2; x = 3 } } unless { x == 4 }",
    "an_escape_from_one_statement": "x == 1 unless x == 2; x = 3",
    "an_escape_with_a_label": "again: { x = 1; x = 2 } unless { x == 3 }; goto again",
    "an_escape_that_breaks": "do :: { x = 1; x = 2 } unless { x == 3; break } od; x = 4",
    "a_labelled_atomic_with_an_escape": "again: atomic { x = 1; x = 2 } unless { x == 3 }; goto again",
    "a_state_without_a_way_out": "atomic { x = 1; { goto out; x = 2 } unless { x == 3 }; x = 4 }; out: x = 5",
    "end_labels": "end: q?x; if :: x == 1 -> end_here: q?x :: else fi; x = 2",
    "an_end_label_at_a_loop": "x = 1; end: do :: q?x :: x = 2; break od",
    "an_end_label_at_a_jump": "start: x = 1; if :: x == 1 -> end: goto start :: else -> q?x fi",
    "two_labels_at_a_jump": "start: x = 1; if :: x == 1 -> also: end: goto start :: else -> q?x fi",
    "progress_and_accept_labels": "do :: x = 1; progress: x = 2 :: x == 3; accept_it: x = 4 od",
    "an_end_label_at_a_choice_in_a_choice": "do :: x = 1 :: x = 2; end: if :: q?x :: if :: x == 3 :: x == 4 fi fi od",
}  # fmt: skip

REFUSED = {
    "break out of a d_step": ("do :: d_step { x = 1; break; x = 2 } od", 23),
    "a jump out of a d_step": ("out: d_step { x = 1; goto out; x = 2 }", 22),
    "a jump out at the end of a d_step": ("out: x = 1; d_step { x = 2; goto out }", 29),
    "a jump out of a block in a d_step": ("out: x = 1; d_step { { x = 2; goto out; x = 3 }; x = 4 }", 31),
    "a jump into a d_step": ("if :: goto inside :: x = 1 fi; d_step { x = 2; inside: x = 3 }", 7),
    "a jump to a d_step": ("again: d_step { x = 1; x = 2 }; goto again", 33),
    "unless at the start of a d_step": ("d_step { { x = 1 } unless { x = 2 }; x = 3 }", 10),
    "run inside a d_step": ("d_step { x = 1; x = run P() }", 17),
    "a loop of jumps": ("one: goto two; two: goto one", 21),
    "a jump to itself": ("one: goto one", 6),
    "two else for one choice": ("if :: if :: x == 1 :: else fi :: else fi", 1),
    "a loop as the escape of a loop": ("do :: x = 1 od unless do :: x == 2 -> break od", 1),
}


@pytest.fixture(scope="module")
def spins(tmp_path_factory: pytest.TempPathFactory) -> dict[str, PanTable]:
    folder = tmp_path_factory.mktemp("pan")
    path = folder / "bodies.pml"
    path.write_text(_model(BODIES))
    return pan_tables(path, {}, folder)


@pytest.fixture(scope="module")
def ours() -> dict[str, Automaton]:
    return _automata(parse_model("bodies.pml", _model(BODIES), {}))


@needs_spin
@pytest.mark.parametrize("name", BODIES)
def test_a_state_machine_is_that_of_spin(name: str, ours: dict[str, Automaton], spins: dict[str, PanTable]) -> None:
    assert _ours(ours[name]) == _spins(spins[name])


@needs_spin
def test_a_jump_whose_label_another_process_refers_to_is_a_state(tmp_path: Path) -> None:
    claim = "never { do :: x == 9 -> x == 8 && !here@label; x == 7 :: else od }"
    text = f"{_model({'here': 'x = 1; label: goto out; x = 2; out: x = 3'})}\n{claim}\n{_proctype('later', 'x = 1')}"
    path = tmp_path / "model.pml"
    path.write_text(text)
    found, expected = _automata(parse_model("model.pml", text, {})), pan_tables(path, {}, tmp_path)
    assert {name: _ours(automaton) for name, automaton in found.items()} == {
        name: _spins(table) for name, table in expected.items()
    }


@needs_spin
def test_a_jump_whose_label_a_formula_refers_to_is_a_state(tmp_path: Path) -> None:
    text = f"{_model({'here': 'x = 1; label: goto out; x = 2; out: x = 3'})}\nltl p {{ [] !here[x + 1]@label }}\n"
    path = tmp_path / "model.pml"
    path.write_text(text)
    program = parse_model("model.pml", text, {})
    (found,) = build_all(program.proctypes, labels=[each[:2] for block in program.formulas for each in block.labels])
    assert _ours(found) == _spins(pan_tables(path, {}, tmp_path)["here"])


def test_a_jump_has_a_state_even_if_only_a_process_above_refers_to_its_label() -> None:
    program = parse_model("model.pml", "init { P@label } proctype P() { label: goto out; skip; out: skip }", {})
    found = build_all(program.proctypes)[1]
    assert found.labels["label"] in found.edges


def test_a_skip_that_leads_to_itself_is_a_step() -> None:
    found = build(parse_model("model.pml", "init { one: skip; goto one }", {}).proctypes[0])
    assert [edge.target for edge in found.edges[found.initial]] == [found.initial]


@pytest.mark.parametrize(("body", "column"), REFUSED.values(), ids=REFUSED)
def test_control_flow_that_spin_refuses_is_refused(body: str, column: int) -> None:
    with pytest.raises(ModelError) as error:
        build_all(parse_model("model.pml", _refused_model(body), {}).proctypes, file="model.pml")
    assert (error.value.file, error.value.line, error.value.column) == ("model.pml", 2, column)


@needs_spin
@pytest.mark.parametrize("body", [body for body, _ in REFUSED.values()], ids=REFUSED)
def test_spin_does_refuse_it(body: str, tmp_path: Path) -> None:
    assert refusal(_refused_model(body), tmp_path)


def test_a_proctype_can_be_built_on_its_own() -> None:
    program = parse_model("model.pml", _model(BODIES), {})
    together = build_all(program.proctypes)
    assert build(program.proctypes[1], together[0].next_identifier) == together[1]


def test_a_d_step_is_a_graph_whose_options_are_tried_in_order() -> None:
    step = _d_step("d_step { x = 1; do :: x < 3 -> x++ :: x == 7 :: break od; x = 5 }")
    assert [(node.statement.text, node.then, node.otherwise) for node in step.nodes] == [
        ("x = 1", 1, None),
        ("x < 3", 3, 2),
        ("x == 7", 1, 4),
        ("x++", 1, None),
        ("x = 5", None, None),
    ]


def test_an_option_may_leave_a_d_step() -> None:
    step = _d_step("d_step { do :: x < 3 -> x++ :: break od }")
    assert [(node.statement.text, node.then, node.otherwise) for node in step.nodes] == [
        ("x < 3", 2, 1),
        ("break", None, None),
        ("x++", 0, None),
    ]


def test_the_last_option_blocks_a_d_step() -> None:
    step = _d_step("d_step { x = 1; if :: x == 2 fi; x == 3 }")
    assert [node.blocked for node in step.nodes[1:]] == ["blocking sel in d_step (near line 4)", "block in d_step seq"]


@pytest.mark.parametrize(
    ("body", "guards"),
    [
        ("x == 1; x == 2", ["x == 1"]),
        ("x = 1; x == 2", None),
        ("{ { q?x } }; x == 2", ["q?x"]),
        ("else; x = 1", ["else"]),
        ("if :: x == 1 :: q!1 :: if :: x == 2 :: x == 3 fi fi", ["x == 1", "q!1", "x == 2", "x == 3"]),
        ("do :: x == 1 -> break :: x == 2 od", ["x == 1", "x == 2"]),
        ("if :: x == 1 :: else fi", None),
        ("if :: x == 1 :: x = 2 fi", ["x == 1"]),
        ("if :: x = 1 :: goto out fi; out: x = 2", None),
    ],
)
def test_a_d_step_starts_when_one_of_its_first_conditions_holds(body: str, guards: list[str] | None) -> None:
    found = _d_step(f"d_step {{ {body} }}").guards
    assert (None if found is None else [guard.text for guard in found]) == guards


def _counts() -> list[PromelaCount]:
    every = promela_counts(10**9)
    return every if os.environ.get("SCRIMP_CORPUS_ALL") else every[::10]


@needs_corpus
@needs_spin
@pytest.mark.parametrize("count", _counts(), ids=str)
def test_state_machines_of_the_corpus_are_those_of_spin(count: PromelaCount, tmp_path: Path) -> None:
    program = parse_model(str(count.path), count.path.read_text(errors="surrogateescape"), dict(count.defines))
    expected = pan_tables(count.path, dict(count.defines), tmp_path)
    for name, automaton in _automata(program).items():
        assert _ours(automaton) == _spins(expected[name]), name


def _model(bodies: Mapping[str, str]) -> str:
    return GLOBALS + "\n".join(_proctype(name, body) for name, body in bodies.items())


def _proctype(name: str, body: str) -> str:
    return f"active proctype {name}() {{ {body} }}"


def _refused_model(body: str) -> str:
    return f"byte x; active proctype P() {{\n{body}\n}}"


def _d_step(body: str) -> DStep:
    automaton = _automata(parse_model("model.pml", _model({"P": body}), {}))["P"]
    step = automaton.edges[automaton.initial][0].statement
    assert isinstance(step, DStep)
    return step


def _automata(program: Program) -> dict[str, Automaton]:
    names = [proctype.name for proctype in program.proctypes]
    return dict(zip(names, build_all(program.proctypes), strict=True))


def _ours(automaton: Automaton) -> dict[str, object]:
    marks = {"e": automaton.end_states, "p": automaton.progress_states, "a": automaton.accept_states}
    return {
        "initial": automaton.initial,
        "edges": {state: [_row(edge) for edge in edges] for state, edges in automaton.edges.items()},
        "marks": {state: {mark for mark, states in marks.items() if state in states} for state in automaton.edges},
        "labels": {name: state for name, state in automaton.labels.items() if "#" not in name},
    }


def _row(edge: Edge) -> Row:
    return Row(edge.target, edge.identifier, edge.escape, edge.atomic)


def _spins(table: PanTable) -> dict[str, object]:
    states = table.reachable()
    return {
        "initial": table.initial,
        "edges": {state: table.rows[state] for state in states},
        "marks": {state: table.marks[state] for state in states},
        "labels": table.labels,
    }
