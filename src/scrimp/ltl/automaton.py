"""Automata over infinite words: transition-based generalised Büchi automata, as values.

A letter says which atoms are true: an integer with a bit for each. A word is accepted if some run over it takes each
acceptance mark infinitely often; without marks, if there is an infinite run at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from scrimp.ltl.components import strong_components

MOST_ATOMS = 64
MOST_MARKS = 63


@dataclass(frozen=True, slots=True)
class Cube:
    """A conjunction of literals: the atoms that must be true, and those that must be false, as bits."""

    true: int
    false: int

    def admits(self, letter: int) -> bool:
        return not (self.true & ~letter or self.false & letter)


ANY = Cube(0, 0)
"""The cube that every letter satisfies."""


@dataclass(frozen=True, slots=True)
class Edge:
    """An edge that is taken under letters that one of its cubes admits: without cubes never, with `ANY` always.
    `marks` are the acceptance marks that it carries, as bits."""

    source: int
    target: int
    cubes: tuple[Cube, ...]
    marks: int

    def admits(self, letter: int) -> bool:
        return any(cube.admits(letter) for cube in self.cubes)


@dataclass(frozen=True)
class Automaton:
    """A transition-based generalised Büchi automaton.

    `atoms` describes the bits of letters, with a text or any key that its user has. `edges` are sorted by their
    source. A run is accepting if it takes each of the `marks` infinitely often.
    """

    atoms: tuple[str, ...]
    states: int
    initial: int
    edges: tuple[Edge, ...]
    marks: int

    @cached_property
    def leaving(self) -> tuple[tuple[Edge, ...], ...]:
        """The edges that leave each state."""
        found: list[list[Edge]] = [[] for _ in range(self.states)]
        for edge in self.edges:
            found[edge.source].append(edge)
        return tuple(map(tuple, found))

    @cached_property
    def component(self) -> tuple[int, ...]:
        """The number of each state's strongly connected component; an edge never leads to a higher number."""
        return strong_components([[edge.target for edge in edges] for edges in self.leaving])

    @property
    def all_marks(self) -> int:
        return (1 << self.marks) - 1

    @cached_property
    def is_weak(self) -> bool:
        """Whether the cycles of each component are all accepting or all rejecting.

        This looks at marks, not at cycles: each component must have edges with all marks only, or lack some mark."""
        return all(self._is_uniform(edges) for edges in self._inside())

    @cached_property
    def is_terminal(self) -> bool:
        """Whether a run is accepting exactly if it reaches a component without a way out: there, every letter has an
        edge, every edge stays inside, and every cycle is accepting. A finite prefix then decides each accepted word.
        """
        accepting = {edges[0].source for edges in self._inside() if self._is_accepting(edges)}
        numbers = {self.component[state] for state in accepting}
        return self.is_weak and all(
            self._is_complete(state) and all(self.component[edge.target] == number for edge in self.leaving[state])
            for state, number in enumerate(self.component)
            if number in numbers
        )

    @property
    def is_safety(self) -> bool:
        """For the automaton of a *negated* formula: whether the formula is checked as safety, because each violation
        has a finite prefix that shows it: the prefix that leads to a state of `final`."""
        return self.is_terminal

    @cached_property
    def final(self) -> frozenset[int]:
        """The states of components in which every cycle is accepting. In a terminal automaton, a word is accepted if
        and only if a run over one of its prefixes leads here."""
        numbers = {self.component[edges[0].source] for edges in self._inside() if self._is_accepting(edges)}
        return frozenset(state for state, number in enumerate(self.component) if number in numbers)

    @cached_property
    def is_deterministic(self) -> bool:
        """Whether each letter has at most one edge from each state."""
        return not any(
            _overlap(first, second)
            for edges in self.leaving
            for place, first in enumerate(edges)
            for second in edges[:place]
        )

    def over(self, atoms: tuple[str, ...]) -> Automaton:
        """The same automaton for letters over other atoms, its own among them."""
        places = [atoms.index(atom) for atom in self.atoms]

        def moved(bits: int) -> int:
            return sum(1 << place for bit, place in enumerate(places) if bits >> bit & 1)

        edges = (
            replace(edge, cubes=tuple(Cube(moved(cube.true), moved(cube.false)) for cube in edge.cubes))
            for edge in self.edges
        )
        return replace(self, atoms=atoms, edges=tuple(edges))

    def accepts(self, prefix: Sequence[int], cycle: Sequence[int]) -> bool:
        """Whether the word that repeats `cycle` after `prefix` is accepted, by the definition."""
        return self.accepts_from({self.initial}, prefix, cycle)

    def accepts_from(self, states: Iterable[int], prefix: Sequence[int], cycle: Sequence[int]) -> bool:
        """The same for an automaton that may begin in each of the given states."""
        current = set(states)
        for letter in prefix:
            current = {edge.target for state in current for edge in self.leaving[state] if edge.admits(letter)}
        return self._accepts_cycle(current, cycle)

    def _accepts_cycle(self, starts: set[int], cycle: Sequence[int]) -> bool:
        """Whether the word that repeats `cycle` is accepted from one of the states: a reachable component of the
        product of automaton and cycle has all marks."""
        length = len(cycle)
        moves = [
            [(edge.target * length + (place + 1) % length, edge.marks) for edge in edges if edge.admits(cycle[place])]
            for edges in self.leaving
            for place in range(length)
        ]
        component = strong_components([[target for target, _ in found] for found in moves])
        reached, todo = {start * length for start in starts}, [start * length for start in starts]
        collected: dict[int, int] = {}
        while todo:
            node = todo.pop()
            for target, marks in moves[node]:
                if component[target] == component[node]:
                    collected[component[node]] = collected.get(component[node], 0) | marks
                if target not in reached:
                    reached.add(target)
                    todo.append(target)
        return self.all_marks in collected.values()

    def _inside(self) -> Iterator[list[Edge]]:
        """The edges inside each component that has any."""
        inside: dict[int, list[Edge]] = {}
        for edge in self.edges:
            if edge.cubes and self.component[edge.source] == self.component[edge.target]:
                inside.setdefault(self.component[edge.source], []).append(edge)
        return iter(inside.values())

    def _is_accepting(self, edges: list[Edge]) -> bool:
        return all(edge.marks == self.all_marks for edge in edges)

    def _is_uniform(self, edges: list[Edge]) -> bool:
        together = 0
        for edge in edges:
            together |= edge.marks
        return together != self.all_marks or self._is_accepting(edges)

    def _is_complete(self, state: int) -> bool:
        return is_tautology([cube for edge in self.leaving[state] for cube in edge.cubes])


def is_tautology(cubes: list[Cube]) -> bool:
    """Whether every letter satisfies one of the cubes: by Shannon expansion."""
    if ANY in cubes:
        return True
    if not cubes:
        return False
    bit = (cubes[0].true | cubes[0].false) & -(cubes[0].true | cubes[0].false)
    positive = [Cube(cube.true & ~bit, cube.false) for cube in cubes if not cube.false & bit]
    negative = [Cube(cube.true, cube.false & ~bit) for cube in cubes if not cube.true & bit]
    return is_tautology(positive) and is_tautology(negative)


def _overlap(first: Edge, second: Edge) -> bool:
    return any(not (a.true & b.false or a.false & b.true) for a in first.cubes for b in second.cubes)
