"""AUT: how files are read, and how broken ones are refused."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from tests.lts.random_lts import aut_text, random_edges
from tests.lts.reading import read_aut

import scrimp
from scrimp.errors import ModelError, OptionError, ScrimpError
from scrimp.frontends.aut import read_system
from scrimp.system import reference
from scrimp.system.explicit import Graph
from scrimp.system.validate import validate

PROVED = scrimp.Verdict.PROVED


def graph_of(text: str) -> Graph:
    return read_system("small.aut", text).graph


def edges_of(text: str) -> list[tuple[int, str, int]]:
    graph = graph_of(text)
    return [
        (state, graph.names[graph.labels[edge]], graph.targets[edge])
        for state in range(graph.states)
        for edge in graph.leaving(state)
    ]


@pytest.mark.parametrize(
    ("line", "label"),
    [
        ('(0, "send !1", 1)', "send !1"),
        ('(0,"send !1",1)', "send !1"),
        ("(0, i, 1)", "i"),
        ("(0,MIRQ2 !3,1)", "MIRQ2 !3"),
        ("(0, f(1, 2), 1)", "f(1, 2)"),
        ('(0, "G !"a, b"", 1)', 'G !"a, b"'),
        (r'(0, "a\"b\\", 1)', r"a\"b\\"),
        ('(0, "", 1)', ""),
        ('(0, " spaces ", 1)', " spaces "),
        ('  ( 0 ,\t"a" , 1 )  \r', "a"),
    ],
)
def test_labels_are_read_with_or_without_quotes_and_kept_as_they_are(line: str, label: str) -> None:
    assert edges_of(f"des (0, 1, 2)\n{line}\n") == [(0, label, 1)]


@pytest.mark.parametrize(
    "header", ["des (0, 1, 2)", "des(0,1,2)", "des (0,1,2)            ", "\n\n des ( 0 , 1 , 2 )\r"]
)
def test_headers_are_read_as_tools_write_them(header: str) -> None:
    assert edges_of(f"{header}\n\n(0, a, 1)\n\n") == [(0, "a", 1)]


def test_an_lts_may_have_no_transitions() -> None:
    assert (graph_of("des (1, 0, 2)").states, graph_of("des (1, 0, 2)").initial) == (2, 1)


def test_edges_of_a_state_keep_the_order_of_the_text() -> None:
    text = "des (0, 4, 2)\n(1, a, 0)\n(0, b, 1)\n(1, c, 1)\n(0, b, 0)\n"
    assert edges_of(text) == [(0, "b", 1), (0, "b", 0), (1, "a", 0), (1, "c", 1)]
    assert list(graph_of(text).lines) == [3, 5, 2, 4]
    assert list(graph_of(text).predecessors()) == [2, 2]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "1:1: expected 'des', found the end of the line"),
        ("\0\x1b[2J", r"1:1: expected 'des', found '\x00'"),
        ("des (0, 1, 2) \x1b[2J", r"1:15: expected the end of the line, found '\x1b[2J'"),
        (f"des (0, 1{18 * '0'}, 2)", "1:9: expected the number of transitions, found one of more than 18 digits"),
        ("des 0, 1, 2", "1:5: expected '(', found '0'"),
        ("des (x, 1, 2)", "1:6: expected the initial state, found 'x'"),
        ("des (0 1, 2)", "1:8: expected ',', found '1'"),
        ("des (0, , 2)", "1:9: expected the number of transitions, found ','"),
        ("des (0, 1)", "1:10: expected ',', found ')'"),
        ("des (0, 1, 2", "1:13: expected ')', found the end of the line"),
        ("des (0, 0, 1) (0, a, 0)", "1:15: expected the end of the line, found '(0, a, 0)'"),
        ("des (2, 0, 2)", "1:6: the initial state is 2, but there are 2 states"),
        ("des (0, 0, 0)", "1:6: the initial state is 0, but there are 0 states"),
        ("des (0, 2, 2)\n(0, a, 1)", "1:9: expected 2 transitions, found 1"),
        ("des (0, 0, 2)\n(0, a, 1)", "1:9: expected 0 transitions, found 1"),
        ("des (0, 99999999, 2)", "1:9: expected 99999999 transitions, but the file is too short"),
        ("des (0, 999999999999, 2)", "1:9: found 999999999999 transitions, expected at most 268435455"),
        ("des (0, 0, 99999999999)", "1:12: found 99999999999 states, expected at most 4294967294"),
        ("des (0, 0, 99999999999999999999)", "1:12: expected the number of states, found one of more than 18 digits"),
        ("des (0, 1, 4000000000)", "1:12: found 4000000000 states for 1 transitions, expected fewer"),
        ("des (0, 1, 2)\n0, a, 1)", "2:1: expected '(', found '0'"),
        ("des (0, 1, 2)\n(, a, 1)", "2:2: expected a state, found ','"),
        ("des (0, 1, 2)\n(0 a, 1)", "2:4: expected ',', found 'a'"),
        ("des (0, 1, 2)\n(0, , 1)", "2:5: expected a label, found ','"),
        ('des (0, 1, 2)\n(0, "a, 1)', "2:5: expected a label, found '\"'"),
        ("des (0, 1, 2)\n(0, a, x)", "2:8: expected a state, found 'x'"),
        ("des (0, 1, 2)\n(0, a, 1", "2:9: expected ')', found the end of the line"),
        ("des (0, 1, 2)\n(0, a, -1)", "2:8: expected a state, found '-'"),
        ("des (0, 1, 2)\n(0, a, 1) x", "2:11: expected the end of the line, found 'x'"),
        ("des (0, 1, 2)\n(2, a, 1)", "2:2: there is no state 2: the header says 2 states"),
        ("des (0, 1, 2)\n\n(0, a, 17)", "3:8: there is no state 17: the header says 2 states"),
        ("des (0, 1, 2)\n# a comment\n(0, a, 1)", "2:1: expected '(', found '#'"),
    ],
)
def test_a_mistake_is_reported_with_its_position(text: str, message: str) -> None:
    with pytest.raises(ModelError) as caught:
        graph_of(text)
    assert str(caught.value) == f"small.aut:{message}"


@pytest.mark.parametrize("seed", range(20))
def test_an_lts_is_a_valid_system_whose_runs_are_its_paths(seed: int) -> None:
    edges = random_edges(seed)
    system = read_system("random.aut", aut_text(edges))
    validate(system)
    after: dict[int, list[tuple[str, int]]] = {}
    for source, label, target in edges:
        after.setdefault(source, []).append((label, target))
    for state in range(40):
        here = reference.State((state,), (), ())
        found = [
            (system.transitions[event].moves[0].text, reached.locations[0])
            for event, reached in reference.successors(system, here)
            if isinstance(reached, reference.State)
        ]
        assert found == after.get(state, [])


STORES = [
    (scrimp.BreadthFirst(), scrimp.Full()),
    (scrimp.DepthFirst(), scrimp.Full()),
    (scrimp.BreadthFirst(), scrimp.Full(compress="tree")),
    (scrimp.DepthFirst(), scrimp.Full(compress="cleary")),
    (scrimp.DepthFirst(), scrimp.Full(compress="huffman")),
    (scrimp.BreadthFirst(), scrimp.Comback()),
    (scrimp.DepthFirst(), scrimp.Comback()),
    (scrimp.BreadthFirst(), scrimp.Pseudoroot(source="given")),
    (scrimp.DepthFirst(), scrimp.Pseudoroot(source="inverse")),
    (scrimp.BreadthFirst(), scrimp.Pseudoroot(source="counted", next="fewest", counters=50)),
    (scrimp.BreadthFirst(), scrimp.Compact()),
]


@pytest.mark.parametrize(("order", "store"), STORES, ids=str)
def test_searches_visit_what_the_reference_visits(tmp_path: Path, order: scrimp.Order, store: scrimp.Store) -> None:
    path = tmp_path / "random.aut"
    for seed in range(8):
        path.write_text(aut_text(random_edges(seed), initial=seed))
        model = scrimp.load(path)
        expected = reference.explore(model.system)
        found = scrimp.explore(model, order=order, store=store).statistics
        assert (found.states, found.transitions) == (len(expected.states), expected.transitions)
        assert found.deadlocks == expected.deadlocks


@pytest.mark.parametrize(
    ("order", "store"),
    [
        (scrimp.DepthFirst(), scrimp.Cache(states=30, policy="type")),
        (scrimp.BreadthFirst(), scrimp.Snapshots()),
        (scrimp.BreadthFirst(), scrimp.Pseudoroot(source="given", states=30)),
    ],
    ids=str,
)
def test_stores_that_evict_visit_every_state(tmp_path: Path, order: scrimp.Order, store: scrimp.Store) -> None:
    path = tmp_path / "random.aut"
    for seed in range(8):
        path.write_text(aut_text(random_edges(seed)))
        model = scrimp.load(path)
        states = [state.locations[0] for state in reference.explore(model.system).states]
        goals = [f"state == {state}" for state in states]
        assert scrimp.check(model, order=order, store=store, allow_deadlock=True, reach=goals).verdict is PROVED


def test_an_audit_counts_the_states_that_snapshots_visit(tmp_path: Path) -> None:
    path = tmp_path / "random.aut"
    path.write_text(aut_text(random_edges(3)))
    model = scrimp.load(path)
    found = scrimp.explore(model, store=scrimp.Snapshots(), audit=True).statistics
    assert found.states == len(reference.explore(model.system).states)
    with pytest.raises(OptionError, match="compares every pair of events, and an explicit LTS has too many"):
        scrimp.explore(model, order=scrimp.DepthFirst(), store=scrimp.Cache(), audit=True)


def test_a_compressed_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "small.aut.gz"
    path.write_bytes(gzip.compress(b"des (0, 1, 2)\n(0, a, 1)\n"))
    model = scrimp.load(path)
    assert (model.language, model.system.name, scrimp.explore(model).statistics.states) == ("aut", "small", 2)


@pytest.mark.parametrize(
    "content", [b"des (0, 0, 1)", gzip.compress(b"des (0, 0, 1)")[:-9]], ids=["plain text", "cut short"]
)
def test_a_broken_compressed_file_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "small.aut.gz"
    path.write_bytes(content)
    with pytest.raises(ScrimpError, match="cannot be"):
        scrimp.load(path)


def test_the_language_is_recognised_without_a_suffix(tmp_path: Path) -> None:
    path = tmp_path / "graph"
    path.write_text("des (0, 0, 1)\n")
    assert scrimp.load(path).language == "aut"


def test_a_trace_has_labels_and_lines_and_a_deadlock_is_explained(tmp_path: Path) -> None:
    path = tmp_path / "small.aut"
    path.write_text('des (0, 3, 3)\n(0, "a", 0)\n(0, "b !1", 1)\n(1, i, 2)\n')
    (violation,) = scrimp.check(scrimp.load(path)).violations
    assert violation.trace is not None
    assert violation.message == "deadlock: no transition leaves the state"
    steps = [(move.text, move.source, move.target, move.line) for step in violation.trace.steps for move in step.moves]
    assert steps == [("b !1", "0", "1", 3), ("i", "1", "2", 4)]


def test_properties_refer_to_states_by_their_number(tmp_path: Path) -> None:
    path = tmp_path / "small.aut"
    path.write_text("des (0, 2, 4)\n(0, a, 1)\n(1, b, 2)\n")
    model = scrimp.load(path)
    assert scrimp.check(model, allow_deadlock=True, reach=["state == 2"]).verdict is scrimp.Verdict.PROVED
    assert scrimp.check(model, allow_deadlock=True, reach=["state == 3"]).verdict is scrimp.Verdict.REFUTED
    assert scrimp.check(model, allow_deadlock=True, invariant=["state != 2"]).verdict is scrimp.Verdict.REFUTED
    with pytest.raises(ModelError, match="there is no state 4"):
        scrimp.check(model, reach=["state == 4"])
    with pytest.raises(ModelError, match="expected 'state == NUMBER' or 'state != NUMBER', found 'x > 1'"):
        scrimp.check(model, reach=["x > 1"])


def test_edges_of_unreachable_states_are_listed(tmp_path: Path) -> None:
    path = tmp_path / "small.aut"
    path.write_text("des (0, 2, 3)\n(0, a, 0)\n(1, b, 2)\n")
    (unreached,) = scrimp.explore(scrimp.load(path)).unreached
    assert (unreached.text, unreached.line) == ("b", 3)


def test_options_without_meaning_for_an_lts_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "small.aut"
    path.write_text("des (0, 0, 1)\n")
    with pytest.raises(OptionError, match="an LTS has no constants"):
        scrimp.load(path, defines={"N": "1"})
    with pytest.raises(OptionError, match="an LTS has no channels"):
        scrimp.load(path, empty_channels=True)
    with pytest.raises(OptionError, match="an explicit LTS has a single process, and a reduction needs several"):
        scrimp.explore(scrimp.load(path), order=scrimp.DepthFirst(), reduction=scrimp.Sleep())


def test_the_reader_of_the_tests_agrees() -> None:
    for seed in range(20):
        text = aut_text(random_edges(seed))
        assert sorted(edges_of(text)) == read_aut(text).edges
