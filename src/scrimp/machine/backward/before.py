"""Expressions over the state before a transition, rewritten as expressions over the state after it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from scrimp.machine.backward.paths import Cell, Path, rebuilt, same_or_apart
from scrimp.machine.backward.work import Impossible
from scrimp.system.expressions import (
    At,
    Binary,
    Conditional,
    Constant,
    Expression,
    Find,
    Length,
    Message,
    Read,
    Undefined,
    conjunction,
)
from scrimp.system.statements import OLDEST
from scrimp.system.system import Transition

_ONE = Constant(1)
_NONE = Constant(-1)


@dataclass(frozen=True, slots=True)
class Head:
    """A field of the message that was received from a channel."""

    channel: int
    field: int


Unknown: TypeAlias = Cell | Head
"""A value that a path overwrites or removes: it is not in the state after."""


class NotKnown(Exception):
    """An expression depends on an unknown whose value is not known yet."""


class Before:
    """The state before a path of a transition, in terms of the state after. `known` maps unknowns to expressions over
    the state after; a caller that adds to it retries the expressions that were not known."""

    def __init__(self, transition: Transition, path: Path) -> None:
        self.path = path
        self.sources = {move.process: move.source for move in transition.moves}
        self.cells: dict[int, list[Cell]] = {}
        for cell in path.written:
            self.cells.setdefault(cell.variable, []).append(cell)
        self._sought: list[Cell] = []

    def unknown(self, expression: Expression) -> Unknown | None:
        """The unknown that an expression over the state before denotes."""
        match expression:
            case Read(variable, index) if Cell(variable, index) in self.path.written:
                return Cell(variable, index)
            case Message(channel, number, position) if channel in self.path.received and position == OLDEST:
                return Head(channel, number)
            case _:
                return None

    def rewritten(self, expression: Expression, known: Mapping[Unknown, Expression]) -> Expression:
        """Raises NotKnown."""
        unknown = self.unknown(expression)
        if unknown is not None:
            return _known(unknown, known)
        match expression:
            case Read(variable, index):
                return self._read(variable, index, known)
            case At(process, location) if process in self.sources:
                return Constant(int(self.sources[process] == location))
            case Length(channel):
                return self._length(channel)
        parts = rebuilt(expression, lambda part: self.rewritten(part, known))
        match parts:
            case Message():
                return self._message(parts, known)
            case Find():
                return self._find(parts, known)
            case _:
                return parts

    def _read(self, variable: int, index: Expression | None, known: Mapping[Unknown, Expression]) -> Expression:
        if index is None:
            return Read(variable)
        element = self.rewritten(index, known)
        result: Expression = Read(variable, element)
        for cell in self.cells.get(variable, ()):
            if same_or_apart(index, cell.index) is None:
                here = Binary("==", element, self.index(cell, known))
                result = Conditional(here, _known(cell, known), result)
        return result

    def index(self, cell: Cell, known: Mapping[Unknown, Expression]) -> Expression:
        """The index of a cell in its array. Raises NotKnown."""
        assert cell.index is not None
        if cell in self._sought:
            raise Impossible("which element it writes depends on that element")
        self._sought.append(cell)
        try:
            return self.rewritten(cell.index, known)
        finally:
            self._sought.pop()

    def _length(self, channel: int) -> Expression:
        if channel in self.path.sent:
            return Binary("-", Length(channel), _ONE)
        return Binary("+", Length(channel), _ONE) if channel in self.path.received else Length(channel)

    def _message(self, message: Message, known: Mapping[Unknown, Expression]) -> Expression:
        channel, position = message.channel, message.position
        if channel in self.path.sent:
            older = Binary("<", position, Binary("-", Length(channel), _ONE))
            return Conditional(older, message, Undefined("there was no such message"))
        if channel in self.path.received:
            later = Message(channel, message.field, Binary("-", position, _ONE))
            first = Binary("==", position, OLDEST)
            return Conditional(first, _known(Head(channel, message.field), known), later)
        return message

    def _find(self, find: Find, known: Mapping[Unknown, Expression]) -> Expression:
        channel = find.channel
        if channel in self.path.sent:
            newest = Binary("==", find, Binary("-", Length(channel), _ONE))
            return Conditional(newest, _NONE, find)
        if channel in self.path.received:
            heads = ((Head(channel, number), part) for number, part in enumerate(find.pattern) if part is not None)
            here = conjunction(*(Binary("==", _known(head, known), part) for head, part in heads))
            later = Conditional(Binary("<", find, OLDEST), find, Binary("+", find, _ONE))
            return Conditional(here, OLDEST, later)
        return find


def _known(unknown: Unknown, known: Mapping[Unknown, Expression]) -> Expression:
    try:
        return known[unknown]
    except KeyError:
        raise NotKnown from None
