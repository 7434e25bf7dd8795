"""Compares what CPython and the compiled system do in all states of a small model.

The two are explored in step. Every state of the system is reached under CPython by the same steps; there, all steps of
all processes are tried with all decisions. Both must have the same steps, with the same faults, and lead to the same
values of all fields, the same lines at which processes wait, and the same values of live local variables.
"""

from __future__ import annotations

import linecache
import sys
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from enum import Enum
from itertools import count
from typing import Any

from scrimp.frontends.model import Model as Compiled
from scrimp.frontends.python import read_model
from scrimp.frontends.python.storage import decoded
from scrimp.frontends.python.types import (
    ArrayType,
    BoolType,
    ConditionType,
    EnumType,
    Held,
    MapType,
    OptionalType,
    Plain,
    QueueType,
    RecordType,
    SetType,
    TupleType,
)
from scrimp.frontends.python.values import Value, domain_members
from scrimp.modelling import Model
from scrimp.modelling.declaring import fields
from scrimp.modelling.scheduling import Fault, Undecided, World, decided
from scrimp.modelling.waiting import NotEnabled
from scrimp.system import reference
from scrimp.system.expressions import Constant
from scrimp.system.reference import State

_numbers = count(1)

Decisions = tuple[int, ...]
Schedule = tuple[tuple[int, Decisions], ...]
Fields = dict[str, object]


_MOST_OUTCOMES = 300


class Difference(Exception):
    """CPython and the compiled system differ."""


class TooManyChoices(Exception):
    """A step makes so many choices that comparing all of them takes too long."""


def executed(text: str) -> type[Model]:
    """The model class of a text, executed by CPython; its source can be inspected."""
    name = f"model_under_test_{next(_numbers)}"
    file = f"<{name}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    module = type(sys)(name)
    sys.modules[name] = module
    exec(compile(text, file, "exec", dont_inherit=True), module.__dict__)
    found = [each for each in vars(module).values() if isinstance(each, type) and issubclass(each, Model)]
    return next(each for each in reversed(found) if each is not Model)


# The state of the system, in plain values


def fields_of(compiled: Compiled, state: State) -> Fields:
    program: Any = compiled.scope.program  # type: ignore[attr-defined]
    return {name: _held(spot.type, spot.numbers, (), state) for name, spot in program.fields.items()}


def _held(type_: Held, numbers: Sequence[int], keys: tuple[tuple[int, int], ...], state: State) -> object:
    if isinstance(type_, ArrayType | MapType):
        return tuple(_held(type_.item, numbers, (*keys, (index, type_.length)), state) for index in range(type_.length))
    if isinstance(type_, ConditionType):
        lock, woken, waiting = numbers
        flags = tuple(process for process, flag in enumerate(state.values[woken]) if flag)
        return bool(state.values[lock][0]), tuple(number for (number,) in state.channels[waiting]), flags
    flat = 0
    for index, length in keys:
        flat = flat * length + index
    if isinstance(type_, QueueType):
        return tuple(_value(type_.item, message) for message in state.channels[numbers[flat]])
    found = [state.values[number][flat] for number in numbers]
    if type(type_).__name__ in ("LockType", "EventType"):
        return bool(found[0])
    if type(type_).__name__ == "SemaphoreType":
        return found[0]
    return _value(type_, found)  # type: ignore[arg-type]


def _value(type_: Plain, numbers: Sequence[int]) -> object:
    return plain(decoded(type_, [Constant(number) for number in numbers]))


def plain(value: Value) -> object:
    numbers = [part.value for part in value.parts if isinstance(part, Constant)]
    assert len(numbers) == len(value.parts)
    match value.type:
        case BoolType():
            return bool(numbers[0])
        case EnumType(name, members):
            return f"{name}.{members[numbers[0]]}"
        case OptionalType(item):
            return plain(Value(item, value.parts[1:])) if numbers[0] else None
        case RecordType(name):
            return (name, *(plain(item) for item in value.items()))
        case TupleType():
            return tuple(plain(item) for item in value.items())
        case SetType(item):
            members_ = domain_members(item) if item is not None else []
            return frozenset(plain(each) for i, each in enumerate(members_) if numbers[0] >> i & 1)
    return numbers[0] if numbers else None


