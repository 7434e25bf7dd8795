"""The reference interpreter: the meaning of a system, executed as plainly as we can write it.

Nothing here is fast or clever. Native code, searches and stores are tested against it, and every trace is replayed by
it before it is shown.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Protocol

from scrimp.system.expressions import At, Binary, Conditional, Constant, Expression, Length, Read, Unary
from scrimp.system.statements import Assert, Assign, Dequeue, Enqueue, If, Place, Statement
from scrimp.system.system import System
from scrimp.system.types import INT, Range

Values = tuple[int, ...]
Messages = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class State:
    """Where every process is, what every variable holds (a scalar is an array of one), what every channel holds."""

    locations: tuple[int, ...]
    values: tuple[Values, ...]
    channels: tuple[Messages, ...]


@dataclass(frozen=True, slots=True)
class Fault:
    """Where a state should be: the event went wrong at run time."""

    message: str


class EvaluationFault(Exception):
    """An expression has no value, or a statement cannot be executed, in this state."""


class _View(Protocol):
    @property
    def locations(self) -> tuple[int, ...] | list[int]: ...
    @property
    def values(self) -> tuple[Values, ...] | list[Values]: ...
    @property
    def channels(self) -> tuple[Messages, ...] | list[Messages]: ...


class _Draft:
    """A state under construction."""

    def __init__(self, state: State) -> None:
        self.locations = list(state.locations)
        self.values = list(state.values)
        self.channels = list(state.channels)

    def freeze(self) -> State:
        return State(tuple(self.locations), tuple(self.values), tuple(self.channels))


def initial(system: System) -> State:
    return State(
        tuple(process.initial for process in system.processes),
        tuple(variable.initial for variable in system.variables),
        tuple(() for _ in system.channels),
    )


def enabled(system: System, state: State) -> list[int]:
    """The events of a state, in order; those that will fault are among them."""
    only_urgent = is_committed(system, state)
    return [
        event
        for event, transition in enumerate(system.transitions)
        if (transition.urgent or not only_urgent) and is_enabled(system, state, event)
    ]


def is_committed(system: System, state: State) -> bool:
    """Whether only urgent transitions are enabled."""
    return system.committed is not None and _holds(system, state, system.committed)


def is_enabled(system: System, state: State, event: int) -> bool:
    """Whether an event's moves and guard allow it, committed locations aside; a guard that faults does."""
    transition = system.transitions[event]
    if any(state.locations[move.process] != move.source for move in transition.moves):
        return False
    try:
        return evaluate(system, state, transition.guard) != 0
    except EvaluationFault:
        return True


def fire(system: System, state: State, event: int) -> State | Fault:
    """The state that an enabled event leads to."""
    transition = system.transitions[event]
    draft = _Draft(state)
    try:
        evaluate(system, state, transition.guard)
        execute(system, draft, transition.effect)
    except EvaluationFault as fault:
        return Fault(str(fault))
    for move in transition.moves:
        draft.locations[move.process] = move.target
    return draft.freeze()


def successors(system: System, state: State) -> list[tuple[int, State | Fault]]:
    return [(event, fire(system, state, event)) for event in enabled(system, state)]


def is_deadlock(system: System, state: State) -> bool:
    """No event, and not a valid end."""
    if enabled(system, state):
        return False
    return system.valid_end is None or not _holds(system, state, system.valid_end)


def _holds(system: System, state: State, test: Expression) -> bool:
    """Whether a test of the whole state is true; one that faults counts as true."""
    try:
        return evaluate(system, state, test) != 0
    except EvaluationFault:
        return True


def evaluate(system: System, state: _View, expression: Expression) -> int:
    """The value of an expression; raises EvaluationFault where it has none."""
    match expression:
        case Constant(value):
            return value
        case Read(variable, index):
            return state.values[variable][_element(system, state, variable, index)]
        case At(process, location):
            return int(state.locations[process] == location)
        case Length(channel):
            return len(state.channels[channel])
        case Unary(operator, operand):
            return _unary(operator, evaluate(system, state, operand))
        case Binary("&&", left, right):
            return int(evaluate(system, state, left) != 0 and evaluate(system, state, right) != 0)
        case Binary("||", left, right):
            return int(evaluate(system, state, left) != 0 or evaluate(system, state, right) != 0)
        case Binary(operator, left, right):
            return _binary(operator, evaluate(system, state, left), evaluate(system, state, right))
        case Conditional(test, then, otherwise):
            return evaluate(system, state, then if evaluate(system, state, test) != 0 else otherwise)


def execute(system: System, draft: _Draft, statements: tuple[Statement, ...]) -> None:
    for statement in statements:
        match statement:
            case Assign(place, value):
                _assign(system, draft, place, evaluate(system, draft, value))
            case Enqueue(channel, values):
                _enqueue(system, draft, channel, [evaluate(system, draft, value) for value in values])
            case Dequeue(channel, places):
                _dequeue(system, draft, channel, places)
            case If(test, then, otherwise):
                execute(system, draft, then if evaluate(system, draft, test) != 0 else otherwise)
            case Assert(test, text):
                if evaluate(system, draft, test) == 0:
                    raise EvaluationFault(f"assertion violated: {text}")


