"""The Hanoi Omega-Automata format: what is written can be read, and what cannot be used is refused by name."""

from __future__ import annotations

import pytest

from scrimp.errors import ModelError
from scrimp.ltl.automaton import Automaton, Cube, Edge
from scrimp.ltl.hoa import read_hoa, write_hoa
from scrimp.ltl.parse import parse
from scrimp.ltl.translate import translate


def automaton(body: str, *, header: str = "Acceptance: 1 Inf(0)", atoms: str = '2 "p" "q"') -> str:
    return f"HOA: v1\nStart: 0\nAP: {atoms}\n{header}\n--BODY--\n{body}\n--END--\n"


def test_a_written_automaton_is_read_back() -> None:
    for text in ("[] (p -> <> q)", "[] <> {x == 1} && [] <> q", "[] p", "false"):
        made = translate(parse(text))
        assert read_hoa(write_hoa(made, name='a "name"')) == made


def test_the_text_is_that_of_other_tools() -> None:
    assert write_hoa(translate(parse("[] <> p"))) == (
        'HOA: v1\nStates: 1\nStart: 0\nAP: 1 "p"\nacc-name: Buchi\nAcceptance: 1 Inf(0)\n'
        "properties: trans-labels explicit-labels trans-acc deterministic\n--BODY--\n"
        "State: 0\n[!0] 0\n[0] 0 {0}\n--END--\n"
    )


def test_marks_of_a_state_are_those_of_its_edges() -> None:
    read = read_hoa(automaton("State: 0 {0}\n[0] 1\nState: 1\n[t] 0"))
    assert [edge.marks for edge in read.edges] == [1, 0]


def test_a_label_of_a_state_is_that_of_its_edges() -> None:
    read = read_hoa(automaton('State: [0 & !1] 0 "start"\n0 {0}'))
    assert read.edges == (Edge(0, 0, (Cube(1, 2),), 1),)


def test_edges_without_labels_are_in_the_order_of_letters() -> None:
    read = read_hoa(automaton("State: 0\n0 1 {0}", atoms='1 "p"') + "")
    assert read.edges == (Edge(0, 0, (Cube(0, 1),), 0), Edge(0, 1, (Cube(1, 0),), 1))


def test_aliases_are_expanded() -> None:
    text = automaton("State: 0\n[@both | !1] 0 {0}", header="Alias: @both 0 & 1\nAcceptance: 1 Inf(0)")
    assert read_hoa(text).accepts([], [0b11])
    assert not read_hoa(text).accepts([], [0b10])


def test_several_initial_states_become_one() -> None:
    read = read_hoa(automaton("State: 0\n[0] 0 {0}\nState: 1\n[1] 1 {0}", header="Start: 1\nAcceptance: 1 Inf(0)"))
    assert [read.accepts([], [letter]) for letter in range(4)] == [False, True, True, True]


def test_only_sets_in_the_condition_count() -> None:
    read = read_hoa(automaton("State: 0\n[t] 0 {0 2}", header="Acceptance: 3 (Inf(0) & Inf(2))"))
    assert (read.marks, read.edges[0].marks) == (2, 0b11)


def test_the_condition_false_accepts_nothing() -> None:
    assert not read_hoa(automaton("State: 0\n[t] 0", header="Acceptance: 0 f")).accepts([], [0])


def test_comments_may_be_nested() -> None:
    assert isinstance(read_hoa("/* a /* b */ c */" + automaton("State: 0")), Automaton)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            automaton("State: 0", header="acc-name: Rabin 1\nAcceptance: 2 Fin(0) & Inf(1)"),
            "a.hoa:5:13: found 'Rabin 1', expected Büchi or generalised Büchi acceptance, as in "
            "'Acceptance: 2 Inf(0)&Inf(1)'",
        ),
        (
            automaton("State: 0", header="acc-name: co-Buchi\nAcceptance: 1 Fin(0)"),
            "a.hoa:5:13: found 'co-Buchi', expected Büchi or generalised Büchi acceptance, as in "
            "'Acceptance: 2 Inf(0)&Inf(1)'",
        ),
        (
            automaton("State: 0\n[0] 0&1"),
            "a.hoa:7:6: found '&', expected one state; alternating automata are not supported",
        ),
        (
            automaton("State: 0\n[5] 0"),
            "a.hoa:7:2: found '5', expected t, f, the number of an atom, an alias, '!' or '('",
        ),
        ("never {", "a.hoa:1:1: found 'never', expected 'HOA: v1' at the beginning"),
        ("HOA: v2", "a.hoa:1:6: found 'v2', expected version v1"),
        (
            "HOA: v1\nStart: 0\n--BODY--\n--END--",
            "a.hoa:3:1: found '--BODY--', expected 'Acceptance:' before the body",
        ),
        (
            automaton("State: 0", header="Fairness: 1"),
            "a.hoa:4:1: found 'Fairness:', expected no header that changes the meaning of the automaton in an unknown "
            "way",
        ),
        ("HOA: v1 /* open", "a.hoa:1:9: found a comment without its end '*/'"),
        (automaton("State: 0\n[0"), "a.hoa:8:1: found '--END--', expected ']'"),
        (automaton("State: 0\nState: 0"), "a.hoa:7:8: found '0', expected each state once"),
        (automaton("State: 0\n[0] 0 {1}"), "a.hoa:7:8: found '1', expected the number of an acceptance set, below 1"),
        (
            automaton("State: 0", header="Acceptance: 1 Inf(1)"),
            "a.hoa:4:19: found '1', expected the number of an acceptance set, below 1",
        ),
        (
            automaton("State: 0\n[0] 1", header="States: 1\nAcceptance: 1 Inf(0)"),
            "a.hoa:8:5: found '1', expected the number of a state, below 1",
        ),
        (
            automaton("State: 0", header="States: 0\nAcceptance: 1 Inf(0)"),
            "a.hoa:6:1: found '--BODY--', expected initial states below 0 before the body",
        ),
        (
            automaton("State: 0\n0 0 0"),
            "a.hoa:6:8: found '0', expected a state whose edges have labels, or one with 4 edges without labels",
        ),
        (
            automaton("State: 0\n0 0 0 0\n[0] 0"),
            "a.hoa:6:8: found '0', expected a state whose edges have labels, or one with 4 edges without labels",
        ),
        (
            automaton(f"State: 0\n[{'9' * 5000}] 0"),
            f"a.hoa:7:2: found '{'9' * 40}…', expected t, f, the number of an atom, an alias, '!' or '('",
        ),
    ],
)
def test_what_cannot_be_used_is_refused(text: str, message: str) -> None:
    with pytest.raises(ModelError) as raised:
        read_hoa(text, "a.hoa")
    assert str(raised.value) == message
