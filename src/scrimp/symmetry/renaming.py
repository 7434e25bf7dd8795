"""Renamings: processes, variables, elements of arrays, channels and values that change places, and what becomes of
expressions, statements and transitions then."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from scrimp.symmetry.sorts import NUMBER, Sorts, Term, term_of
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
    Unary,
)
from scrimp.system.statements import Assert, Assign, Clear, Dequeue, Enqueue, If, Place, Statement
from scrimp.system.swaps import Cell
from scrimp.system.system import Transition


@dataclass
class Renaming:
    """Maps that are their own inverses; whatever they do not mention stays. Elements of arrays whose index is always a
    constant are renamed one by one (`cells`); those of other arrays as the values of the index are. `values` has a map
    for each sort, named by the term that stands for it."""

    sorts: Sorts
    processes: dict[int, int] = field(default_factory=dict)
    variables: dict[int, int] = field(default_factory=dict)
    cells: dict[Cell, Cell] = field(default_factory=dict)
    channels: dict[int, int] = field(default_factory=dict)
    values: dict[Term, dict[int, int]] = field(default_factory=dict)

    def value(self, term: Term | None, value: int) -> int:
        """What a value of the sort of a term becomes."""
        return value if term is None else self.values.get(self.sorts.of(term), {}).get(value, value)

    def cell(self, variable: int, element: int) -> Cell:
        """What an element of an array becomes."""
        if variable in self.sorts.dynamic:
            return self.variables.get(variable, variable), self.value(("i", variable, 0), element)
        return self.cells.get((variable, element), (self.variables.get(variable, variable), element))

    def transition(self, transition: Transition) -> Transition:
        moves = (replace(move, process=self.processes.get(move.process, move.process)) for move in transition.moves)
        holder = transition.holder
        return replace(
            transition,
            moves=tuple(moves),
            guard=self.expression(transition.guard, NUMBER),
            effect=self.statements(transition.effect),
            holder=None if holder is None else self.processes.get(holder, holder),
        )

    def expression(self, expression: Expression, term: Term | None = NUMBER) -> Expression:
        """An expression after renaming; `term` is of its sort, if it is a constant."""
        match expression:
            case Constant(value):
                return Constant(self.value(term, value))
            case Read(variable, None):
                return Read(self.variables.get(variable, variable))
            case Read(variable, index) if index is not None:
                return Read(*self._element(variable, index))
            case At(process, location):
                return At(self.processes.get(process, process), location)
            case Length(channel):
                return Length(self.channels.get(channel, channel))
            case Message(channel, number, position):
                return Message(self.channels.get(channel, channel), number, self.expression(position))
            case Find(channel, pattern):
                wanted = (
                    None if part is None else self.expression(part, ("m", channel, number))
                    for number, part in enumerate(pattern)
                )
                return Find(self.channels.get(channel, channel), tuple(wanted))
            case Unary(operator, operand):
                return Unary(operator, self.expression(operand))
            case Binary("==" | "!=" as operator, left, right):
                both = term_of(left) or term_of(right)
                return Binary(operator, self.expression(left, both), self.expression(right, both))
            case Binary(operator, left, right):
                return Binary(operator, self.expression(left), self.expression(right))
            case Conditional(test, then, otherwise):
                both = term_of(expression) or term
                return Conditional(self.expression(test), self.expression(then, both), self.expression(otherwise, both))
            case _:
                return expression

    def _element(self, variable: int, index: Expression) -> tuple[int, Expression]:
        if variable in self.sorts.dynamic:
            return self.variables.get(variable, variable), self.expression(index, ("i", variable, 0))
        assert isinstance(index, Constant)
        other, element = self.cell(variable, index.value)
        return other, Constant(element)

    def _place(self, place: Place) -> Place:
        if place.index is None:
            return Place(self.variables.get(place.variable, place.variable))
        return Place(*self._element(place.variable, place.index))

    def statements(self, statements: Iterable[Statement]) -> tuple[Statement, ...]:
        return tuple(map(self._statement, statements))

    def _statement(self, statement: Statement) -> Statement:
        match statement:
            case Assign(place, value):
                return Assign(self._place(place), self.expression(value, ("v", place.variable, 0)))
            case Enqueue(channel, values):
                sent = (self.expression(value, ("m", channel, number)) for number, value in enumerate(values))
                return replace(statement, channel=self.channels.get(channel, channel), values=tuple(sent))
            case Dequeue(channel, places, position):
                targets = tuple(None if place is None else self._place(place) for place in places)
                return Dequeue(self.channels.get(channel, channel), targets, self.expression(position))
            case Clear(channel):
                return Clear(self.channels.get(channel, channel))
            case If(test, then, otherwise):
                return If(self.expression(test), self.statements(then), self.statements(otherwise))
            case Assert(test):
                return replace(statement, test=self.expression(test))
            case _:
                return statement