def _assign(system: System, draft: _Draft, place: Place, value: int) -> None:
    variable = system.variables[place.variable]
    element = _element(system, draft, place.variable, place.index)
    values = list(draft.values[place.variable])
    values[element] = _into(variable.type, value, variable.name)
    draft.values[place.variable] = tuple(values)


def _enqueue(system: System, draft: _Draft, channel: int, values: list[int]) -> None:
    declared = system.channels[channel]
    messages = draft.channels[channel]
    if len(messages) >= declared.capacity:
        raise EvaluationFault(f"channel {declared.name} is full")
    message = tuple(_into(type_, value, declared.name) for type_, value in zip(declared.fields, values, strict=True))
    draft.channels[channel] = (*messages, message)


def _dequeue(system: System, draft: _Draft, channel: int, places: tuple[Place | None, ...]) -> None:
    messages = draft.channels[channel]
    if not messages:
        raise EvaluationFault(f"channel {system.channels[channel].name} is empty")
    draft.channels[channel] = messages[1:]
    for place, value in zip(places, messages[0], strict=True):
        if place is not None:
            _assign(system, draft, place, value)


def _element(system: System, state: _View, variable: int, index: Expression | None) -> int:
    if index is None:
        return 0
    element = evaluate(system, state, index)
    length = len(state.values[variable])
    if not 0 <= element < length:
        raise EvaluationFault(f"index {element} is outside {system.variables[variable].name}[{length}]")
    return element


def _into(type_: Range, value: int, name: str) -> int:
    if type_.contains(value):
        return value
    if type_.wraps:
        return type_.wrap(value)
    raise EvaluationFault(f"value {value} is outside {name}'s range {type_.low}..{type_.high}")


def _unary(operator: str, value: int) -> int:
    match operator:
        case "-":
            return INT.wrap(-value)
        case "~":
            return ~value
        case _:
            return int(value == 0)


def _binary(operator: str, left: int, right: int) -> int:
    match operator:
        case "+":
            return INT.wrap(left + right)
        case "-":
            return INT.wrap(left - right)
        case "*":
            return INT.wrap(left * right)
        case "/" | "%":
            return _divide(operator, left, right)
        case "&":
            return left & right
        case "|":
            return left | right
        case "^":
            return left ^ right
        case "<<":
            return INT.wrap(left << (right & 31))
        case ">>":
            return left >> (right & 31)
        case "==":
            return int(left == right)
        case "!=":
            return int(left != right)
        case "<":
            return int(left < right)
        case "<=":
            return int(left <= right)
        case ">":
            return int(left > right)
        case _:
            return int(left >= right)


def _divide(operator: str, left: int, right: int) -> int:
    if right == 0:
        raise EvaluationFault("division by zero")
    if left == INT.low and right == -1:
        raise EvaluationFault("division overflows")
    quotient = abs(left) // abs(right)
    if (left < 0) != (right < 0):
        quotient = -quotient
    return quotient if operator == "/" else left - quotient * right


@dataclass(frozen=True, slots=True)
class Exploration:
    """Everything a breadth-first search of the reachable states sees. `levels` counts states and transitions."""

    states: frozenset[State]
    transitions: int
    deadlocks: int
    faults: int
    fired: frozenset[int]
    levels: tuple[tuple[int, int], ...]


@dataclass(slots=True)
class _Tally:
    transitions: int = 0
    deadlocks: int = 0
    faults: int = 0
    fired: set[int] = field(default_factory=set)
    levels: list[tuple[int, int]] = field(default_factory=list)


class TooManyStates(Exception):
    """The exploration met more states than it was allowed."""


def explore(system: System, limit: int | None = None) -> Exploration:
    """Visit every reachable state, breadth first; raises TooManyStates beyond `limit` states."""
    start = initial(system)
    seen = {start}
    level = deque([start])
    tally = _Tally()
    while level:
        following: deque[State] = deque()
        fired_before = tally.transitions
        for state in level:
            for successor in _expand(system, state, tally):
                if successor not in seen:
                    seen.add(successor)
                    following.append(successor)
            if limit is not None and len(seen) > limit:
                raise TooManyStates(f"more than {limit} states")
        tally.levels.append((len(level), tally.transitions - fired_before))
        level = following
    return Exploration(
        frozenset(seen),
        tally.transitions,
        tally.deadlocks,
        tally.faults,
        frozenset(tally.fired),
        tuple(tally.levels),
    )


def _expand(system: System, state: State, tally: _Tally) -> list[State]:
    outcomes = successors(system, state)
    if not outcomes:
        tally.deadlocks += is_deadlock(system, state)
    tally.transitions += len(outcomes)
    tally.fired.update(event for event, _ in outcomes)
    reached = [outcome for _, outcome in outcomes if isinstance(outcome, State)]
    tally.faults += len(outcomes) - len(reached)
    return reached
