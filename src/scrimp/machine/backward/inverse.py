"""The state before a path, in terms of the state after: solves the equations that the path implies.

Every cell that was written holds the value it was given: an equation between the state before and the state after. If
it is a sum with a single unknown, it determines that unknown. So does a condition that makes an unknown equal to
something known. An unknown that no equation determines is *lost*: it becomes a separate variable, all values of which
are possible.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from scrimp.machine.backward.before import Before, Head, NotKnown, Unknown
from scrimp.machine.backward.paths import Cell, Path, terms, total, wrapped
from scrimp.machine.backward.values import Values
from scrimp.machine.backward.work import Impossible, Work
from scrimp.machine.boxes import Box, evaluate
from scrimp.machine.evaluation import conjuncts
from scrimp.machine.intervals import WHOLE, Interval, contains, meet
from scrimp.machine.layout import Field, Layout
from scrimp.system.expressions import (
    FALSE,
    At,
    Binary,
    BinaryOperator,
    Constant,
    Expression,
    Length,
    Message,
    Read,
    conjunction,
    disjunction,
)
from scrimp.system.system import System, Transition
from scrimp.system.types import INT, Range

# How often a sum may have wrapped around the end of a type before it is no longer treated as a sum.
_MOST_TURNS = 4


class Equation(NamedTuple):
    """The value computed from the state before, converted to a type, is the value of a cell in the state after. If the
    cell is an array element, an index over the state before identifies it."""

    computed: Expression
    cell: Cell | Message
    type: Range


@dataclass(frozen=True)
class Candidate:
    """The states before that satisfy `tests`, one for each choice of values for the `lost`, each of which lies in some
    intervals. Everything is expressed over the state after, in which a lost value is a variable that the system does
    not have."""

    tests: list[Expression] = field(default_factory=list)
    known: Mapping[Unknown, Expression] = field(default_factory=dict)
    lost: Mapping[int, list[Interval]] = field(default_factory=dict)


class Inverse:
    """Undoes one path of a transition. `box` has the intervals of values before it."""

    def __init__(
        self, system: System, layout: Layout, transition: Transition, path: Path, box: Box, values: Values, work: Work
    ) -> None:
        self.system = system
        self.layout = layout
        self.transition = transition
        self.path = path
        self.box = box
        self.values = values
        self.work = work
        self.lies = values.before(transition) or {}
        self.before = Before(transition, path)
        self.conditions = [part for condition in path.conditions for part in conjuncts(condition)]

    def candidates(self) -> Iterator[Candidate]:
        yield from self._solved(Candidate(self._lengths(), self._initial()), self._equations())

    def _lengths(self) -> list[Expression]:
        """A sent message must be there to remove, and a received one must have room to be put back."""
        received = (
            Binary("<", Length(channel), Constant(self.layout.lengths[channel].high)) for channel in self.path.received
        )
        return [*(Binary(">", Length(channel), FALSE) for channel in self.path.sent), *received]

    def _initial(self) -> dict[Unknown, Expression]:
        resting = (cell for cell in self.path.written if cell in self.values.resting)
        return {cell: Constant(self.values.initial(cell)) for cell in resting}

    def _equations(self) -> list[Equation]:
        variables, channels = self.system.variables, self.system.channels
        written = [
            Equation(given.computed, cell, variables[cell.variable].type) for cell, given in self.path.written.items()
        ]
        sent = [
            Equation(value, Message(channel, number, Binary("-", Length(channel), Constant(1))), type_)
            for channel, values in self.path.sent.items()
            for number, (value, type_) in enumerate(zip(values, channels[channel].fields, strict=True))
        ]
        return [*written, *sent]

    def _solved(self, candidate: Candidate, equations: list[Equation]) -> Iterator[Candidate]:
        """Solve an equation, or else use a condition, or else give up an unknown; then continue."""
        for number, equation in enumerate(equations):
            self.work.pay(equation.computed)
            cases = self._cases(equation, candidate.known)
            if cases is not None:
                rest = equations[:number] + equations[number + 1 :]
                for unknown, value in cases:
                    yield from self._solved(self._with(candidate, unknown, value), rest)
                return
        determined = self._determined(candidate.known)
        if determined is not None:
            yield from self._solved(self._with(candidate, *determined), equations)
        elif (lost := self._open(candidate.known)) is not None:
            yield from self._solved(self._without(candidate, lost), equations)
        else:
            yield self._checked(candidate, equations)

    def _cases(
        self, equation: Equation, known: Mapping[Unknown, Expression]
    ) -> list[tuple[Unknown, Expression]] | None:
        """The one unknown of a sum, for each number of times that the sum may have wrapped around the end of the
        type."""
        summands = list(terms(equation.computed))
        unknown = [(sign, found) for sign, term in summands if (found := self._not_yet(term, known)) is not None]
        turns = self._turns(summands, equation.type)
        if len(unknown) != 1 or turns is None:
            return None
        ((own_sign, sought),) = unknown
        rest: Expression = FALSE
        try:
            held = self._held(equation, known)
            for sign, term in summands:
                if self.before.unknown(term) != sought:
                    operator: BinaryOperator = "+" if sign > 0 else "-"
                    rest = Binary(operator, rest, self.before.rewritten(term, known))
        except NotKnown:
            return None
        totals = [Binary("+", held, Constant(turn * equation.type.size)) if turn else held for turn in turns]
        return [(sought, Binary("-", total, rest) if own_sign > 0 else Binary("-", rest, total)) for total in totals]

    def _not_yet(self, term: Expression, known: Mapping[Unknown, Expression]) -> Unknown | None:
        unknown = self.before.unknown(term)
        return None if unknown is None or unknown in known else unknown

    def _turns(self, summands: list[tuple[int, Expression]], type_: Range) -> list[int] | None:
        """How often a sum may have wrapped around the end of a type; None if that cannot be determined."""
        if not type_.wraps or type_.size == INT.size:
            return [0]
        low, high = total(summands, self.box)
        turns = range((low - type_.low) // type_.size, (high - type_.low) // type_.size + 1)
        round_trips = (turns[0] * type_.size, turns[-1] * type_.size)
        if len(turns) > _MOST_TURNS or not contains(WHOLE, (low, high)) or not contains(WHOLE, round_trips):
            return None
        return list(turns)

    def _held(self, equation: Equation, known: Mapping[Unknown, Expression]) -> Expression:
        """The value in the state after to which the equation refers. Raises NotKnown."""
        if isinstance(equation.cell, Message):
            return equation.cell
        cell = equation.cell
        return Read(cell.variable, None if cell.index is None else self.before.index(cell, known))

    def _determined(self, known: Mapping[Unknown, Expression]) -> tuple[Unknown, Expression] | None:
        """An unknown that a condition makes equal to something known."""
        for condition in self.conditions:
            match condition:
                case Binary("==", left, right):
                    for side, other in ((left, right), (right, left)):
                        unknown = self._not_yet(side, known)
                        if unknown is not None:
                            with suppress(NotKnown):
                                return unknown, self.before.rewritten(other, known)
        return None

    def _open(self, known: Mapping[Unknown, Expression]) -> Unknown | None:
        """An unknown to give up: a single variable first, because elements may depend on it."""
        heads: list[Unknown] = [
            Head(channel, number)
            for channel in sorted(self.path.received)
            for number in range(len(self.system.channels[channel].fields))
        ]
        cells: list[Unknown] = [*sorted(self.path.written, key=lambda cell: cell.index is not None)]
        return next((unknown for unknown in cells + heads if unknown not in known), None)

    def _with(self, candidate: Candidate, unknown: Unknown, value: Expression) -> Candidate:
        self.work.pay(value)
        room = [_inside(value, interval) for interval in self._rooms(unknown)]
        known = {**candidate.known, unknown: value}
        return replace(candidate, tests=[*candidate.tests, disjunction(*room)], known=known)

    def _without(self, candidate: Candidate, unknown: Unknown) -> Candidate:
        stand_in = len(self.system.variables) + len(candidate.lost)
        known = {**candidate.known, unknown: Read(stand_in)}
        return replace(candidate, known=known, lost={**candidate.lost, stand_in: self._rooms(unknown)})

    def _rooms(self, unknown: Unknown) -> list[Interval]:
        """The values that an unknown may have had."""
        if isinstance(unknown, Head):
            return rooms(self.layout.messages[unknown.channel][unknown.field])
        held = rooms(self.layout.variables[unknown.variable])
        lies = self.lies.get(unknown)
        return held if lies is None else [room for part in held if (room := meet(part, lies)) is not None]

    def _checked(self, candidate: Candidate, equations: list[Equation]) -> Candidate:
        """The candidate with all remaining tests: the locations of processes, the conditions, and the equations that
        were not used."""
        known = candidate.known
        moved = [At(move.process, move.target) for move in self.transition.moves[1:]]
        conditions = [self.work.pay(self.before.rewritten(condition, known)) for condition in self.conditions]
        left = [self.work.pay(self._equality(equation, known)) for equation in equations]
        return replace(candidate, tests=[*moved, *self._kept(), *candidate.tests, *conditions, *left])

    def _kept(self) -> Iterator[Expression]:
        """Cells that the path does not change have values that are possible both before and after."""
        after = self.values.after(self.transition)
        for cell, lies in self.lies.items():
            if cell not in self.path.written and not contains(lies, after.get(cell, WHOLE)):
                yield _inside(Read(cell.variable, cell.index), lies)

    def _equality(self, equation: Equation, known: Mapping[Unknown, Expression]) -> Expression:
        kept = wrapped(equation.computed, evaluate(equation.computed, self.box), equation.type)
        if kept is None:
            raise Impossible("a value may wrap around in it")
        return Binary("==", self.before.rewritten(kept, known), self._held(equation, known))


def rooms(place: Field) -> list[Interval]:
    """The values that a field can hold: an interval, or two if it wraps around the end of its type."""
    type_ = place.type
    held = [(place.base, place.base + place.mask)]
    if place.is_circular:
        held.append((place.base + type_.size, place.base + type_.size + place.mask))
    bounds = meet(place.interval, (type_.low, type_.high))
    return [room for part in held if bounds is not None and (room := meet(part, bounds)) is not None]


def _inside(value: Expression, interval: Interval) -> Expression:
    low, high = interval
    return conjunction(Binary(">=", value, Constant(low)), Binary("<=", value, Constant(high)))
