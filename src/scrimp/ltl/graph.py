"""Automata while they are made: edges are labelled with diagrams over the atoms."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import NamedTuple

from scrimp.ltl.automaton import Automaton, Cube, Edge
from scrimp.ltl.components import strong_components
from scrimp.ltl.diagrams import FALSE, Diagram, Diagrams


class Arc(NamedTuple):
    """An edge, among those that leave a state."""

    label: Diagram
    marks: int
    target: int


@dataclass(frozen=True)
class Graph:
    """A transition-based generalised Büchi automaton; `leaving` has the arcs of each state."""

    diagrams: Diagrams
    atoms: tuple[str, ...]
    initial: int
    leaving: tuple[tuple[Arc, ...], ...]
    marks: int

    @property
    def all_marks(self) -> int:
        return (1 << self.marks) - 1

    @property
    def size(self) -> tuple[int, int]:
        """The numbers of states and of edges."""
        return len(self.leaving), sum(map(len, self.leaving))

    def components(self) -> tuple[int, ...]:
        return strong_components([[arc.target for arc in arcs] for arcs in self.leaving])

    def with_arcs(self, leaving: Iterable[Iterable[Arc]]) -> Graph:
        """The same states with other arcs; those between the same states with the same marks become one."""
        return replace(self, leaving=tuple(self._united(arcs) for arcs in leaving))

    def _united(self, arcs: Iterable[Arc]) -> tuple[Arc, ...]:
        labels: dict[tuple[int, int], Diagram] = {}
        for label, marks, target in arcs:
            labels[target, marks] = self.diagrams.either(labels.get((target, marks), FALSE), label)
        return tuple(Arc(label, marks, target) for (target, marks), label in labels.items() if label != FALSE)

    def renumbered(self, number: Sequence[int]) -> Graph:
        """The automaton in which states with the same number are one. States that the initial one does not reach are
        left out, and the others are numbered in the order in which they are reached."""
        arcs: dict[int, list[Arc]] = {}
        for state, found in enumerate(self.leaving):
            arcs.setdefault(number[state], []).extend(found)
        order = {number[self.initial]: 0}
        leaving: list[list[Arc]] = []
        for state in order_of_discovery(order):
            leaving.append([])
            for label, marks, target in arcs[state]:
                place = order.setdefault(number[target], len(order))
                leaving[-1].append(Arc(label, marks, place))
        return replace(self, initial=0).with_arcs(leaving)


def order_of_discovery(order: Mapping[int, int]) -> Iterator[int]:
    """The keys of a dictionary that grows meanwhile, each once."""
    known: list[int] = []
    while len(known) < len(order):
        found = list(islice(order, len(known), None))
        known += found
        yield from found


def graph_of(automaton: Automaton) -> Graph:
    diagrams = Diagrams()
    leaving = [
        [
            Arc(diagrams.any(diagrams.cube(cube.true, cube.false) for cube in edge.cubes), edge.marks, edge.target)
            for edge in edges
        ]
        for edges in automaton.leaving
    ]
    graph = Graph(diagrams, automaton.atoms, automaton.initial, (), automaton.marks)
    return graph.with_arcs(leaving)


def automaton_of(graph: Graph) -> Automaton:
    edges = [
        Edge(source, target, tuple(Cube(true, false) for true, false in graph.diagrams.cubes(label)), marks)
        for source, arcs in enumerate(graph.leaving)
        for label, marks, target in sorted(arcs, key=lambda arc: (arc.target, arc.marks))
    ]
    return Automaton(graph.atoms, len(graph.leaving), graph.initial, tuple(edges), graph.marks)