def as_plain(value: object) -> object:
    """A value of CPython in the same form."""
    if isinstance(value, Enum):
        return f"{type(value).__name__}.{value.name}"
    if isinstance(value, tuple):
        return tuple(map(as_plain, value))
    if isinstance(value, frozenset):
        return frozenset(map(as_plain, value))
    if hasattr(value, "__dataclass_fields__"):
        return (type(value).__name__, *(as_plain(getattr(value, name)) for name in value.__dataclass_fields__))
    return value


# The state of a process


@dataclass(frozen=True)
class Arrival:
    """Where a step leads: the fields, and where the process that made it waits, with its local variables."""

    fields: Fields
    place: str
    locals: dict[str, object]


def _cpython_place(world: World, number: int) -> tuple[str, dict[str, object]]:
    task = world.tasks[number]
    if task.coroutine is None:
        return "action", {}
    if task.is_done:
        return "done", {}
    coroutine: Any = task.coroutine
    line = 0
    found: dict[str, object] = {}
    while coroutine is not None and hasattr(coroutine, "cr_frame") and coroutine.cr_frame is not None:
        if coroutine.cr_code.co_filename.startswith("<model_under_test"):
            line = coroutine.cr_frame.f_lineno
            found |= coroutine.cr_frame.f_locals
        coroutine = coroutine.cr_await
    if task.waiting is None:
        return "start", {}
    return f"line {line}", {name: as_plain(value) for name, value in found.items() if name != "self"}


def _compiled_arrival(compiled: Compiled, state: State, process: int) -> Arrival:
    system = compiled.system
    name = system.processes[process].locations[state.locations[process]].partition(" (")[0]
    if name == system.processes[process].name:
        name = "action"
    local: dict[str, object] = {
        variable.name: state.values[number][0]
        for number, variable in enumerate(system.variables)
        if variable.owner == process and variable.name.isidentifier() and not variable.name.startswith("_")
    }
    return Arrival(fields_of(compiled, state), name, local)


# The comparison


