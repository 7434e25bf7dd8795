"""Monitors: safety properties as deterministic automata over finite words.

A property is *safety* if every violation has a *bad* prefix, one after which whatever follows violates the property. A
monitor reads a word letter by letter, and is in the state `bad` if and only if what it has read is such a prefix; and
in the state `satisfied` if no longer word is.

The automaton of the violations is terminal then (`Automaton.is_terminal`); the minimal deterministic automaton for the
same words has one state from which everything is accepted, and it enters that state as soon as a prefix is bad. If it
may read a letter twice without leaving the state that it is in after the first, for every letter, then the property
depends on the changes of letters only: it is stutter-invariant, as all formulas without X are.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from scrimp.ltl.automaton import Automaton, Cube
from scrimp.ltl.diagrams import FALSE
from scrimp.ltl.graph import Graph, automaton_of, graph_of
from scrimp.ltl.obligation import minimal_deterministic


@dataclass(frozen=True)
class Monitor:
    """A deterministic automaton in which every letter has an edge from every state; its marks have no meaning."""

    automaton: Automaton
    bad: int | None
    satisfied: int | None
    is_stutter_invariant: bool

    def is_bad(self, word: Iterable[int]) -> bool:
        """Whether a finite word is a bad prefix."""
        state = self.automaton.initial
        for letter in word:
            state = next(edge.target for edge in self.automaton.leaving[state] if edge.admits(letter))
        return state == self.bad

    @property
    def bad_letters(self) -> tuple[Cube, ...] | None:
        """If the property is that no letter is a bad one: the bad letters. None otherwise."""
        start = self.automaton.initial
        if self.bad is None or self.bad == start:
            return None
        leaving = self.automaton.leaving[start]
        if any(edge.target not in (start, self.bad) for edge in leaving):
            return None
        return tuple(cube for edge in leaving if edge.target == self.bad for cube in edge.cubes)


def monitor_of(violations: Automaton) -> Monitor | None:
    """The monitor of a property, given an automaton for its violations; None if they are not known to have bad
    prefixes, or if it would be too large."""
    if not violations.is_terminal:
        return None
    graph = minimal_deterministic(graph_of(violations))
    if graph is None:
        return None
    staying = [state for state, arcs in enumerate(graph.leaving) if all(arc.target == state for arc in arcs)]
    bad = [state for state in staying if all(arc.marks for arc in graph.leaving[state])]
    satisfied = [state for state in staying if state not in bad]
    return Monitor(
        automaton_of(graph), next(iter(bad), None), next(iter(satisfied), None), _is_stutter_invariant(graph)
    )


def _is_stutter_invariant(graph: Graph) -> bool:
    diagrams = graph.diagrams
    staying = [
        diagrams.any(arc.label for arc in arcs if arc.target == state) for state, arcs in enumerate(graph.leaving)
    ]
    return all(
        diagrams.both(arc.label, diagrams.neither(staying[arc.target])) == FALSE
        for arcs in graph.leaving
        for arc in arcs
    )
