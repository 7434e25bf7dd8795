"""Explicit systems: the edges of a labelled transition system (LTS), one by one, in tables instead of statements.

An explicit system is a system like any other, with one process and without variables: its locations are the states, its
transitions the edges. There may be millions of them, so they are made from the tables on demand.
"""

from __future__ import annotations

from abc import abstractmethod
from array import array
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from typing import SupportsIndex, TypeVar, overload

from scrimp.system.system import Move, Position, Process, System, Transition

# Events have 28 bits in the engine, states four bytes in tables.
MOST_EDGES = 2**28 - 1
MOST_STATES = 2**32 - 2

T = TypeVar("T")

LTS = "lts"
"""The name of the one process."""


@dataclass(frozen=True, repr=False)
class Graph:
    """The edges of an LTS, ordered by source: those that leave state s have the numbers from `first[s]` up to, and not
    including, `first[s + 1]`. `labels` are indices into `names`; `lines` are the lines of the edges in the text."""

    initial: int
    first: array[int]
    targets: array[int]
    labels: array[int]
    lines: array[int]
    names: tuple[str, ...]

    @property
    def states(self) -> int:
        return len(self.first) - 1

    @property
    def edges(self) -> int:
        return len(self.targets)

    def source(self, edge: int) -> int:
        return bisect_right(self.first, edge) - 1

    def leaving(self, state: int) -> range:
        """The edges that leave a state."""
        return range(self.first[state], self.first[state + 1])

    def predecessors(self) -> array[int]:
        """How many edges lead to each state."""
        counts = array("I", bytes(4 * self.states))
        for target in self.targets:
            counts[target] += 1
        return counts

    @cached_property
    def digest(self) -> str:
        """A text that only equal graphs have in common."""
        tables = (self.first, self.targets, self.labels, self.lines)
        return sha256(repr((self.initial, self.names)).encode() + b"".join(map(bytes, tables))).hexdigest()

    def __hash__(self) -> int:
        return hash((self.initial, self.states, self.edges))

    def __repr__(self) -> str:
        return f"Graph({self.digest})"


class Computed(Sequence[T]):
    """A sequence of `count` items, each made from its number on demand."""

    def __init__(self, count: int) -> None:
        self._numbers = range(count)

    @abstractmethod
    def item(self, number: int) -> T: ...

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, index: SupportsIndex) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[T]: ...
    def __getitem__(self, index: SupportsIndex | slice) -> T | Sequence[T]:
        found = self._numbers[index]
        return tuple(map(self.item, found)) if isinstance(found, range) else self.item(found)


class _Numerals(Computed[str]):
    """The names of states: their numbers."""

    def item(self, number: int) -> str:
        return str(number)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Numerals) and len(self) == len(other)

    def __hash__(self) -> int:
        return hash(self._numbers)

    def __repr__(self) -> str:
        return f"_Numerals({len(self)})"


class _Edges(Computed[Transition]):
    """The edges of a graph as transitions."""

    def __init__(self, graph: Graph) -> None:
        super().__init__(graph.edges)
        self._graph = graph

    def item(self, number: int) -> Transition:
        graph = self._graph
        text, position = graph.names[graph.labels[number]], Position(graph.lines[number], 1)
        return Transition((Move(0, graph.source(number), graph.targets[number], text, position),))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Edges) and self._graph == other._graph

    def __hash__(self) -> int:
        return hash(self._graph)

    def __repr__(self) -> str:
        return f"_Edges({self._graph!r})"


class _Leaving(Mapping[tuple[int, int], Sequence[int]]):
    """The edges that leave each state; states without any are not in the mapping."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph

    def __getitem__(self, place: tuple[int, int]) -> Sequence[int]:
        process, state = place
        if process != 0 or not 0 <= state < self._graph.states or not self._graph.leaving(state):
            raise KeyError(place)
        return self._graph.leaving(state)

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return ((0, state) for state in range(self._graph.states) if self._graph.leaving(state))

    def __len__(self) -> int:
        return sum(1 for _ in self)


@dataclass(frozen=True)
class ExplicitSystem(System):
    graph: Graph = field(kw_only=True, repr=False)

    @cached_property
    def leaving(self) -> Mapping[tuple[int, int], Sequence[int]]:
        return _Leaving(self.graph)


def explicit_system(name: str, graph: Graph) -> ExplicitSystem:
    process = Process(LTS, _Numerals(graph.states), graph.initial)
    return ExplicitSystem(name, (), (), (process,), _Edges(graph), graph=graph)
