"""Normal forms: two expressions, effects or transitions with the same normal form mean the same.

Operands of commutative operators may come in any order, those of `&&` and `||` only if none of them may fault;
statements of an effect may if neither writes what the other reads or writes, and at most one of them may fault. The
words of a transition, their positions and the texts of assertions do not belong to its meaning.

A normal form is a number, the same for everything that has the same form within one `Normal`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from scrimp.system.access import ChannelPart, expression_reads
from scrimp.system.expressions import (
    MIRRORED,
    Binary,
    Conditional,
    Constant,
    Expression,
    Find,
    Message,
    Read,
    Unary,
    Undefined,
)
from scrimp.system.statements import Assert, Assign, Clear, Dequeue, Enqueue, If, Outgrow, Place, Statement
from scrimp.system.system import System, Transition
from scrimp.system.traverse import assigned, evaluated_in, subexpressions, substatements

Form: TypeAlias = int
Part: TypeAlias = tuple[object, ...]
"""A channel, or an element of a variable."""

COMMUTATIVE = frozenset({"+", "*", "&", "|", "^"})
LAZY = frozenset({"&&", "||"})


class Normal:
    def __init__(self, system: System) -> None:
        self.system = system
        self._forms: dict[tuple[object, ...], Form] = {}

    def _form(self, *parts: object) -> Form:
        return self._forms.setdefault(parts, len(self._forms))

    def transition(self, transition: Transition) -> Form:
        first, *others = ((move.process, move.source, move.target) for move in transition.moves)
        return self._form(
            "transition",
            first,
            tuple(sorted(others)),
            self.expression(transition.guard),
            self.effect(transition.effect),
            transition.urgent,
            transition.holder,
            transition.steps,
        )

    def expression(self, expression: Expression | None) -> Form:
        match expression:
            case Read(variable, index):
                return self._form("read", variable, self.expression(index))
            case Message(channel, field, position):
                return self._form("message", channel, field, self.expression(position))
            case Find(channel, pattern):
                return self._form("find", channel, tuple(map(self.expression, pattern)))
            case Unary(operator, operand):
                return self._form("unary", operator, self.expression(operand))
            case Binary(operator, left, right) if operator in COMMUTATIVE | LAZY:
                return self._joined(operator, expression)
            case Binary("==" | "!=" as operator, left, right):
                return self._form(operator, *sorted((self.expression(left), self.expression(right))))
            case Binary(">" | ">=" as operator, left, right):
                return self._form(MIRRORED[operator], self.expression(right), self.expression(left))
            case Binary(operator, left, right):
                return self._form(operator, self.expression(left), self.expression(right))
            case Conditional(test, then, otherwise):
                return self._form("?", *map(self.expression, (test, then, otherwise)))
            case _:
                return self._form("as it is", expression)

    def _joined(self, operator: str, expression: Expression) -> Form:
        parts = list(operands(operator, expression))
        forms = [self.expression(part) for part in parts]
        if operator in COMMUTATIVE or not any(map(self.may_fault, parts)):
            forms.sort()
        return self._form(operator, tuple(forms))

    def may_fault(self, expression: Expression) -> bool:
        """Whether evaluating an expression may fault in some state, reachable or not."""
        return any(map(self._may_fault_itself, subexpressions(expression)))

    def _may_fault_itself(self, expression: Expression) -> bool:
        match expression:
            case Read(variable, index) if index is not None:
                return not self._is_inside(index, self.system.variables[variable].length or 1)
            case Message() | Undefined():
                return True
            case Binary("/" | "%", _, right):
                return not isinstance(right, Constant) or right.value in (0, -1)
        return False

    def _is_inside(self, index: Expression, length: int) -> bool:
        match index:
            case Constant(value):
                return 0 <= value < length
            case Read(variable):
                type_ = self.system.variables[variable].type
                return type_.low >= 0 and type_.high < length
        return False

    def effect(self, statements: Iterable[Statement]) -> tuple[Form, ...]:
        """The statements in an order that depends only on which of them may change places."""
        statements = list(statements)
        if len(statements) < 2:
            return tuple(map(self._statement, statements))
        left = [(self._statement(statement), self._access(statement)) for statement in statements]
        forms = []
        while left:
            first = min(
                (form, number)
                for number, (form, access) in enumerate(left)
                if not any(access.meets(before) for _, before in left[:number])
            )
            forms.append(first[0])
            del left[first[1]]
        return tuple(forms)

    def _statement(self, statement: Statement) -> Form:
        match statement:
            case Assign(place, value):
                return self._form("assign", self._place(place), self.expression(value))
            case Enqueue(channel, values, is_sorted):
                return self._form("enqueue", channel, tuple(map(self.expression, values)), is_sorted)
            case Dequeue(channel, places, position):
                return self._form("dequeue", channel, tuple(map(self._place, places)), self.expression(position))
            case Clear(channel):
                return self._form("clear", channel)
            case If(test, then, otherwise):
                return self._form("if", self.expression(test), self.effect(then), self.effect(otherwise))
            case Assert(test, _, fatal, kind):
                return self._form("assert", self.expression(test), fatal, kind)
            case Outgrow(need):
                return self._form("outgrow", need)

    def _place(self, place: Place | None) -> Form:
        if place is None:
            return self._form("no place")
        return self._form("place", place.variable, self.expression(place.index))

    def _access(self, statement: Statement) -> _Access:
        reads, writes = set[Part](), set[Part]()
        for expression in evaluated_in([statement]):
            for cell in expression_reads(self.system, expression):
                reads.add(("channel", cell.channel) if isinstance(cell, ChannelPart) else ("cell", cell))
        for each in substatements([statement]):
            if isinstance(each, Enqueue | Dequeue | Clear):
                writes.add(("channel", each.channel))
            for place in assigned(each):
                read = expression_reads(self.system, Read(place.variable, place.index))
                writes.update(("cell", cell) for cell in read)
        may_fault = any(map(self._may_fail, substatements([statement])))
        return _Access(reads, writes, may_fault)

    def _may_fail(self, statement: Statement) -> bool:
        if isinstance(statement, Assert | Outgrow | Enqueue | Dequeue):
            return True
        if any(map(self.may_fault, evaluated_in([statement]))):
            return True
        for place in assigned(statement):
            if place.index is not None and self.may_fault(Read(place.variable, place.index)):
                return True
        return isinstance(statement, Assign) and not self._surely_fits(statement)

    def _surely_fits(self, statement: Assign) -> bool:
        type_ = self.system.variables[statement.place.variable].type
        value = statement.value
        return type_.wraps or (isinstance(value, Constant) and type_.contains(value.value))


class _Access:
    """What a statement reads and writes, and whether it may fail."""

    def __init__(self, reads: set[Part], writes: set[Part], may_fail: bool) -> None:
        self.reads, self.writes, self.may_fail = reads, writes, may_fail

    def meets(self, other: _Access) -> bool:
        """Whether two statements may not change places."""
        return (
            (self.may_fail and other.may_fail)
            or not self.writes.isdisjoint(other.reads | other.writes)
            or not other.writes.isdisjoint(self.reads)
        )


def operands(operator: str, expression: Expression) -> Iterable[Expression]:
    """The operands of nested applications of one associative operator, left to right."""
    todo = [expression]
    while todo:
        part = todo.pop()
        if isinstance(part, Binary) and part.operator == operator:
            todo += (part.right, part.left)
        else:
            yield part
