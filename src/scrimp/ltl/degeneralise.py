"""From several acceptance marks to one: Büchi automata with marks on edges, or on states.

Gastin and Oddoux, *Fast LTL to Büchi automata translation*, CAV 2001; levels that start again in each component as in
Babiak et al., *Compositional approach to suspension and other improvements to LTL translation*, SPIN 2013.

G1  A state is a state of the original and a level: how many marks, in order, were taken since the last round ended.
G2  An edge inside a component raises the level past all marks that it carries, from the current one on. When all were
    taken, a round ends, and the next one may begin with the same edge.
G3  An edge into another component starts at level 0.
G4  With marks on states, the end of a round is a level of its own, from which edges start as from level 0. An edge into
    a component in which every edge has every mark leads there directly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from scrimp.ltl.automaton import Automaton
from scrimp.ltl.graph import Arc, Graph, automaton_of, graph_of, order_of_discovery
from scrimp.ltl.prune import pruned
from scrimp.ltl.simulation import reduced_by_simulation, reduced_with_states


def degeneralised(automaton: Automaton) -> Automaton:
    """An automaton with one mark for the same words."""
    if automaton.marks == 1:
        return automaton
    graph = pruned(graph_of(automaton))
    return automaton_of(with_a_mark(pruned(reduced_by_simulation(_with_levels(graph, end=0)))))


def state_based(automaton: Automaton) -> Automaton:
    """An automaton with one mark for the same words, in which the edges that leave a state all have it or all lack it:
    the state is accepting or not."""
    graph = with_a_mark(pruned(graph_of(automaton)))
    return automaton_of(reduced_with_states(_marked_by_states(_with_levels(graph, end=graph.marks))))


def with_a_mark(graph: Graph) -> Graph:
    """The automaton with one mark on all arcs, if it had none."""
    if graph.marks:
        return graph
    return replace(graph, marks=1).with_arcs([arc._replace(marks=1) for arc in arcs] for arcs in graph.leaving)


def _marked_by_states(graph: Graph) -> Graph:
    """The automaton with the mark on all arcs of each state that has it on some arc inside its component. Those arcs
    have it already; on the others it does not matter."""
    component = graph.components()
    accepting = [
        any(arc.marks for arc in arcs if component[arc.target] == component[state])
        for state, arcs in enumerate(graph.leaving)
    ]
    return graph.with_arcs(
        [arc._replace(marks=int(accepting[state])) for arc in arcs] for state, arcs in enumerate(graph.leaving)
    )


def _with_levels(graph: Graph, end: int) -> Graph:
    """The automaton of states and levels; `end` is the level at which a round ends: 0, or one of its own (G4)."""
    component = graph.components()
    full = _full_components(graph, component)
    levels = graph.marks + 1

    def entry(state: int) -> int:
        return end if component[state] in full else 0  # G3, G4

    order = {graph.initial * levels + entry(graph.initial): 0}  # G1
    leaving: list[list[Arc]] = []
    for pair in order_of_discovery(order):
        state, level = divmod(pair, levels)
        leaving.append([])
        for label, marks, target in graph.leaving[state]:
            if component[target] == component[state]:
                following, ends = _raised(0 if level == end else level, marks, graph.marks, end)
            else:
                following, ends = entry(target), False
            marked = level == end if end else ends
            place = order.setdefault(target * levels + following, len(order))
            leaving[-1].append(Arc(label, int(marked), place))
    return replace(graph, initial=0, marks=1).with_arcs(leaving)


def _raised(level: int, marks: int, count: int, end: int) -> tuple[int, bool]:
    """The level after an edge with these marks, and whether a round ends (G2)."""
    while level < count and marks >> level & 1:
        level += 1
    if level < count:
        return level, False
    if end:
        return end, True
    level = 0
    while level < count and marks >> level & 1:
        level += 1
    return level % max(count, 1), True


def _full_components(graph: Graph, component: Sequence[int]) -> set[int]:
    """The components with cycles in which each arc has all marks."""
    inside = {
        component[state]
        for state, arcs in enumerate(graph.leaving)
        for arc in arcs
        if component[arc.target] == component[state]
    }
    lacking = {
        component[state]
        for state, arcs in enumerate(graph.leaving)
        for arc in arcs
        if component[arc.target] == component[state] and arc.marks != graph.all_marks
    }
    return inside - lacking
