"""Smaller automata by simulation: states that can do the same become one, and inferior edges disappear.

Etessami, Wilke and Schuller, *Fair simulation relations, parity games, and state space reduction for Büchi automata*,
SIAM J. Comput. 34, 2005 (direct simulation); Babiak et al., *Compositional approach to suspension and other
improvements to LTL translation*, SPIN 2013 (with marks on edges, labels as diagrams, and backwards).

S1  A state p simulates q if for each edge of q, and each letter of that edge, p has an edge under this letter that
    carries the marks of q's edge at least, and whose target simulates that of q's edge.
S2  States that simulate each other are one.
S3  Of two edges from a state, the first is needless if the second has its letters and marks, and leads to a state that
    simulates the first one's target.
S4  Backwards, p simulates q if for each edge to q there is one to p, under the same letters, with its marks at least,
    from a state that simulates that edge's source; and p is initial if q is. S2 holds here, too.
S5  An edge outside of all components is taken once at most, so its marks do not matter: all of S1 to S4 is done twice,
    with all marks on such edges, and with none. (To count such edges as having none in p and all in q would relate
    more states, but the relation would not be transitive any more, and merging them not be justified.)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from scrimp.ltl.diagrams import Diagrams
from scrimp.ltl.graph import Arc, Graph

# Simulation compares each two states, and each two of their edges.
MOST_COMPARISONS = 4_000_000

Simulators = list[int]
"""For each state, the states that simulate it, as bits."""


def reduced_by_simulation(graph: Graph) -> Graph:
    """A smaller automaton for the same words."""
    for marks in (graph.all_marks, 0):  # S5
        if _is_large(graph):
            return graph
        graph = _merged_backwards(_merged_forwards(_marked_outside(graph, marks)))
    return graph


def reduced_with_states(graph: Graph) -> Graph:
    """The same for an automaton with one mark, on all arcs of a state or on none: only states that are alike in this
    become one."""
    if _is_large(graph):
        return graph
    accepting = _mask(state for state, arcs in enumerate(graph.leaving) if any(arc.marks for arc in arcs))
    everything = (1 << len(graph.leaving)) - 1
    alike = [accepting if accepting >> state & 1 else everything & ~accepting for state in range(len(graph.leaving))]
    return _merged_forwards(graph, alike)


def _is_large(graph: Graph) -> bool:
    states, edges = graph.size
    return (states + edges) ** 2 > MOST_COMPARISONS


def _marked_outside(graph: Graph, marks: int) -> Graph:
    """The automaton with other marks on arcs outside of all components."""
    component = graph.components()
    return graph.with_arcs(
        [arc if component[arc.target] == component[state] else arc._replace(marks=marks) for arc in arcs]
        for state, arcs in enumerate(graph.leaving)
    )


def _merged_forwards(graph: Graph, start: Simulators | None = None) -> Graph:
    everything = (1 << len(graph.leaving)) - 1
    simulators = _simulators(graph.diagrams, graph.leaving, start or [everything] * len(graph.leaving))
    needed = [
        [arc for place, arc in enumerate(arcs) if not _is_needless(graph.diagrams, simulators, arcs, place)]
        for arcs in graph.leaving
    ]
    return graph.with_arcs(needed).renumbered(_classes(simulators))  # S2


def _merged_backwards(graph: Graph) -> Graph:
    entering: list[list[Arc]] = [[] for _ in graph.leaving]
    for state, arcs in enumerate(graph.leaving):
        for arc in arcs:
            entering[arc.target].append(arc._replace(target=state))
    everything = (1 << len(entering)) - 1
    start = [everything] * len(entering)
    start[graph.initial] = 1 << graph.initial
    return graph.renumbered(_classes(_simulators(graph.diagrams, entering, start)))  # S4


def _simulators(diagrams: Diagrams, arcs: Sequence[Sequence[Arc]], start: Simulators) -> Simulators:
    """The largest relation that satisfies S1: begin with all pairs, and remove those that violate it."""
    found = list(start)
    changed = True
    while changed:
        changed = False
        for state, leaving in enumerate(arcs):
            for other in _bits(found[state] & ~(1 << state)):
                if not all(_is_matched(diagrams, found, arc, arcs[other]) for arc in leaving):
                    found[state] &= ~(1 << other)
                    changed = True
    return found


def _is_matched(diagrams: Diagrams, simulators: Simulators, arc: Arc, others: Sequence[Arc]) -> bool:
    matching = (
        other.label for other in others if not arc.marks & ~other.marks and simulators[arc.target] >> other.target & 1
    )
    return diagrams.implies(arc.label, diagrams.any(matching))


def _is_needless(diagrams: Diagrams, simulators: Simulators, arcs: Sequence[Arc], place: int) -> bool:
    """Whether another arc is better than that at `place` (S3); of equally good ones, the first is needed."""
    arc = arcs[place]
    return any(
        _is_better(diagrams, simulators, arc, other)
        and (number < place or not _is_better(diagrams, simulators, other, arc))
        for number, other in enumerate(arcs)
        if number != place
    )


def _is_better(diagrams: Diagrams, simulators: Simulators, arc: Arc, other: Arc) -> bool:
    return (
        not arc.marks & ~other.marks
        and bool(simulators[arc.target] >> other.target & 1)
        and diagrams.implies(arc.label, other.label)
    )


def _classes(simulators: Simulators) -> list[int]:
    """For each state, the first one that is equivalent to it."""
    return [
        next(other for other in _bits(mask) if simulators[other] >> state & 1) for state, mask in enumerate(simulators)
    ]


def _mask(places: Iterable[int]) -> int:
    found = 0
    for place in places:
        found |= 1 << place
    return found


def _bits(mask: int) -> list[int]:
    return [place for place in range(mask.bit_length()) if mask >> place & 1]
