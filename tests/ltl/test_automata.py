"""Automata of formulas: their sizes, and the classes of properties that they show."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from bench.formulas import DWYER, ETESSAMI, SOMENZI

from scrimp.errors import OptionError
from scrimp.ltl import classes
from scrimp.ltl.automaton import Automaton, Cube, Edge
from scrimp.ltl.degeneralise import degeneralised, state_based
from scrimp.ltl.formula import Atom, Eventually, conjunction, is_next_free, negation
from scrimp.ltl.parse import parse
from scrimp.ltl.translate import translate


def size(text: str) -> tuple[int, int]:
    automaton = translate(parse(text))
    return automaton.states, len(automaton.edges)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("true", (1, 1)),
        ("false", (1, 0)),
        ("[] p", (1, 1)),
        ("<> p", (2, 3)),
        ("[] <> p", (1, 2)),
        ("<> [] p", (2, 3)),
        ("[] (p -> <> q)", (2, 4)),
        ("[] <> p && [] <> q", (1, 4)),
        ("p U (q U r)", (3, 6)),
        ("(X p U X q) || !X (p U q)", (1, 1)),
    ],
)
def test_automata_of_well_known_formulas_are_as_small_as_can_be(text: str, expected: tuple[int, int]) -> None:
    assert size(text) == expected


def test_automata_of_the_literature_do_not_grow() -> None:
    """Totals of `python -m bench.automata`; SPIN needs 293 states and 985 edges for half of the formulas alone."""
    sizes = [size(text) for text in (*DWYER, *ETESSAMI, *SOMENZI)]
    assert sum(states for states, _ in sizes) <= 342
    assert sum(edges for _, edges in sizes) <= 960


@pytest.mark.parametrize(
    "text",
    ["[] p", "p W q", "[] (p -> X q)", "[] (p -> [] q)", "p R q", "[] (p || X [] q)", "<> p -> (!q U p)", "true"],
)
def test_safety_is_seen_on_the_automaton_of_the_negation(text: str) -> None:
    assert translate(negation(parse(text))).is_safety


@pytest.mark.parametrize("text", ["<> p", "p U q", "[] <> p", "[] (p -> <> q)", "[] p || <> q"])
def test_other_formulas_are_not_taken_for_safety(text: str) -> None:
    assert not translate(negation(parse(text))).is_safety


def test_safety_that_the_syntax_does_not_show_is_seen() -> None:
    formula = parse("[] p && (<> q || [] !q)")
    assert not classes.is_safety(formula)
    assert translate(negation(formula)).is_safety


def test_a_final_state_is_reached_after_a_bad_prefix_only() -> None:
    automaton = translate(negation(parse("[] p")))
    assert automaton.initial not in automaton.final
    (violated,) = automaton.final
    assert [edge for edge in automaton.edges if edge.target == violated and edge.source != violated] == [
        Edge(automaton.initial, violated, (Cube(0, 1),), 0)
    ]


def test_a_component_with_accepting_and_rejecting_cycles_is_not_weak() -> None:
    assert not translate(parse("[] <> p")).is_weak
    assert translate(parse("<> [] p")).is_weak


@pytest.mark.parametrize(
    ("text", "safety", "guarantee", "obligation"),
    [
        ("[] p", True, False, True),
        ("!<> p", True, False, True),
        ("<> p", False, True, True),
        ("[] p -> [] q", False, False, True),
        ("[] (p -> <> q)", False, False, False),
        ("p U [] q", False, False, False),
    ],
)
def test_syntax_shows_classes(text: str, safety: bool, guarantee: bool, obligation: bool) -> None:
    formula = parse(text)
    found = classes.is_safety(formula), classes.is_guarantee(formula), classes.is_obligation(formula)
    assert found == (safety, guarantee, obligation)


def test_a_formula_with_x_is_not_next_free() -> None:
    assert is_next_free(parse("[] (p -> <> q)"))
    assert not is_next_free(parse("[] (p -> X q)"))


def test_one_mark_is_left_after_degeneralisation() -> None:
    automaton = translate(parse("[] <> p && [] <> q && [] <> r"))
    assert automaton.marks == 3
    assert degeneralised(automaton).marks == 1


def test_states_accept_as_a_whole() -> None:
    for text in (*ETESSAMI, *SOMENZI):
        automaton = state_based(translate(parse(text)))
        assert all(len({edge.marks for edge in edges}) <= 1 for edges in automaton.leaving)


def test_marks_that_always_come_together_are_one() -> None:
    both = (Edge(0, 1, (Cube(0, 0),), 0b11), Edge(1, 0, (Cube(0, 0),), 0))
    automaton = state_based(Automaton((), 2, 0, both, 2))
    assert automaton.states == 2
    assert automaton.accepts([], [0])


def test_automata_do_not_depend_on_the_seed_of_hashes() -> None:
    made = (
        "from scrimp.ltl.parse import parse; from scrimp.ltl.translate import translate; print(translate(parse('{}')))"
    )
    command = [sys.executable, "-c", made.format(SOMENZI[22])]
    seeds = ({"PYTHONHASHSEED": seed} for seed in "12")
    first, second = (subprocess.run(command, env=os.environ | seed, capture_output=True, check=True) for seed in seeds)
    assert first.stdout == second.stdout


def test_an_automaton_over_more_atoms_accepts_the_same_words() -> None:
    automaton = translate(parse("p U q"))
    wider = automaton.over(("q", "r", "p"))
    assert wider.atoms == ("q", "r", "p")
    assert [wider.accepts([letter], [0b001]) for letter in range(8)] == [
        automaton.accepts([letter >> 2 & 1 | (letter & 1) << 1], [0b10]) for letter in range(8)
    ]


def test_too_many_atoms_are_refused() -> None:
    with pytest.raises(OptionError, match="the formula has 65 atoms, at most 64 are possible"):
        translate(conjunction(Eventually(Atom(f"p{number}")) for number in range(65)))
