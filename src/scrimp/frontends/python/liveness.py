"""Live variables: a local variable that is not read again is reset to 0, so that its value distinguishes no states, and
assignments to it disappear."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from scrimp.frontends.python.algebra import Algebra
from scrimp.frontends.python.graph import Edge, Graph
from scrimp.system.expressions import Constant, Expression, Read
from scrimp.system.statements import Assign, Dequeue, If, Place, Statement
from scrimp.system.traverse import assigned, evaluated, subexpressions, substatements


def reset_dead_variables(graph: Graph, local: Collection[int]) -> None:
    """Rewrite the edges of a process whose local variables are `local`."""
    live = _live_places(graph, frozenset(local))
    graph.edges = [_rewritten(graph.algebra, edge, live, frozenset(local)) for edge in graph.edges]


def _live_places(graph: Graph, local: frozenset[int]) -> dict[int, frozenset[int]]:
    """The local variables that may be read after each place, before they are written."""
    live: dict[int, frozenset[int]] = {place: frozenset() for place in range(graph.places)}
    entering: dict[int, list[Edge]] = {place: [] for place in range(graph.places)}
    for edge in graph.edges:
        entering[edge.target].append(edge)
    todo = list(graph.edges)
    while todo:
        edge = todo.pop()
        _, before = _swept(graph.algebra, edge.effect, live[edge.target], local)
        found = live[edge.source] | before | _reads(edge.guard, local)
        if found != live[edge.source]:
            live[edge.source] = found
            todo += entering[edge.source]
    return live


def _rewritten(algebra: Algebra, edge: Edge, live: dict[int, frozenset[int]], local: frozenset[int]) -> Edge:
    after = live[edge.target]
    effect, _ = _swept(algebra, edge.effect, after, local)
    written = {place.variable for each in substatements(effect) for place in assigned(each)} & local
    dead = sorted(((written | live[edge.source]) & local) - after)
    return replace(edge, effect=(*effect, *(Assign(Place(variable), Constant(0)) for variable in dead)))


def _swept(
    algebra: Algebra, effect: Iterable[Statement], live: frozenset[int], local: frozenset[int]
) -> tuple[tuple[Statement, ...], frozenset[int]]:
    """An effect without its useless assignments, and the variables that it reads or leaves live."""
    kept: list[Statement] = []
    for statement in reversed(tuple(effect)):
        match statement:
            case Assign(Place(variable, None), value) if variable in local:
                if variable not in live and not algebra.may_fault(value):
                    continue
                live = (live - {variable}) | _reads(value, local)
            case If(test, then, otherwise):
                then, after_then = _swept(algebra, then, live, local)
                otherwise, after_otherwise = _swept(algebra, otherwise, live, local)
                if not then and not otherwise and not algebra.may_fault(test):
                    continue
                statement = If(test, then, otherwise)
                live = after_then | after_otherwise | _reads(test, local)
            case _:
                if isinstance(statement, Dequeue):
                    live -= {place.variable for place in statement.places if place is not None and place.index is None}
                for expression in evaluated(statement):
                    live |= _reads(expression, local)
        kept.append(statement)
    return tuple(reversed(kept)), live


def _reads(expression: Expression, local: frozenset[int]) -> frozenset[int]:
    return frozenset(
        part.variable for part in subexpressions(expression) if isinstance(part, Read) and part.variable in local
    )
