"""The reference interpreter: it executes a system, written as plainly as we can, and so defines what systems mean.

Nothing here is fast or clever. Native code, searches and stores are tested against it, and every trace is replayed by
it before it is shown.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Protocol

from scrimp.system.arithmetic import EvaluationFault as EvaluationFault
from scrimp.system.arithmetic import binary, unary
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
from scrimp.system.statements import Assert, Assign, Clear, Dequeue, Enqueue, If, Outgrow, Place, Statement
from scrimp.system.system import System, Transition
from scrimp.system.types import Range
from scrimp.system.violations import ViolationKind

Values = tuple[int, ...]
Messages = tuple[tuple[int, ...], ...]

PROGRAM = -1
"""In place of a holder: all processes but the claim."""
SETTLING = -2
"""In place of a holder: the claim, which continues alone because the others cannot move."""


@dataclass(frozen=True, slots=True)
class State:
    """The location of every process, the values of every variable (a scalar is an array of one) and the messages of
    every channel.

    A state with a `holder` is transient: only that process, PROGRAM or SETTLING continues from it."""

    locations: tuple[int, ...]
    values: tuple[Values, ...]
    channels: tuple[Messages, ...]
    holder: int | None = None

    @property
    def timeout(self) -> bool:
        """The value of `Timeout` in an expression over a state by itself."""
        return False


@dataclass(frozen=True, slots=True)
class Fault:
    """The outcome of an event that went wrong at run time, instead of a state."""

    message: str
    kind: ViolationKind = ViolationKind.FAULT


@dataclass(frozen=True, slots=True)
class Outcome:
    """The state or fault that firing an event leads to, and assertions that failed without being fatal."""

    after: State | Fault
    failed: tuple[Fault, ...] = ()


class Outgrown(Exception):
    """An event needs more room than the system has; `need` is that of the statement `Outgrow`."""

    def __init__(self, need: str) -> None:
        super().__init__(f"the system is too small: {need}")
        self.need = need


class View(Protocol):
    """A state, or one under construction, over which expressions are evaluated."""

    @property
    def locations(self) -> tuple[int, ...] | list[int]: ...
    @property
    def values(self) -> tuple[Values, ...] | list[Values]: ...
    @property
    def channels(self) -> tuple[Messages, ...] | list[Messages]: ...
    @property
    def timeout(self) -> bool: ...


class _Draft:
    """A state under construction, with the assertions that have failed so far. `timeout` is computed if an
    expression needs it."""

    def __init__(self, state: State, timeout: Callable[[], bool]) -> None:
        self.locations = list(state.locations)
        self.values = list(state.values)
        self.channels = list(state.channels)
        self.failed: list[Fault] = []
        self._timeout = timeout

    @property
    def timeout(self) -> bool:
        return self._timeout()

    def freeze(self) -> State:
        return State(tuple(self.locations), tuple(self.values), tuple(self.channels))


def initial(system: System) -> State:
    return State(
        tuple(process.initial for process in system.processes),
        tuple(variable.initial for variable in system.variables),
        tuple(() for _ in system.channels),
    )


@dataclass(frozen=True, slots=True)
class _Turn:
    """The processes that may lead an event, and the value of `Timeout` for them."""

    processes: frozenset[int]
    timeout: bool


def _turns(system: System, state: State) -> Iterator[_Turn]:
    """The processes whose events are tried, then those that are tried next if no event is enabled."""
    everybody = frozenset(range(len(system.processes)))
    claim = everybody if system.claim is None else frozenset({system.claim})
    if state.holder is None:
        yield _Turn(claim, timeout=False)
        yield _Turn(claim, timeout=True)
    elif state.holder == PROGRAM:
        yield _Turn(everybody - claim, timeout=False)
        yield _Turn(everybody - claim, timeout=True)
        yield _Turn(claim, timeout=True)
    elif state.holder == SETTLING:
        yield _Turn(claim, timeout=False)
    else:
        yield _Turn(frozenset({state.holder}), timeout=False)


def enabled(system: System, state: State) -> list[int]:
    """The events of a state, in order; those that will fault are among them."""
    return next(filter(None, (_events(system, state, turn) for turn in _turns(system, state))), [])


def _events(system: System, state: State, turn: _Turn) -> list[int]:
    only_urgent = is_committed(system, state)
    view = _Draft(state, lambda: turn.timeout)
    leading = sorted(
        event
        for process in turn.processes
        for event in system.leaving.get((process, state.locations[process]), ())
        if system.transitions[event].urgent or not only_urgent
    )
    return [event for event in leading if is_enabled(system, view, event)]


def _is_timed_out(system: System, state: State) -> bool:
    """The value of `Timeout` for the events of a state."""
    return not any(_events(system, state, turn) for turn in _turns(system, state) if not turn.timeout)


def is_committed(system: System, state: State) -> bool:
    """Whether only urgent transitions are enabled."""
    return system.committed is not None and _holds(system, state, system.committed)


def is_enabled(system: System, state: View, event: int) -> bool:
    """Whether an event's moves and guard allow it, regardless of turns and committed locations; a guard that faults
    allows it."""
    transition = system.transitions[event]
    if any(state.locations[move.process] != move.source for move in transition.moves):
        return False
    try:
        return evaluate(system, state, transition.guard) != 0
    except EvaluationFault:
        return True


def fire(system: System, state: State, event: int) -> State | Fault:
    """The state that an enabled event leads to; raises Outgrown if the system is too small for it."""
    return outcome(system, state, event).after


def outcome(system: System, state: State, event: int) -> Outcome:
    """The outcome of firing an enabled event; raises Outgrown if the system is too small for it."""
    transition = system.transitions[event]
    draft = _Draft(state, lambda: _is_timed_out(system, state))
    try:
        evaluate(system, draft, transition.guard)
        execute(system, draft, transition.effect)
    except EvaluationFault as fault:
        return Outcome(Fault(str(fault), fault.kind), tuple(draft.failed))
    for move in transition.moves:
        draft.locations[move.process] = move.target
    return Outcome(_with_holder(system, state, transition, draft.freeze()), tuple(draft.failed))


def _with_holder(system: System, before: State, transition: Transition, after: State) -> State:
    """`after` with the holder that continues from it. The program follows the claim, unless the claim moved because the
    program could not; a claim that has exclusive control keeps it even if it cannot move."""
    if transition.moves[0].process == system.claim:
        settles = before.holder in (PROGRAM, SETTLING)
        if transition.holder is not None:
            return replace(after, holder=SETTLING if settles else transition.holder)
        return after if settles else replace(after, holder=PROGRAM)
    if transition.holder is None:
        return after
    held = replace(after, holder=transition.holder)
    return held if enabled(system, held) else after


def successors(system: System, state: State) -> list[tuple[int, State | Fault]]:
    return [(event, fire(system, state, event)) for event in enabled(system, state)]


def is_deadlock(system: System, state: State) -> bool:
    """An ordinary state without events that is not a valid end."""
    if state.holder is not None or enabled(system, state):
        return False
    return system.valid_end is None or not _holds(system, state, system.valid_end)


def offers(system: System, state: State) -> bool:
    """Whether some process whose turn it is offers a handshake; in an ordinary state it is the turn of the claim, if
    there is one."""

    def is_its_turn(process: int) -> bool:
        if state.holder is None:
            return system.claim in (None, process)
        if state.holder == PROGRAM:
            return process != system.claim
        return process == (system.claim if state.holder == SETTLING else state.holder)

    return any(_holds(system, state, test) for process, test in system.offers if is_its_turn(process))


def _holds(system: System, state: State, test: Expression) -> bool:
    """Whether a test of the whole state is true; one that faults counts as true."""
    try:
        return evaluate(system, state, test) != 0
    except EvaluationFault:
        return True


def evaluate(system: System, state: View, expression: Expression) -> int:
    """The value of an expression; raises EvaluationFault if it has none."""
    match expression:
        case Constant(value):
            return value
        case Read(variable, index):
            return state.values[variable][_element(system, state, variable, index)]
        case At(process, location):
            return int(state.locations[process] == location)
        case Length(channel):
            return len(state.channels[channel])
        case Message(channel, field_, position):
            return _message(system, state, channel, evaluate(system, state, position))[field_]
        case Find(channel, pattern):
            values = [None if part is None else evaluate(system, state, part) for part in pattern]
            return _find(state.channels[channel], values)
        case Timeout():
            return int(state.timeout)
        case Undefined(text):
            raise EvaluationFault(text)
        case Unary(operator, operand):
            return unary(operator, evaluate(system, state, operand))
        case Binary("&&", left, right):
            return int(evaluate(system, state, left) != 0 and evaluate(system, state, right) != 0)
        case Binary("||", left, right):
            return int(evaluate(system, state, left) != 0 or evaluate(system, state, right) != 0)
        case Binary(operator, left, right):
            return binary(operator, evaluate(system, state, left), evaluate(system, state, right))
        case Conditional(test, then, otherwise):
            return evaluate(system, state, then if evaluate(system, state, test) != 0 else otherwise)


def execute(system: System, draft: _Draft, statements: tuple[Statement, ...]) -> None:
    for statement in statements:
        match statement:
            case Assign(place, value):
                _assign(system, draft, place, evaluate(system, draft, value))
            case Enqueue(channel, values, is_sorted):
                _enqueue(system, draft, channel, [evaluate(system, draft, value) for value in values], is_sorted)
            case Dequeue(channel, places, position):
                _dequeue(system, draft, channel, places, evaluate(system, draft, position))
            case Clear(channel):
                draft.channels[channel] = ()
            case If(test, then, otherwise):
                execute(system, draft, then if evaluate(system, draft, test) != 0 else otherwise)
            case Assert(test, text, fatal, kind):
                if evaluate(system, draft, test) == 0:
                    if fatal:
                        raise EvaluationFault(text, kind)
                    draft.failed.append(Fault(text, kind))
            case Outgrow(need):
                raise Outgrown(need)


def _assign(system: System, draft: _Draft, place: Place, value: int) -> None:
    variable = system.variables[place.variable]
    element = _element(system, draft, place.variable, place.index)
    values = list(draft.values[place.variable])
    values[element] = _into(variable.type, value, variable.name)
    draft.values[place.variable] = tuple(values)


def _enqueue(system: System, draft: _Draft, channel: int, values: list[int], is_sorted: bool) -> None:
    declared = system.channels[channel]
    messages = draft.channels[channel]
    if len(messages) >= declared.capacity:
        raise EvaluationFault(f"channel {declared.name} is full")
    message = tuple(_into(type_, value, declared.name) for type_, value in zip(declared.fields, values, strict=True))
    greater = (place for place, other in enumerate(messages) if other > message)
    place = next(greater, len(messages)) if is_sorted else len(messages)
    draft.channels[channel] = (*messages[:place], message, *messages[place:])


def _dequeue(system: System, draft: _Draft, channel: int, places: tuple[Place | None, ...], position: int) -> None:
    message = _message(system, draft, channel, position)
    messages = draft.channels[channel]
    draft.channels[channel] = messages[:position] + messages[position + 1 :]
    for place, value in zip(places, message, strict=True):
        if place is not None:
            _assign(system, draft, place, value)


def _message(system: System, state: View, channel: int, position: int) -> tuple[int, ...]:
    name, messages = system.channels[channel].name, state.channels[channel]
    if not messages:
        raise EvaluationFault(f"channel {name} is empty")
    if not 0 <= position < len(messages):
        raise EvaluationFault(f"channel {name} has no message at position {position}")
    return messages[position]


def _find(messages: Messages, pattern: list[int | None]) -> int:
    for position, message in enumerate(messages):
        if all(wanted is None or wanted == found for wanted, found in zip(pattern, message, strict=True)):
            return position
    return -1


def _element(system: System, state: View, variable: int, index: Expression | None) -> int:
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


@dataclass(frozen=True, slots=True)
class Firing:
    """An event fired between an ordinary state and the next ordinary ones. It is `endless` if it leads back to a
    transient state that was passed already."""

    event: int
    outcome: Outcome
    endless: bool


def firings(system: System, state: State) -> Iterator[Firing]:
    """All events between an ordinary state and the ordinary states after it, depth first and in order. Each path
    through transient states is followed separately, even if two of them meet."""
    path = {state: iter(enabled(system, state))}
    while path:
        here, events = next(reversed(path.items()))
        event = next(events, None)
        if event is None:
            path.popitem()
            continue
        result = outcome(system, here, event)
        passes = not is_arrival(result)
        yield Firing(event, result, endless=passes and result.after in path)
        if isinstance(result.after, State) and passes and result.after not in path:
            path[result.after] = iter(enabled(system, result.after))


def is_arrival(result: Outcome) -> bool:
    """Whether an event leads to an ordinary state or faults: only these count as transitions."""
    return isinstance(result.after, Fault) or result.after.holder is None


@dataclass(frozen=True, slots=True)
class Exploration:
    """The results of a breadth-first search of the reachable states: the ordinary states, and the number of
    `transitions`, which are arrivals in one and faults. `levels` counts both. `failed` counts the events that lead to a
    state in spite of failed assertions, `endless` those that close a cycle of transient states."""

    states: frozenset[State]
    transitions: int
    deadlocks: int
    faults: int
    fired: frozenset[int]
    levels: tuple[tuple[int, int], ...]
    failed: int = 0
    endless: int = 0


@dataclass(slots=True)
class _Tally:
    transitions: int = 0
    deadlocks: int = 0
    faults: int = 0
    fired: set[int] = field(default_factory=set)
    levels: list[tuple[int, int]] = field(default_factory=list)
    failed: int = 0
    endless: int = 0

    def count(self, firing: Firing) -> None:
        self.fired.add(firing.event)
        self.transitions += is_arrival(firing.outcome)
        is_fault = isinstance(firing.outcome.after, Fault)
        self.faults += is_fault
        self.failed += bool(firing.outcome.failed) and not is_fault
        self.endless += firing.endless


class TooManyStates(Exception):
    """The exploration met more states than allowed."""


def explore(system: System, limit: int | None = None) -> Exploration:
    """Visit every reachable state, breadth first; raises TooManyStates beyond `limit` states, or if there are
    more events than that between one state and the next."""
    start = initial(system)
    seen = {start}
    level = deque([start])
    tally = _Tally()
    while level:
        following: deque[State] = deque()
        fired_before = tally.transitions
        for state in level:
            for successor in _expand(system, state, tally, limit):
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
        tally.failed,
        tally.endless,
    )


def _expand(system: System, state: State, tally: _Tally, limit: int | None) -> list[State]:
    reached = []
    number = 0
    for number, firing in enumerate(firings(system, state), start=1):
        tally.count(firing)
        after = firing.outcome.after
        if isinstance(after, State) and after.holder is None:
            reached.append(after)
        if limit is not None and number > limit + len(system.transitions):
            raise TooManyStates(f"more than {limit} events between one state and the next")
    if number == 0:
        tally.deadlocks += is_deadlock(system, state)
    return reached
