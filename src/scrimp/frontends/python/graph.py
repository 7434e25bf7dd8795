"""The graph of a process: steps between the places at which it waits.

Statements first become edges one by one, through places that are passed within a step. Then as many of these places as
possible disappear: chains are joined, branches that meet again become one effect, and tests are moved to the beginning
of the step. What remains becomes the transient states of the system. The edges that leave a place keep their order,
which is that of the options of `choose`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from scrimp.frontends.python.algebra import (
    Algebra,
    comparison,
    conditional,
    conjoined,
    forced,
    negated,
    replaced,
    size,
)
from scrimp.system.expressions import FALSE, TRUE, Binary, Constant, Expression, Find, Length, Message, Read
from scrimp.system.statements import Assert, Assign, Clear, Dequeue, Enqueue, If, Statement
from scrimp.system.system import Kind, Position
from scrimp.system.traverse import evaluated_in, subexpressions, substatements

MOST_EDGES = 20_000
_MOST_NESTED = 40
_LARGEST_GUARD = 400
_LARGEST_REQUIRED = 20_000
_LARGEST_COPY = 60
_MOST_COPIES = 64


@dataclass(frozen=True)
class Edge:
    """A part of a step. A guard that is `required`, by a statement at that position, must hold for the whole step to be
    possible: it cannot stay inside it."""

    source: int
    target: int
    guard: Expression
    effect: tuple[Statement, ...]
    text: str
    position: Position
    kind: Kind = Kind.OTHER
    required: Position | None = None


@dataclass
class Graph:
    """Edges between places; a process may wait at those that are `waiting`, and passes through the others."""

    algebra: Algebra
    edges: list[Edge] = field(default_factory=list)
    waiting: dict[int, str] = field(default_factory=dict)
    places: int = 0

    def add_place(self, waiting: str | None = None) -> int:
        self.places += 1
        if waiting is not None:
            self.waiting[self.places - 1] = waiting
        return self.places - 1

    def simplify(self) -> None:
        """Remove the places inside steps that can be removed."""
        while self._join_chains() or self._join_branches() or self._split():
            pass
        self.edges = [edge for edge in self.edges if edge.guard != FALSE or edge.source not in self.waiting]
        self._drop_unreachable()

    def _leaving(self) -> dict[int, list[Edge]]:
        found: dict[int, list[Edge]] = defaultdict(list)
        for edge in self.edges:
            found[edge.source].append(edge)
        return found

    def _entering(self) -> dict[int, list[Edge]]:
        found: dict[int, list[Edge]] = defaultdict(list)
        for edge in self.edges:
            found[edge.target].append(edge)
        return found

    def _drop_unreachable(self) -> None:
        leaving = self._leaving()
        seen = {0}
        todo = [0]
        while todo:
            for edge in leaving.get(todo.pop(), ()):
                if edge.target not in seen:
                    seen.add(edge.target)
                    todo.append(edge.target)
        self.edges = [edge for edge in self.edges if edge.source in seen]

    def _join_chains(self) -> bool:
        """Join an edge with those before it, if it always follows them."""
        self._drop_unreachable()
        leaving, entering = self._leaving(), self._entering()
        changed = False
        for place in list(leaving):
            edges = leaving[place]
            if place in self.waiting or len(edges) != 1 or edges[0].guard != TRUE or edges[0].target == place:
                continue
            (edge,) = edges
            before = entering[place]
            if len(before) > 1 and statements_in(edge.effect) * len(before) > _LARGEST_COPY:
                continue
            del leaving[place]
            _remove(entering[edge.target], edge)
            for first in before:
                joined = joined_edges(first, edge, TRUE)
                siblings = leaving[first.source]
                siblings[_place_of(siblings, first)] = joined
                entering[joined.target].append(joined)
            del entering[place]
            changed = True
        self.edges = [edge for edges in leaving.values() for edge in edges]
        return changed

    def _join_branches(self) -> bool:
        """Two branches of a test that lead to the same place become one effect."""
        leaving = self._leaving()
        changed = False
        for place, edges in leaving.items():
            if place in self.waiting or len(edges) != 2:
                continue
            one, other = edges
            same = one.target == other.target and not (one.required or other.required)
            if not same or one.guard == TRUE or other.guard != negated(one.guard):
                continue
            if nesting(one.effect) >= _MOST_NESTED or nesting(other.effect) >= _MOST_NESTED:
                continue
            effect: tuple[Statement, ...] = (If(one.guard, one.effect, other.effect),)
            if not one.effect and not other.effect:
                effect = ()
            leaving[place] = [replace(one, guard=TRUE, effect=effect)]
            changed = True
        self.edges = [edge for edges in leaving.values() for edge in edges]
        return changed

    def _split(self) -> bool:
        """Move the tests and choices at a place inside a step to the beginning of the edges before it."""
        leaving, entering = self._leaving(), self._entering()
        for place, following in leaving.items():
            before = entering[place]
            if place in self.waiting or not following or any(edge.target == place for edge in following):
                continue
            if len(before) * len(following) > _MOST_COPIES or len(self.edges) > MOST_EDGES:
                continue
            joined = list(self._moved(before, following))
            if len(joined) == len(before) * len(following):
                gone = {id(edge) for edge in (*before, *following)}
                step = len(following)
                new = {id(edge): joined[i * step : (i + 1) * step] for i, edge in enumerate(before)}
                self.edges = [
                    each
                    for edge in self.edges
                    for each in (new.get(id(edge), ()) if id(edge) in gone else (edge,))
                    if each.guard != FALSE or each.required
                ]
                return True
        return False

    def _moved(self, before: list[Edge], following: list[Edge]) -> Iterator[Edge]:
        """Each edge before a place joined with each after it; fewer if one of them cannot be."""
        alone = len(following) == 1
        is_choice = any(edge.guard == TRUE for edge in following)
        for first in before:
            filled = set(filled_channels(first.guard))
            if not alone and self.algebra.may_fault(first.guard):
                return
            if not alone and is_choice and self.may_fail(first.effect, filled):
                return
            for edge in following:
                guard = before_effect(first.effect, edge.guard)
                if guard is None or size(guard) > (_LARGEST_REQUIRED if edge.required else _LARGEST_GUARD):
                    return
                if self.algebra.may_fault(guard, filled) and not alone:
                    return
                if alone and edge.required and self.may_fail(first.effect, filled):
                    guard = self._after_faults(first.effect, guard)
                    if guard is None:
                        return
                yield joined_edges(first, edge, guard)

    def _after_faults(self, effect: tuple[Statement, ...], guard: Expression) -> Expression | None:
        """A guard that faults where an effect before it would; None if that cannot be said by a guard."""
        for number, statement in reversed(list(enumerate(effect))):
            if not self.may_fail((statement,), set()):
                continue
            if not isinstance(statement, Assign) or not self.algebra.may_fault(statement.value):
                return None
            value = before_effect(effect[:number], statement.value)
            if value is None or self.may_fail((Assign(statement.place, Constant(0)),), set()):
                return None
            guard = forced(value, guard)
        return guard

    def may_fail(self, effect: Iterable[Statement], filled: set[int]) -> bool:
        """Whether an effect may end in a fault."""
        for statement in substatements(effect):
            match statement:
                case Assert():
                    return True
                case Assign(place, value):
                    type_ = self.algebra.variables[place.variable].type
                    low, high = self.algebra.interval(value)
                    if low < type_.low or high > type_.high:
                        return True
                case Enqueue(channel, values):
                    fields = self.algebra.channels[channel].fields
                    for field_, value in zip(fields, values, strict=True):
                        low, high = self.algebra.interval(value)
                        if low < field_.low or high > field_.high:
                            return True
                case _:
                    pass
        return any(self.algebra.may_fault(expression, filled) for expression in evaluated_in(effect))


def _place_of(edges: list[Edge], edge: Edge) -> int:
    return next(number for number, each in enumerate(edges) if each is edge)


def _remove(edges: list[Edge], edge: Edge) -> None:
    del edges[_place_of(edges, edge)]


def joined_edges(first: Edge, second: Edge, guard: Expression) -> Edge:
    """Two edges, one after the other; `guard` is that of the second, as a test before the first."""
    return Edge(
        first.source,
        second.target,
        first.guard if guard == TRUE else conjoined(first.guard, guard),
        (*first.effect, *second.effect),
        first.text if first.text else second.text,
        first.position if first.text else second.position,
        second.kind if first.kind is Kind.OTHER else first.kind,
        second.required or first.required,
    )


def filled_channels(guard: Expression) -> Iterator[int]:
    """The channels that hold a message if a guard is true."""
    match guard:
        case Binary("&&", left, right):
            yield from filled_channels(left)
            yield from filled_channels(right)
        case Binary(">", Length(channel), Constant(0)):
            yield channel


def nesting(effect: Iterable[Statement]) -> int:
    """How deep the branches of an effect are nested."""
    depth = 0
    for statement in effect:
        if isinstance(statement, If):
            depth = max(depth, 1 + nesting(statement.then), 1 + nesting(statement.otherwise))
    return depth


def statements_in(effect: Iterable[Statement]) -> int:
    return sum(1 for _ in substatements(effect))


def before_effect(effect: tuple[Statement, ...], test: Expression) -> Expression | None:
    """An expression that has the value before an effect that `test` has after it; None if there is none."""
    for statement in reversed(effect):
        found = _before(statement, test)
        if found is None or size(found) > _LARGEST_REQUIRED:
            return None
        test = found
    return test


def _before(statement: Statement, test: Expression) -> Expression | None:
    match statement:
        case Assign(place, value):
            return _assigned(test, place.variable, place.index, value)
        case If(condition, then, otherwise):
            one, other = before_effect(then, test), before_effect(otherwise, test)
            if one is None or other is None:
                return None
            return one if one == other else conditional(condition, one, other)
        case Enqueue(channel):
            return _resized(test, channel, 1)
        case Dequeue(channel, places):
            return _resized(test, channel, -1) if not any(places) else None
        case Clear():
            return None
        case _:
            return test


def _assigned(test: Expression, variable: int, index: Expression | None, value: Expression) -> Expression | None:
    """A test with what it reads of an assigned variable replaced by the assigned value."""
    leaves: dict[Expression, Expression] = {}
    for part in subexpressions(test):
        if not isinstance(part, Read) or part.variable != variable:
            continue
        if index is None or part.index == index:
            leaves[part] = value
        elif isinstance(part.index, Constant) and isinstance(index, Constant):
            continue
        elif part.index is not None and any(isinstance(each, Read) for each in subexpressions(part.index)):
            return None
        elif part.index is not None:
            leaves[part] = conditional(comparison("==", index, part.index), value, part)
    return replaced(test, leaves) if leaves else test


def _resized(test: Expression, channel: int, change: int) -> Expression | None:
    leaves: dict[Expression, Expression] = {}
    for part in subexpressions(test):
        match part:
            case Length(same) if same == channel:
                leaves[part] = Binary("+", part, Constant(change))
            case Message(same) | Find(same) if same == channel:
                return None
    return replaced(test, leaves) if leaves else test
