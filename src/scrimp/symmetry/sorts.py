"""Sorts: which variables, messages and indices share values that are only copied and compared for equality.

As with Murphi's scalarsets (Ip and Dill, Better verification through symmetry, 1993), except that sorts are inferred:

  1. Every variable, every field of messages and the index of every array has a sort.
  2. What is assigned to one another, compared with `==` or `!=`, or used as an index, is of one sort.
  3. A value that is computed, or computed with, ordered, used as a truth value or as a position in a channel, is a
     number; so is everything of its sort. So is a value that might wrap around when it is assigned.

Values of a sort that is not a number can be exchanged: every expression of that sort then has the other value, and all
other expressions have the same value as before.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

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
    Timeout,
    Unary,
    Undefined,
)
from scrimp.system.statements import Assert, Assign, Dequeue, Enqueue, If, Place, Statement
from scrimp.system.system import System
from scrimp.system.traverse import substatements
from scrimp.system.types import Range

Term: TypeAlias = tuple[str, int, int]
"""Something that has a sort: ("v", variable, 0), ("m", channel, field) or ("i", array, 0), its index."""
NUMBER: Term = ("n", 0, 0)


def term_of(expression: Expression) -> Term | None:
    """Something of the same sort as an expression; None if it is a constant, which is of any sort."""
    match expression:
        case Read(variable):
            return ("v", variable, 0)
        case Message(channel, field):
            return ("m", channel, field)
        case Constant() | Undefined():
            return None
        case Conditional(_, then, otherwise):
            return term_of(then) or term_of(otherwise)
        case _:
            return NUMBER


class Sorts:
    """The sorts of a system, and of some other expressions over its states."""

    def __init__(self, system: System, others: Sequence[Expression] = ()) -> None:
        self.system = system
        self.dynamic: set[int] = set()
        """The arrays with an index that is not a constant."""
        self._leaders: dict[Term, Term] = {}
        for transition in system.transitions:
            self._truth(transition.guard)
            for statement in substatements(transition.effect):
                self._statement(statement)
        for test in (*others, *self._conditions()):
            self._truth(test)

    def _conditions(self) -> Iterable[Expression]:
        system = self.system
        yield from (test for test in (system.committed, system.valid_end) if test is not None)
        yield from (test for _, test in system.offers)

    def of(self, term: Term) -> Term:
        """What stands for the sort of a term."""
        leader = self._leaders.get(term, term)
        if leader != term:
            leader = self._leaders[term] = self.of(leader)
        return leader

    def is_number(self, term: Term) -> bool:
        return self.of(term) == self.of(NUMBER)

    def type_of(self, term: Term) -> Range | None:
        """The values of a variable or a field of messages; None for an index."""
        kind, number, field = term
        if kind == "v":
            return self.system.variables[number].type
        return self.system.channels[number].fields[field] if kind == "m" else None

    def _unite(self, a: Term | None, b: Term | None) -> None:
        if a is not None and b is not None:
            self._leaders[self.of(a)] = self.of(b)

    def _number(self, expression: Expression) -> None:
        """An expression whose value is a number."""
        self._visit(expression)
        self._unite(term_of(expression), NUMBER)

    _truth = _number

    def _visit(self, expression: Expression) -> None:
        """The parts of an expression."""
        match expression:
            case Read(variable, index) if index is not None:
                self._index(variable, index)
            case Message(_, _, position):
                self._number(position)
            case Find(channel, pattern):
                for field, wanted in enumerate(pattern):
                    if wanted is not None:
                        self._visit(wanted)
                        self._unite(term_of(wanted), ("m", channel, field))
            case Unary(_, operand):
                self._number(operand)
            case Binary("==" | "!=", left, right):
                self._visit(left)
                self._visit(right)
                self._unite(term_of(left), term_of(right))
            case Binary(_, left, right):
                self._number(left)
                self._number(right)
            case Conditional(test, then, otherwise):
                self._truth(test)
                self._visit(then)
                self._visit(otherwise)
                self._unite(term_of(then), term_of(otherwise))
            case Read() | Constant() | At() | Length() | Timeout() | Undefined():
                pass

    def _index(self, variable: int, index: Expression) -> None:
        self._visit(index)
        self._unite(term_of(index), ("i", variable, 0))
        if not isinstance(index, Constant):
            self.dynamic.add(variable)

    def _statement(self, statement: Statement) -> None:
        match statement:
            case Assign(place, value):
                self._visit(value)
                self._give(self._place(place), value)
            case Enqueue(channel, values, is_sorted):
                for field, value in enumerate(values):
                    self._visit(value)
                    self._give(("m", channel, field), value)
                    if is_sorted:
                        self._unite(("m", channel, field), NUMBER)
            case Dequeue(channel, places, position):
                self._number(position)
                for field, target in enumerate(places):
                    if target is not None:
                        self._pass(self._place(target), ("m", channel, field))
            case If(test) | Assert(test):
                self._truth(test)

    def _place(self, place: Place) -> Term:
        if place.index is not None:
            self._index(place.variable, place.index)
        return ("v", place.variable, 0)

    def _give(self, target: Term, value: Expression) -> None:
        """A value is assigned to a term."""
        match value:
            case Constant(number):
                type_ = self.type_of(target)
                if type_ is not None and type_.wraps and not type_.contains(number):
                    self._unite(target, NUMBER)
            case Conditional(_, then, otherwise):
                self._give(target, then)
                self._give(target, otherwise)
            case _:
                source = term_of(value)
                if source is not None:
                    self._pass(target, source)

    def _pass(self, target: Term, source: Term) -> None:
        """The value of a term is assigned to another one."""
        self._unite(target, source)
        wide, narrow = self.type_of(source), self.type_of(target)
        fits = wide is None or narrow is None or (narrow.contains(wide.low) and narrow.contains(wide.high))
        if narrow is not None and narrow.wraps and not fits:
            self._unite(target, NUMBER)
