"""In which order states are visited."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from scrimp.strategies.strategy import Strategy


@dataclass(frozen=True, kw_only=True)
class Order(Strategy):
    """In which order states are visited."""

    role = "order"
    has_levels: ClassVar[bool]
    """Whether all states at one distance from the initial state are expanded before those at the next."""
    has_queue: ClassVar[bool]
    """Whether states wait to be expanded in the order in which they were found."""
    keeps_stack: ClassVar[bool]
    """Whether the search always holds all states between the initial state and the one being expanded."""
    finds_shortest_traces: ClassVar[bool]


@dataclass(frozen=True, kw_only=True)
class BreadthFirst(Order):
    """Level by level: traces are as short as they can be."""

    name = "bfs"
    has_levels = True
    has_queue = True
    keeps_stack = False
    finds_shortest_traces = True


@dataclass(frozen=True, kw_only=True)
class DepthFirst(Order):
    """Strictly depth-first: a successor is entered when its event is taken, not before."""

    name = "dfs"
    has_levels = False
    has_queue = False
    keeps_stack = True
    finds_shortest_traces = False
