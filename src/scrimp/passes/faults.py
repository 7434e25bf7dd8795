"""Which expressions and statements may fault, by the intervals that their values never leave (machine/bounds.py)."""

from __future__ import annotations

from collections.abc import Sequence

from scrimp.machine.bounds import Bounds, analyse, scalars
from scrimp.machine.boxes import Box, evaluate, refine, truth
from scrimp.machine.intervals import YES, Interval, contains, into_type
from scrimp.machine.nesting import deep_recursion
from scrimp.system.expressions import (
    Binary,
    Conditional,
    Expression,
    Find,
    Message,
    Read,
    Unary,
    Undefined,
)
from scrimp.system.statements import Assert, Assign, Clear, Dequeue, Enqueue, If, Place, Statement
from scrimp.system.system import System, Transition
from scrimp.system.types import INT, Range


class Faults:
    """Answers for one system."""

    def __init__(self, system: System) -> None:
        self.system = system
        self.bounds: Bounds = analyse(system)
        self._scalars = scalars(system)
        self._lengths = [(0, channel.capacity) for channel in system.channels]
        self._messages = {
            ("m", channel, number): interval
            for channel, fields in enumerate(self.bounds.messages)
            for number, interval in enumerate(fields)
        }

    def anywhere(self) -> Box:
        """What holds in every state."""
        return Box(self.bounds.variables, self._lengths, self._messages, self._scalars)

    def after_guard(self, transition: Transition) -> Box:
        """What holds before the effect of a transition."""
        box = self.anywhere()
        refine(box, transition.guard, True)
        return box

    def may_fault(self, transition: Transition) -> bool:
        """Whether firing a transition may be a violation that leads to no state."""
        with deep_recursion():
            box = self.anywhere()
            if self.in_expression(transition.guard, box):
                return True
            refine(box, transition.guard, True)
            return self.in_statements(transition.effect, box)

    def in_expression(self, expression: Expression, box: Box) -> bool:
        """Whether evaluating an expression may fault."""
        match expression:
            case Read(variable, index) if index is not None:
                inside = (0, len(self.system.variables[variable].initial) - 1)
                return self.in_expression(index, box) or not contains(inside, evaluate(index, box))
            case Message(channel, _, position):
                return self.in_expression(position, box) or not self._has_message(channel, position, box)
            case Find(_, pattern):
                return any(self.in_expression(wanted, box) for wanted in pattern if wanted is not None)
            case Undefined():
                return True
            case Unary(_, operand):
                return self.in_expression(operand, box)
            case Binary("&&" | "||" as operator, left, right):
                return self.in_expression(left, box) or self.in_expression(
                    right, self._where(left, operator == "&&", box)
                )
            case Binary(operator, left, right):
                if self.in_expression(left, box) or self.in_expression(right, box):
                    return True
                return operator in ("/", "%") and not _divides(evaluate(left, box), evaluate(right, box))
            case Conditional(test, then, otherwise):
                return (
                    self.in_expression(test, box)
                    or self.in_expression(then, self._where(test, True, box))
                    or self.in_expression(otherwise, self._where(test, False, box))
                )
        return False

    def in_statements(self, statements: Sequence[Statement], box: Box) -> bool:
        """Whether executing statements may fault; the box is then that after them."""
        found = [self.in_statement(statement, box) for statement in statements]
        return any(found)

    def in_statement(self, statement: Statement, box: Box) -> bool:
        """Whether executing a statement may fault; the box is then that after it."""
        match statement:
            case Assign(place, value):
                faults = self.in_expression(value, box)
                faults |= self._in_assignment(place, evaluate(value, box), box)
            case Enqueue(channel, values):
                faults = any(self.in_expression(value, box) for value in values)
                faults |= box.length(channel)[1] >= self.system.channels[channel].capacity
                types = self.system.channels[channel].fields
                faults |= any(
                    not _fits(type_, evaluate(value, box)) for type_, value in zip(types, values, strict=True)
                )
                box.local_lengths.pop(channel, None)
            case Dequeue(channel, places, position):
                faults = self.in_expression(position, box) or not self._has_message(channel, position, box)
                box.local_lengths.pop(channel, None)
                for number, target in enumerate(places):
                    if target is not None:
                        interval = self._messages.get(("m", channel, number), (INT.low, INT.high))
                        faults |= self._in_assignment(target, interval, box)
            case Clear(channel):
                faults = False
                box.local_lengths[channel] = (0, 0)
            case If(test, then, otherwise):
                return self._in_branches(test, then, otherwise, box)
            case Assert(test, _, fatal):
                faults = self.in_expression(test, box) or (fatal and truth(test, box) != YES)
                if fatal:
                    refine(box, test, True)
                return faults
            case _:
                return False
        box.found.clear()
        return faults

    def _in_branches(
        self, test: Expression, then: Sequence[Statement], otherwise: Sequence[Statement], box: Box
    ) -> bool:
        ends = box.fork(), box.fork()
        self.assume(test, *ends)
        faults = self.in_expression(test, box)
        faults |= self.in_statements(then, ends[0]) | self.in_statements(otherwise, ends[1])
        join_branches(box, *ends)
        return faults

    def _in_assignment(self, place: Place, interval: Interval, box: Box) -> bool:
        faults = place.index is not None and self.in_expression(Read(place.variable, place.index), box)
        type_ = self.system.variables[place.variable].type
        if place.variable in self._scalars:
            box.local[place.variable] = into_type(interval, type_)
        return faults or not _fits(type_, interval)

    def _has_message(self, channel: int, position: Expression, box: Box) -> bool:
        return contains((0, box.length(channel)[0] - 1), evaluate(position, box))

    @staticmethod
    def assume(test: Expression, then: Box, otherwise: Box) -> None:
        """Narrow the boxes of two branches to what a test implies in them."""
        refine(then, test, True)
        refine(otherwise, test, False)

    @staticmethod
    def _where(test: Expression, wanted: bool, box: Box) -> Box:
        there = box.fork()
        refine(there, test, wanted)
        return there


def join_branches(box: Box, then: Box, otherwise: Box) -> None:
    """Let a box be the one after either of two branches."""
    then.absorb(otherwise)
    box.local, box.local_lengths, box.found = then.local, then.local_lengths, then.found


def _fits(type_: Range, interval: Interval) -> bool:
    return type_.wraps or contains((type_.low, type_.high), interval)


def _divides(dividend: Interval, divisor: Interval) -> bool:
    """Whether a division certainly has a result."""
    by_zero = divisor[0] <= 0 <= divisor[1]
    overflows = dividend[0] == INT.low and divisor[0] <= -1 <= divisor[1]
    return not (by_zero or overflows)
