"""Interval analysis: sound bounds of every variable and message field over all reachable states.

The bounds grow from the initial values by abstract execution of the transitions until nothing changes. A bound that
keeps growing jumps to the next constant of the model, then to the end of its type; a last descending pass undoes the
overshoot of these jumps.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict, deque
from collections.abc import Iterator
from dataclasses import dataclass
from weakref import ref

from scrimp.machine.boxes import Box, Key, evaluate, narrow, refine
from scrimp.machine.intervals import Interval, contains, into_type, join, meet
from scrimp.machine.nesting import deep_recursion
from scrimp.system.expressions import Binary, Conditional, Constant, Expression, Find, Length, Message, Read, Unary
from scrimp.system.statements import Assert, Assign, Clear, Dequeue, Enqueue, If, Outgrow, Place, Statement
from scrimp.system.system import System, Transition
from scrimp.system.traverse import assigned, evaluated, subexpressions, substatements
from scrimp.system.types import INT, Range

_GROWTHS_BEFORE_JUMPS = 3
_GROWTHS_BEFORE_THE_END = 12
_DESCENTS = 2


@dataclass(frozen=True, slots=True)
class Bounds:
    """An interval per variable (shared by the elements of an array) and per field of each channel's messages.

    `assigned` holds the variables that some transition writes: the others keep their initial values.
    """

    variables: tuple[Interval, ...]
    messages: tuple[tuple[Interval, ...], ...]
    assigned: frozenset[int]


_known: dict[int, tuple[ref[System], Bounds]] = {}
"""The bounds of the systems that still exist, by their identity: several passes in turn ask about the same one."""


def analyse(system: System) -> Bounds:
    if (bounds := _bounds_known(system)) is not None:
        return bounds
    with deep_recursion():
        return _noted(system, _Analysis(system).run())


def keep_bounds(system: System, before: System) -> None:
    """Let a system have the bounds of another one, if they are known and the variables are the same: no variable or
    field has other values."""
    if (bounds := _bounds_known(before)) is not None and len(system.variables) == len(before.variables):
        _noted(system, bounds if _has_same_effects(system, before) else _without_assignments(system, bounds))


def carry_over_bounds(system: System, before: System) -> None:
    """Let the bounds of a system follow from those of another one, if they are known. No variable or field may have
    other values than there, besides initial values and constants that `system` itself assigns."""
    if (bounds := _bounds_known(before)) is not None:
        with deep_recursion():
            _noted(system, _Analysis(system).carried(bounds))


def _has_same_effects(one: System, other: System) -> bool:
    effects = zip(one.transitions, other.transitions, strict=False)
    return len(one.transitions) == len(other.transitions) and all(mine.effect is its.effect for mine, its in effects)


def _without_assignments(system: System, bounds: Bounds) -> Bounds:
    """Bounds in which variables that are not assigned any more have their initial values only."""
    left = _assigned_variables(system)
    kept = zip(system.variables, bounds.variables, strict=True)
    variables = (
        interval if number in left else (min(variable.initial), max(variable.initial))
        for number, (variable, interval) in enumerate(kept)
    )
    return Bounds(tuple(variables), bounds.messages, left)


def _bounds_known(system: System) -> Bounds | None:
    found = _known.get(id(system))
    return found[1] if found is not None and found[0]() is system else None


def _noted(system: System, bounds: Bounds) -> Bounds:
    number = id(system)
    _known[number] = ref(system, lambda _: _known.pop(number, None)), bounds
    return bounds


def scalars(system: System) -> frozenset[int]:
    """The variables that are single values, so that a test of one constrains all of it."""
    return frozenset(number for number, variable in enumerate(system.variables) if len(variable.initial) == 1)


class _NeverHappens(Exception):
    """No execution gets here, within the bounds found so far."""


class _Analysis:
    def __init__(self, system: System) -> None:
        self.system = system
        self.scalars = scalars(system)
        self.types: dict[Key, Range] = {}
        self.start = [(min(variable.initial), max(variable.initial)) for variable in system.variables]
        self.variables = list(self.start)
        for number, variable in enumerate(system.variables):
            self.types["v", number, 0] = variable.type
        for channel, declared in enumerate(system.channels):
            for number, type_ in enumerate(declared.fields):
                self.types["m", channel, number] = type_
        self.messages: dict[Key, Interval] = {}
        self.lengths = [(0, channel.capacity) for channel in system.channels]
        self.growths: dict[Key, int] = defaultdict(int)
        self.thresholds: list[int] = []
        self.found: dict[Key, Interval] = {}
        # By identity: expressions are those of the system, and comparing them takes longer than all else.
        self.surely: dict[int, tuple[Read | Message, ...]] = {}

    def run(self) -> Bounds:
        varying = self._join_constants()
        constants = dict(self.found)
        self.thresholds = _thresholds(self.system)
        self._ascend(varying)
        return self._descended(varying, constants)

    def carried(self, before: Bounds) -> Bounds:
        """The bounds, given those of a system with the same values but for constants."""
        varying = self._join_constants()
        constants = dict(self.found)
        self.variables = [join(mine, theirs) for mine, theirs in zip(self.variables, before.variables, strict=True)]
        self.messages = {("m", c, f): i for c, each in enumerate(before.messages) for f, i in enumerate(each)}
        for key, value in self._constants_sent():
            self.messages[key] = join(self.messages[key], (value, value))
        return self._descended(varying, constants)

    def _constants_sent(self) -> Iterator[tuple[Key, int]]:
        for transition in self.system.transitions:
            for statement in substatements(transition.effect):
                if isinstance(statement, Enqueue):
                    for number, value in enumerate(statement.values):
                        if isinstance(value, Constant):
                            yield ("m", statement.channel, number), value.value

    def _descended(self, varying: list[Transition], constants: dict[Key, Interval]) -> Bounds:
        for _ in range(_DESCENTS):
            before = self.variables, self.messages
            self._descend(varying, constants)
            if (self.variables, self.messages) == before:
                break
        messages = tuple(
            tuple(self._current(("m", channel, number)) or (0, 0) for number in range(len(declared.fields)))
            for channel, declared in enumerate(self.system.channels)
        )
        return Bounds(tuple(self.variables), messages, _assigned_variables(self.system))

    def _join_constants(self) -> list[Transition]:
        """Apply the transitions that assign only constants; return the others."""
        varying = []
        for transition in self.system.transitions:
            given = [_constant_given(statement) for statement in transition.effect]
            if None in given:
                varying.append(transition)
                continue
            for variable, value in filter(None, given):
                self._give(("v", variable, 0), (value, value))
        for key, interval in self.found.items():
            self.variables[key[1]] = join(self.variables[key[1]], interval)
        return varying

    def _ascend(self, varying: list[Transition]) -> None:
        readers = self._readers(varying)
        waiting = deque(range(len(varying)))
        queued = [True] * len(varying)
        while waiting:
            number = waiting.popleft()
            queued[number] = False
            self.found = {}
            self._visit(varying[number])
            for key, interval in self.found.items():
                if self._grow(key, interval):
                    for reader in readers[key]:
                        if not queued[reader]:
                            queued[reader] = True
                            waiting.append(reader)

    def _descend(self, varying: list[Transition], constants: dict[Key, Interval]) -> None:
        """Recompute every bound from the previous ones: sound, because those hold in every state."""
        self.found = dict(constants)
        for transition in varying:
            self._visit(transition)
        self.variables = [
            meet(interval, join(start, found) if (found := self.found.get(("v", number, 0))) else start) or interval
            for number, (interval, start) in enumerate(zip(self.variables, self.start, strict=True))
        ]
        self.messages = {key: interval for key, interval in self.found.items() if key[0] == "m"}

    def _readers(self, varying: list[Transition]) -> dict[Key, list[int]]:
        readers: dict[Key, list[int]] = defaultdict(list)
        for number, transition in enumerate(varying):
            for key in _keys_read(transition):
                readers[key].append(number)
        return readers

    def _visit(self, transition: Transition) -> None:
        box = Box(self.variables, self.lengths, self.messages, self.scalars)
        try:
            self._pass(transition.guard, box)
            self._execute(transition.effect, box)
        except _NeverHappens:
            pass

    def _pass(self, guard: Expression, box: Box) -> None:
        """Narrow the box to values for which a guard is true."""
        if isinstance(guard, Binary) and guard.operator == "&&":
            self._pass(guard.left, box)
            self._pass(guard.right, box)
        else:
            self._survive(guard, box)
            refine(box, guard, True)

    def _survive(self, expression: Expression, box: Box) -> None:
        """Narrow the box to values for which evaluating an expression does not fault: every index is inside its array,
        and there is a message at every position."""
        for part in self._surely(expression):
            match part:
                case Read(variable, index) if index is not None:
                    narrow(box, index, (0, len(self.system.variables[variable].initial) - 1))
                case Message(channel, number, position):
                    self._receivable(channel, position, box)
                    if ("m", channel, number) not in self.messages:
                        raise _NeverHappens

    def _surely(self, expression: Expression) -> tuple[Read | Message, ...]:
        found = self.surely.get(id(expression))
        if found is None:
            found = self.surely[id(expression)] = _surely_evaluated(expression)
        return found

    def _receivable(self, channel: int, position: Expression, box: Box) -> None:
        narrow(box, position, (0, box.length(channel)[1] - 1))
        narrow(box, Length(channel), (max(0, evaluate(position, box)[0]) + 1, INT.high))

    def _execute(self, statements: tuple[Statement, ...], box: Box) -> None:
        for statement in statements:
            match statement:
                case Assign(place, value):
                    self._survive(value, box)
                    if place.index is not None:
                        self._survive(place.index, box)
                        narrow(box, place.index, (0, len(self.system.variables[place.variable].initial) - 1))
                    self._assign(place, evaluate(value, box), box)
                case Enqueue(channel, values):
                    self._enqueue(channel, values, box)
                case Dequeue(channel, places, position):
                    self._dequeue(channel, places, position, box)
                case Clear(channel):
                    box.local_lengths[channel] = (0, 0)
                case If():
                    self._branch(statement, box)
                case Assert(test, _, fatal):
                    if fatal:
                        refine(box, test, True)
                case Outgrow():
                    raise _NeverHappens
            if not isinstance(statement, If | Assert):
                box.found.clear()

    def _branch(self, statement: If, box: Box) -> None:
        """Execute both branches, if they can happen."""
        ends = []
        for wanted, branch in ((True, statement.then), (False, statement.otherwise)):
            end = box.fork()
            refine(end, statement.test, wanted)
            try:
                self._execute(branch, end)
                ends.append(end)
            except _NeverHappens:
                pass
        if not ends:
            raise _NeverHappens
        for end in ends[1:]:
            ends[0].absorb(end)
        box.local, box.local_lengths, box.found = ends[0].local, ends[0].local_lengths, ends[0].found

    def _enqueue(self, channel: int, values: tuple[Expression, ...], box: Box) -> None:
        for value in values:
            self._survive(value, box)
        for number, value in enumerate(values):
            self._give(("m", channel, number), evaluate(value, box))
        box.local_lengths.pop(channel, None)

    def _dequeue(self, channel: int, places: tuple[Place | None, ...], position: Expression, box: Box) -> None:
        self._survive(position, box)
        self._receivable(channel, position, box)
        box.local_lengths.pop(channel, None)
        box.found.clear()
        for number, place in enumerate(places):
            interval = self._current(("m", channel, number))
            if interval is None:
                raise _NeverHappens
            if place is not None:
                self._assign(place, interval, box)

    def _assign(self, place: Place, interval: Interval, box: Box) -> None:
        typed = self._give(("v", place.variable, 0), interval)
        if place.variable in self.scalars:
            box.local[place.variable] = typed

    def _give(self, key: Key, interval: Interval) -> Interval:
        typed = into_type(interval, self.types[key])
        found = self.found.get(key)
        self.found[key] = join(found, typed) if found else typed
        return typed

    def _current(self, key: Key) -> Interval | None:
        return self.variables[key[1]] if key[0] == "v" else self.messages.get(key)

    def _grow(self, key: Key, interval: Interval) -> bool:
        old = self._current(key)
        if old is not None and contains(old, interval):
            return False
        grown = interval if old is None else self._widened(key, old, join(old, interval))
        if key[0] == "v":
            self.variables[key[1]] = grown
        else:
            self.messages[key] = grown
        return True

    def _widened(self, key: Key, old: Interval, new: Interval) -> Interval:
        type_ = self.types[key]
        self.growths[key] += 1
        if self.growths[key] <= _GROWTHS_BEFORE_JUMPS:
            return new
        low, high = new
        at_the_end = self.growths[key] > _GROWTHS_BEFORE_THE_END
        if low < old[0]:
            place = bisect_right(self.thresholds, low)
            low = type_.low if at_the_end or not place else max(type_.low, self.thresholds[place - 1])
        if high > old[1]:
            place = bisect_left(self.thresholds, high)
            at_the_end = at_the_end or place == len(self.thresholds)
            high = type_.high if at_the_end else min(type_.high, self.thresholds[place])
        return (low, high)


def _assigned_variables(system: System) -> frozenset[int]:
    statements = (s for transition in system.transitions for s in substatements(transition.effect))
    return frozenset(place.variable for statement in statements for place in assigned(statement))


def _constant_given(statement: Statement) -> tuple[int, int] | None:
    """The variable and the constant that a statement assigns to it; None if it does anything else."""
    match statement:
        case Assign(place, Constant(value)):
            return place.variable, value
        case _:
            return None


def _surely_evaluated(expression: Expression) -> tuple[Read | Message, ...]:
    """The reads of elements and messages that happen whenever an expression is evaluated."""
    match expression:
        case Read(_, index) if index is not None:
            return (*_surely_evaluated(index), expression)
        case Message(_, _, position):
            return (*_surely_evaluated(position), expression)
        case Find(_, pattern):
            return tuple(read for part in pattern if part is not None for read in _surely_evaluated(part))
        case Binary("&&" | "||", left, _):
            return _surely_evaluated(left)
        case Binary(_, left, right):
            return (*_surely_evaluated(left), *_surely_evaluated(right))
        case Unary(_, operand):
            return _surely_evaluated(operand)
        case Conditional(test):
            return _surely_evaluated(test)
        case _:
            return ()


def _thresholds(system: System) -> list[int]:
    """The constants of all guards and their neighbours: these are where loops end."""
    found: set[int] = set()
    for transition in system.transitions:
        for part in subexpressions(transition.guard):
            if isinstance(part, Constant):
                found.update((part.value - 1, part.value, part.value + 1))
    return sorted(found)


def _keys_read(transition: Transition) -> set[Key]:
    keys: set[Key] = set()
    for statement in substatements(transition.effect):
        if isinstance(statement, Dequeue):
            keys.update(("m", statement.channel, number) for number in range(len(statement.places)))
        for expression in evaluated(statement):
            keys.update(_reads(expression))
    # A guard narrows what the effect reads by comparing it with other variables, and decides whether it happens at all.
    if keys or any(isinstance(part, Message) for part in subexpressions(transition.guard)):
        keys.update(_reads(transition.guard))
    return keys


def _reads(expression: Expression) -> Iterator[Key]:
    for part in subexpressions(expression):
        match part:
            case Read(variable):
                yield "v", variable, 0
            case Message(channel, number):
                yield "m", channel, number
