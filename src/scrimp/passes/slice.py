"""Slicing: variables and message fields that nothing relevant depends on keep their initial values.

Assignments to them are removed, and messages have zeros in such fields; a statement that may fault stays, and its
targets are reset after it. The original states that differ only in irrelevant parts are bisimilar: they have the same
events, which fault alike, and everything that a question looks at is relevant (relevance.py). So events correspond one
to one, and a run of the sliced system is one of the original.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from scrimp.machine.bounds import carry_over_bounds
from scrimp.machine.boxes import Box
from scrimp.machine.nesting import deep_recursion
from scrimp.notes import Note
from scrimp.passes.faults import Faults, join_branches
from scrimp.passes.passed import Pass, Passed, unchanged
from scrimp.passes.relevance import Key, relevant
from scrimp.system.expressions import Constant, Expression
from scrimp.system.statements import Assign, Dequeue, Enqueue, If, Place, Statement
from scrimp.system.system import System
from scrimp.system.traverse import assigned
from scrimp.system.types import Range


@dataclass(frozen=True)
class Slice(Pass):
    """Leave out variables and message fields that the question cannot depend on."""

    name = "slice"
    does = "leaves out variables and fields of messages that the question cannot depend on"
    keeps_values = False

    def apply(self, system: System, seen: Sequence[Expression]) -> Passed:
        faults = Faults(system)
        keys = relevant(system, faults, seen)
        with deep_recursion():
            slicer = _Slicer(system, faults, keys)
            transitions = tuple(
                replace(transition, effect=slicer.sliced(transition.effect, faults.after_guard(transition)))
                for transition in system.transitions
            )
        if transitions == tuple(system.transitions):
            return unchanged(system)
        sliced = replace(system, transitions=transitions)
        carry_over_bounds(sliced, system)
        return replace(unchanged(sliced), notes=tuple(_notes(system, faults, keys)))


def _notes(system: System, faults: Faults, keys: frozenset[Key]) -> Iterator[Note]:
    variables = sum(("v", number, 0) not in keys for number in faults.bounds.assigned)
    fields = [("m", number, field) for number, each in enumerate(system.channels) for field in range(len(each.fields))]
    if variables:
        yield Note(Slice.name, variables, "variables left out")
    if missing := sum(key not in keys for key in fields):
        yield Note(Slice.name, missing, "message fields left out")


@dataclass(frozen=True)
class _Slicer:
    system: System
    faults: Faults
    keys: frozenset[Key]

    def sliced(self, statements: Sequence[Statement], box: Box) -> tuple[Statement, ...]:
        return tuple(part for statement in statements for part in self._statement(statement, box))

    def _statement(self, statement: Statement, box: Box) -> Iterator[Statement]:
        if isinstance(statement, If):
            yield from self._branch(statement, box)
            return
        may_fault = self.faults.in_statement(statement, box)
        match statement:
            case Assign(place, _):
                if may_fault or self._is_relevant(place):
                    yield statement
                if may_fault and not self._is_relevant(place):
                    yield from reset(self.system, place.variable, place.index)
            case Enqueue(channel, values):
                types = self.system.channels[channel].fields
                yield replace(
                    statement,
                    values=tuple(
                        value if ("m", channel, number) in self.keys or may_fault else Constant(least(type_))
                        for number, (value, type_) in enumerate(zip(values, types, strict=True))
                    ),
                )
            case Dequeue(_, places):
                kept = tuple(
                    place if may_fault or place is None or self._is_relevant(place) else None for place in places
                )
                yield replace(statement, places=kept)
                if may_fault:
                    for place in assigned(statement):
                        if not self._is_relevant(place):
                            yield from reset(self.system, place.variable, place.index)
            case _:
                yield statement

    def _branch(self, statement: If, box: Box) -> Iterator[Statement]:
        ends = box.fork(), box.fork()
        self.faults.assume(statement.test, *ends)
        then, otherwise = self.sliced(statement.then, ends[0]), self.sliced(statement.otherwise, ends[1])
        if then or otherwise or self.faults.in_expression(statement.test, box):
            yield If(statement.test, then, otherwise)
        join_branches(box, *ends)

    def _is_relevant(self, place: Place) -> bool:
        return ("v", place.variable, 0) in self.keys


def reset(system: System, variable: int, index: Expression | None = None) -> Iterator[Statement]:
    """Statements that give a variable its initial value; of an array, the element, if its index is constant."""
    declared = system.variables[variable]
    if declared.length is None:
        yield Assign(Place(variable), Constant(declared.initial[0]))
    elif isinstance(index, Constant):
        if 0 <= index.value < declared.length:
            yield Assign(Place(variable, index), Constant(declared.initial[index.value]))
    else:
        for element, value in enumerate(declared.initial):
            yield Assign(Place(variable, Constant(element)), Constant(value))


def least(type_: Range) -> int:
    """The value of a type that is nearest to 0."""
    return max(type_.low, min(0, type_.high))