@dataclass
class Comparison:
    text: str
    most_states: int = 200

    def run(self) -> int:
        """Compare; returns the number of states. Raises Difference, or ModelError if the model is refused."""
        self.compiled = read_model("model.py", self.text, {}, ignore_property=True)
        self.kind = executed(self.text)
        system = self.compiled.system
        start = reference.initial(system)
        seen = {start}
        todo: deque[tuple[State, Schedule]] = deque([(start, ())])
        while todo:
            state, schedule = todo.popleft()
            for after, step in self._successors(state, schedule):
                if after not in seen and len(seen) < self.most_states:
                    seen.add(after)
                    todo.append((after, (*schedule, step)))
        return len(seen)

    def _world(self, schedule: Schedule) -> World:
        world = World(self.kind())
        for number, decisions in schedule:
            fault = world.step(number, decided(decisions))
            if fault is not None:
                raise Difference(f"a step of the system is a fault under CPython: {fault}")
        return world

    def _successors(self, state: State, schedule: Schedule) -> Iterator[tuple[State, tuple[int, Decisions]]]:
        world = self._world(schedule)
        cpython = {name: as_plain(value) for name, value in fields(world.model).items()}
        found = fields_of(self.compiled, state)
        if cpython != found:
            raise Difference(f"after {self._shown(schedule)}: CPython has {cpython}, the system has {found}")
        self._compare_properties(world, state, schedule)
        ready = set(world.ready())
        world.close()
        arrivals = self._arrivals(state)
        for process in range(len(self.compiled.system.processes)):
            outcomes = list(self._outcomes(schedule, process)) if process in ready else []
            yield from self._matched(schedule, process, outcomes, arrivals.get(process, []))

    def _compare_properties(self, world: World, state: State, schedule: Schedule) -> None:
        system = self.compiled.system
        for invariant in (*system.invariants, *self.compiled.goals):
            name = invariant.name.partition(" ")[0]
            try:
                wanted: object = bool(getattr(world.model, name)())
            except Exception:
                wanted = "fault"
            try:
                found: object = bool(reference.evaluate(system, state, invariant.test))
            except reference.EvaluationFault:
                found = "fault"
            if wanted != found:
                raise Difference(f"after {self._shown(schedule)}: {name} is {wanted} under CPython, else {found}")

    def _arrivals(self, state: State) -> dict[int, list[State | None]]:
        """Where the processes lead in one step; None for a fault."""
        system = self.compiled.system
        found: dict[int, list[State | None]] = {}
        for firing in reference.firings(system, state):
            if firing.endless:
                raise Difference("an endless loop inside a step")
            if reference.is_arrival(firing.outcome):
                process = system.transitions[firing.event].moves[0].process
                after = firing.outcome.after
                found.setdefault(process, []).append(after if isinstance(after, State) else None)
        return found

    def _outcomes(self, schedule: Schedule, process: int) -> Iterator[tuple[Decisions, Arrival | None]]:
        """All steps of a process under CPython, with the decisions they need; None for a fault."""
        todo: list[Decisions] = [()]
        tried = 0
        while todo:
            decisions = todo.pop()
            tried += 1
            if tried > _MOST_OUTCOMES:
                raise TooManyChoices
            with closing(self._world(schedule)) as world:
                try:
                    fault = world.step(process, decided(decisions))
                except Undecided as undecided:
                    todo += [(*decisions, option) for option in reversed(range(undecided.options))]
                    continue
                except NotEnabled:
                    continue
                if isinstance(fault, Fault):
                    yield decisions, None
                else:
                    found = {name: as_plain(value) for name, value in fields(world.model).items()}
                    yield decisions, Arrival(found, *_cpython_place(world, process))

    def _matched(
        self,
        schedule: Schedule,
        process: int,
        outcomes: list[tuple[Decisions, Arrival | None]],
        arrivals: list[State | None],
    ) -> Iterator[tuple[State, tuple[int, Decisions]]]:
        name = self.compiled.system.processes[process].name
        where = f"after {self._shown(schedule)}, {name}"
        faults = sum(outcome is None for _, outcome in outcomes)
        if faults != sum(arrival is None for arrival in arrivals):
            raise Difference(f"{where}: {faults} faults under CPython, else {arrivals.count(None)}")
        left = [(decisions, outcome) for decisions, outcome in outcomes if outcome is not None]
        found = [(state, _compiled_arrival(self.compiled, state, process)) for state in arrivals if state is not None]
        if len(left) != len(found):
            raise Difference(f"{where}: {len(left)} steps under CPython, else {len(found)}")
        for (state, arrival), (decisions, outcome) in zip(found, left, strict=True):
            if not _agree(arrival, outcome):
                raise Difference(f"{where}{list(decisions)}: {_differences(arrival, outcome)}")
            yield state, (process, decisions)

    def _shown(self, schedule: Schedule) -> str:
        names = [self.compiled.system.processes[number].name for number, _ in schedule]
        steps = [f"{name}{list(made) or ''}" for name, (_, made) in zip(names, schedule, strict=True)]
        return " ".join(steps) or "nothing"


def _differences(arrival: Arrival, outcome: Arrival) -> str:
    """What an arrival of the system has, and what CPython has."""
    fields = {
        name: (value, outcome.fields[name]) for name, value in arrival.fields.items() if value != outcome.fields[name]
    }
    return f"{fields} {arrival.place}/{outcome.place} {arrival.locals}/{outcome.locals}"


def _agree(arrival: Arrival, outcome: Arrival) -> bool:
    """Whether an arrival of the system is that of CPython. A local variable that is dead is 0 in the system."""
    if arrival.fields != outcome.fields or arrival.place != outcome.place:
        return False
    numbers = {name: value for name, value in outcome.locals.items() if isinstance(value, int)}
    return all(value in (0, numbers[name]) for name, value in arrival.locals.items() if name in numbers)
