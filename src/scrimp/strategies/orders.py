"""In which order states are visited."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from scrimp.strategies.strategy import Strategy


@dataclass(frozen=True, kw_only=True)
class Order(Strategy):
    """In which order states are visited."""

    role = "order"
    holds_its_path: ClassVar[bool]
    finds_shortest_traces: ClassVar[bool]


@dataclass(frozen=True, kw_only=True)
class BreadthFirst(Order):
    """Level by level: traces are as short as they can be."""

    name = "bfs"
    holds_its_path = False
    finds_shortest_traces = True


@dataclass(frozen=True, kw_only=True)
class DepthFirst(Order):
    """Strictly depth-first: a successor is entered when its event is taken, not before."""

    name = "dfs"
    holds_its_path = True
    finds_shortest_traces = False
