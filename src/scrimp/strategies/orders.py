"""In which order states are visited."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from scrimp.strategies.strategy import Strategy


@dataclass(frozen=True, kw_only=True)
class Order(Strategy):
    """In which order states are visited.

    Example:
        >>> import scrimp
        >>> isinstance(scrimp.DepthFirst(), scrimp.Order)
        True
    """

    role = "order"
    has_levels: ClassVar[bool]
    """Whether all states at one distance from the initial state are expanded before those at the next."""
    has_queue: ClassVar[bool]
    """Whether states wait to be expanded in the order in which they were found."""
    keeps_stack: ClassVar[bool]
    """Whether the search holds the path from the initial state to the one being expanded."""
    finds_shortest_traces: ClassVar[bool]


@dataclass(frozen=True, kw_only=True)
class BreadthFirst(Order):
    """Breadth-first, level by level: traces are as short as possible.

    Example:
        >>> import scrimp
        >>> scrimp.check("models/broken_lock.dve", order=scrimp.BreadthFirst()).statistics.states
        9
    """

    name = "bfs"
    has_levels = True
    has_queue = True
    keeps_stack = False
    finds_shortest_traces = True


@dataclass(frozen=True, kw_only=True)
class DepthFirst(Order):
    """Strictly depth-first: a successor is entered when its event is fired, not before.

    Example:
        >>> import scrimp
        >>> scrimp.explore("models/peterson.dve", order="dfs").method.order
        DepthFirst()
    """

    name = "dfs"
    has_levels = False
    has_queue = False
    keeps_stack = True
    finds_shortest_traces = False
