"""A guess: what has to change places if two processes do.

The transitions of the two processes with the same moves are compared pairwise, in the order of the system. Wherever one
has a variable, an element, a channel, a process or a constant, and the other has another one in its place, these two
change places. So do initial values of their own variables, if they differ. What comes out is only a guess: proving.py
decides.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from itertools import zip_longest
from typing import TypeVar

from scrimp.symmetry.renaming import Renaming
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
from scrimp.system.system import System, Transition

Thing = TypeVar("Thing", bound=Hashable)


def guess(
    system: System, sorts: Sorts, taking_part: Sequence[Sequence[int]], pairs: Iterable[tuple[int, int]]
) -> Renaming:
    """What has to change places if pairs of processes do. `taking_part` lists the events in which each process
    moves."""
    matching = _Matching(system, sorts, taking_part)
    for first, second in pairs:
        matching.processes(first, second)
        matching.settle()
    return matching.renaming


class _Matching:
    def __init__(self, system: System, sorts: Sorts, taking_part: Sequence[Sequence[int]]) -> None:
        self.system = system
        self.sorts = sorts
        self.taking_part = taking_part
        self.renaming = Renaming(sorts)
        self.waiting: list[tuple[int, int]] = []

    def settle(self) -> None:
        """Compare the processes that change places, and those that turn out to."""
        while self.waiting:
            first, second = self.waiting.pop()
            self._own_variables(first, second)
            own, theirs = (self._by_move(process) for process in (first, second))
            for kind, transitions in own.items():
                for a, b in zip(transitions, theirs.get(kind, ()), strict=False):
                    self._transitions(a, b)
        self._agree()

    def _by_move(self, process: int) -> dict[Hashable, list[Transition]]:
        """The transitions in which a process moves, by what it does there."""
        found: dict[Hashable, list[Transition]] = {}
        for event in self.taking_part[process]:
            transition = self.system.transitions[event]
            for place, move in enumerate(transition.moves):
                if move.process == process:
                    kind = place, move.source, move.target, len(transition.moves), len(transition.effect)
                    found.setdefault(kind, []).append(transition)
        return found

    def _agree(self) -> None:
        """Variables, and fields of messages, that change places have the same values exchanged."""
        terms: list[tuple[Term, Term]] = [(("v", v, 0), ("v", w, 0)) for v, w in self.renaming.variables.items()]
        for a, b in self.renaming.channels.items():
            terms += ((("m", a, field), ("m", b, field)) for field in range(len(self.system.channels[a].fields)))
        values = self.renaming.values
        for _ in range(len(terms)):
            before = sum(map(len, values.values()))
            for one, other in terms:
                for a, b in list(values.get(self.sorts.of(one), {}).items()):
                    self._values(a, b, other)
            if sum(map(len, values.values())) == before:
                break

    def processes(self, first: int, second: int) -> None:
        if first != second and _exchange(self.renaming.processes, first, second):
            self.waiting.append((first, second))

    def _own_variables(self, first: int, second: int) -> None:
        names = {v.name: number for number, v in enumerate(self.system.variables) if v.owner == second}
        for number, variable in enumerate(self.system.variables):
            other = names.get(variable.name) if variable.owner == first else None
            if other is not None:
                self._variables(number, other)
                theirs = self.system.variables[other].initial
                for a, b in zip(variable.initial, theirs, strict=False):
                    self._values(a, b, ("v", number, 0))

    def _variables(self, a: int, b: int) -> None:
        if a != b:
            _exchange(self.renaming.variables, a, b)

    def _channels(self, a: int, b: int) -> None:
        if a != b:
            _exchange(self.renaming.channels, a, b)

    def _values(self, a: int, b: int, term: Term | None) -> None:
        if a != b and term is not None and not self.sorts.is_number(term):
            _exchange(self.renaming.values.setdefault(self.sorts.of(term), {}), a, b)

    def _transitions(self, a: Transition, b: Transition) -> None:
        for one, other in zip(a.moves, b.moves, strict=False):
            self.processes(one.process, other.process)
        self._expressions(a.guard, b.guard, NUMBER)
        self._statements(a.effect, b.effect)

    def _expressions(self, a: Expression | None, b: Expression | None, term: Term | None = NUMBER) -> None:
        match a, b:
            case Constant(one), Constant(other):
                self._values(one, other, term)
            case Read(one, i), Read(other, j):
                self._elements(one, i, other, j)
            case At(one, _), At(other, _):
                self.processes(one, other)
            case Length(one), Length(other):
                self._channels(one, other)
            case Message(one, _, i), Message(other, _, j):
                self._channels(one, other)
                self._expressions(i, j)
            case Find(one, patterns), Find(other, others):
                self._channels(one, other)
                for field, (wanted, theirs) in enumerate(zip(patterns, others, strict=False)):
                    self._expressions(wanted, theirs, ("m", one, field))
            case Unary(_, one_operand), Unary(_, other_operand):
                self._expressions(one_operand, other_operand)
            case Binary(operator, left, right), Binary(_, other_left, other_right):
                both = (term_of(left) or term_of(right)) if operator in ("==", "!=") else NUMBER
                self._expressions(left, other_left, both)
                self._expressions(right, other_right, both)
            case Conditional(test, then, otherwise), Conditional(other_test, other_then, other_otherwise):
                self._expressions(test, other_test)
                self._expressions(then, other_then, term_of(a) or term)
                self._expressions(otherwise, other_otherwise, term_of(a) or term)

    def _elements(self, a: int, i: Expression | None, b: int, j: Expression | None) -> None:
        static = a not in self.sorts.dynamic and b not in self.sorts.dynamic
        if static and isinstance(i, Constant) and isinstance(j, Constant):
            if (a, i.value) != (b, j.value) and self.renaming.cell(a, i.value) != (b, j.value):
                _exchange(self.renaming.cells, (a, i.value), (b, j.value))
            return
        self._variables(a, b)
        self._expressions(i, j, ("i", a, 0))

    def _places(self, a: Place | None, b: Place | None) -> None:
        if a is not None and b is not None:
            self._elements(a.variable, a.index, b.variable, b.index)

    def _statements(self, a: Sequence[Statement], b: Sequence[Statement]) -> None:
        for one, other in zip(a, b, strict=False):
            self._statement(one, other)

    def _statement(self, a: Statement, b: Statement) -> None:
        match a, b:
            case Assign(one, value), Assign(other, other_value):
                self._places(one, other)
                self._expressions(value, other_value, ("v", one.variable, 0))
            case Enqueue(one_channel, values), Enqueue(other_channel, other_values):
                self._channels(one_channel, other_channel)
                for field, (value, other_value) in enumerate(zip(values, other_values, strict=False)):
                    self._expressions(value, other_value, ("m", one_channel, field))
            case Dequeue(one_channel, places, position), Dequeue(other_channel, other_places, other_position):
                self._channels(one_channel, other_channel)
                self._expressions(position, other_position)
                for one_place, other_place in zip_longest(places, other_places):
                    self._places(one_place, other_place)
            case Clear(one_channel), Clear(other_channel):
                self._channels(one_channel, other_channel)
            case If(test, then, otherwise), If(other_test, other_then, other_otherwise):
                self._expressions(test, other_test)
                self._statements(then, other_then)
                self._statements(otherwise, other_otherwise)
            case Assert(test), Assert(other_test):
                self._expressions(test, other_test)


def _exchange(places: dict[Thing, Thing], a: Thing, b: Thing) -> bool:
    """Let two things change places, unless either of them already does with a third one; returns whether they are new
    to it."""
    if a in places or b in places:
        return False
    places[a], places[b] = b, a
    return True
