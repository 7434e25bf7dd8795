"""Propagation: inside an effect, a local variable is replaced by what was assigned to it, as long as that is the same.

Most variables of actions and most temporary ones are then no longer read, so that liveness removes them, and the state
needs no room for those that are gone.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import TypeAlias

from scrimp.frontends.python.algebra import Algebra, negated, replaced, size
from scrimp.frontends.python.graph import Graph
from scrimp.system.expressions import Constant, Expression, Find, Length, Message, Read
from scrimp.system.statements import Assert, Assign, Clear, Dequeue, Enqueue, If, Place, Statement
from scrimp.system.traverse import subexpressions

_LARGEST = 12

Known: TypeAlias = dict[Expression, Expression]
"""What reads of local variables are worth now."""


def propagate(graph: Graph, local: Collection[int]) -> None:
    """Rewrite the effects of a process whose local variables are `local`."""
    variables = frozenset(local)
    graph.edges = [replace(edge, effect=_rewritten(graph.algebra, edge.effect, variables, {})) for edge in graph.edges]


def _rewritten(
    algebra: Algebra, effect: Iterable[Statement], local: frozenset[int], known: Known
) -> tuple[Statement, ...]:
    """The effect with known values in place of variables; `known` becomes what is known after it."""
    kept: list[Statement] = []
    for statement in effect:
        match statement:
            case Assign(place, value):
                value = _with(value, known)
                place = _placed(place, known)
                kept.append(Assign(place, value))
                _forget_variable(known, place.variable)
                is_local = place.variable in local and place.index is None
                if is_local and not algebra.may_fault(value) and size(value) <= _LARGEST:
                    read = Read(place.variable)
                    if read not in subexpressions(value):
                        known[read] = value
            case Enqueue(channel, values, is_sorted):
                kept.append(Enqueue(channel, tuple(_with(each, known) for each in values), is_sorted))
                _forget_channel(known, channel)
            case Dequeue(channel, places, position):
                targets = tuple(None if each is None else _placed(each, known) for each in places)
                kept.append(Dequeue(channel, targets, _with(position, known)))
                _forget_channel(known, channel)
                for target in filter(None, targets):
                    _forget_variable(known, target.variable)
            case If(test, then, otherwise):
                kept += _branched(algebra, If(_with(test, known), then, otherwise), local, known)
            case Assert(test):
                kept.append(replace(statement, test=_with(test, known)))
            case _:
                kept.append(statement)
                if isinstance(statement, Clear):
                    _forget_channel(known, statement.channel)
    return tuple(kept)


def _branched(algebra: Algebra, statement: If, local: frozenset[int], known: Known) -> tuple[Statement, ...]:
    """Both branches; what both leave known stays known. A test that is known leaves one branch."""
    if isinstance(statement.test, Constant):
        return _rewritten(algebra, statement.then if statement.test.value else statement.otherwise, local, known)
    one, other = dict(known), dict(known)
    then = _rewritten(algebra, statement.then, local, one)
    otherwise = _rewritten(algebra, statement.otherwise, local, other)
    known.clear()
    known.update({read: value for read, value in one.items() if other.get(read) == value})
    if not then and otherwise:
        return (If(negated(statement.test), otherwise),)
    return (If(statement.test, then, otherwise),)


def _with(expression: Expression, known: Known) -> Expression:
    return replaced(expression, known) if known else expression


def _placed(place: Place, known: Known) -> Place:
    return place if place.index is None else Place(place.variable, _with(place.index, known))


def _forget_variable(known: Known, variable: int) -> None:
    for read, value in list(known.items()):
        reads = (part for each in (read, value) for part in subexpressions(each) if isinstance(part, Read))
        if any(part.variable == variable for part in reads):
            del known[read]


def _forget_channel(known: Known, channel: int) -> None:
    for read, value in list(known.items()):
        parts = (part for part in subexpressions(value) if isinstance(part, Length | Message | Find))
        if any(part.channel == channel for part in parts):
            del known[read]


def renumbered(graph: Graph, numbers: dict[int, int]) -> None:
    """Give local variables other numbers, in all edges."""
    leaves: Known = {Read(old): Read(new) for old, new in numbers.items()}
    graph.edges = [
        replace(edge, guard=_with(edge.guard, leaves), effect=_renamed(edge.effect, numbers, leaves))
        for edge in graph.edges
    ]


def _renamed(effect: Iterable[Statement], numbers: dict[int, int], leaves: Known) -> tuple[Statement, ...]:
    kept: list[Statement] = []
    for statement in effect:
        match statement:
            case Assign(place, value):
                target = Place(numbers.get(place.variable, place.variable), _placed(place, leaves).index)
                kept.append(Assign(target, _with(value, leaves)))
            case Enqueue(channel, values, is_sorted):
                kept.append(Enqueue(channel, tuple(_with(each, leaves) for each in values), is_sorted))
            case If(test, then, otherwise):
                branches = (_renamed(then, numbers, leaves), _renamed(otherwise, numbers, leaves))
                kept.append(If(_with(test, leaves), *branches))
            case Assert(test):
                kept.append(replace(statement, test=_with(test, leaves)))
            case Dequeue(channel, places, position):
                assert not any(places), "items are read before they are removed"
                kept.append(Dequeue(channel, places, _with(position, leaves)))
            case _:
                kept.append(statement)
    return tuple(kept)
