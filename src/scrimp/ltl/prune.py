"""Smaller automata by looking at strongly connected components: useless states and needless marks disappear."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from scrimp.ltl.graph import Arc, Graph

Arcs = Sequence[Sequence[Arc]]


def pruned(graph: Graph) -> Graph:
    """The automaton without states from which nothing is accepted, and with as few marks as its components need.

    P1  A component is accepting if its arcs have all marks. A state is useful if it reaches such a component.
    P2  Marks matter inside accepting components only: all other arcs lose theirs.
    P3  Inside a component, a mark on every arc, or on every arc with some other mark, is needless.
    P4  The marks that a component needs get the lowest numbers; its arcs carry all those that it does not need. There
        is one mark at least if there are cycles that are not accepting.
    """
    component = graph.components()
    inside = _inside(graph.leaving, component)
    accepting = {number for number, arcs in inside.items() if _union(arcs) == graph.all_marks}
    useful = _useful(graph, component, accepting)  # P1
    needed = {number: _needed(graph.marks, inside[number]) for number in accepting}
    rejecting = any(useful[state] and number in inside.keys() - accepting for state, number in enumerate(component))
    marks = max((int(rejecting), *map(len, needed.values())))
    leaving = [
        [
            arc._replace(marks=_moved(arc.marks, needed[component[state]], marks))
            if component[state] in accepting and component[arc.target] == component[state]
            else arc._replace(marks=0)  # P2
            for arc in arcs
            if useful[arc.target] and useful[state]
        ]
        for state, arcs in enumerate(graph.leaving)
    ]
    smaller = replace(graph, marks=marks).with_arcs(leaving)
    return smaller.renumbered(range(len(leaving)))


def _inside(leaving: Arcs, component: Sequence[int]) -> dict[int, list[Arc]]:
    """The arcs inside each component that has any."""
    inside: dict[int, list[Arc]] = {}
    for state, arcs in enumerate(leaving):
        for arc in arcs:
            if component[arc.target] == component[state]:
                inside.setdefault(component[state], []).append(arc)
    return inside


def _union(arcs: Iterable[Arc]) -> int:
    found = 0
    for arc in arcs:
        found |= arc.marks
    return found


def _useful(graph: Graph, component: Sequence[int], accepting: set[int]) -> list[bool]:
    """Components are numbered from the leaves on, so those that a component reaches are judged before it."""
    useful = [False] * len(component)
    for state in sorted(range(len(component)), key=component.__getitem__):
        reaches = any(useful[arc.target] for arc in graph.leaving[state])
        if reaches or component[state] in accepting:
            for other, number in enumerate(component):
                useful[other] |= number == component[state]
    return useful


def _needed(marks: int, arcs: Sequence[Arc]) -> list[int]:
    """The marks that are not needless (P3); of equal ones, the first."""
    without = [frozenset(place for place, arc in enumerate(arcs) if not arc.marks >> mark & 1) for mark in range(marks)]
    return [
        mark
        for mark, missing in enumerate(without)
        if missing
        and not any(missing < other or (missing == other and place < mark) for place, other in enumerate(without))
    ]


def _moved(marks: int, needed: Sequence[int], count: int) -> int:
    """The marks of an arc under their new numbers (P4)."""
    found = sum(1 << place for place, mark in enumerate(needed) if marks >> mark & 1)
    return found | ((1 << count) - (1 << len(needed)))
