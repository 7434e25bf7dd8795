"""Traces: a path of events replayed by the reference interpreter and put into the model's words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from scrimp.result import Change, Step, StepMove, Trace, Value
from scrimp.system import reference
from scrimp.system.reference import Fault, State
from scrimp.system.system import System


class ReplayError(Exception):
    """A path that the reference interpreter cannot follow: native code and reference disagree, or the file is wrong."""


@dataclass(frozen=True, slots=True)
class Replay:
    """A replayed trace, and where it ends: in a state, or in a fault of its last event."""

    trace: Trace
    end: State | Fault


def replay(system: System, events: Sequence[int]) -> Replay:
    """Follow `events` from the initial state; only the last one may fault."""
    steps: list[Step] = []
    words = Words(system)
    end: State | Fault = reference.initial(system)
    for number, event in enumerate(events, start=1):
        if isinstance(end, Fault):
            raise ReplayError(f"step {number}: the step before it faulted: {end.message}")
        before, end = end, step(system, end, event, number)
        steps.append(words.step(before, event, end))
    return Replay(Trace(tuple(steps)), end)


def step(system: System, state: State, event: int, number: int) -> State | Fault:
    """Fire one event of a replayed path after checking that it may be fired here."""
    if not 0 <= event < len(system.transitions):
        raise ReplayError(f"step {number}: there is no event {event}")
    urgent = system.transitions[event].urgent
    if not urgent and reference.is_committed(system, state):
        raise ReplayError(f"step {number}: event {event} is not enabled: a process is at a committed location")
    if not reference.is_enabled(system, state, event):
        raise ReplayError(f"step {number}: event {event} is not enabled")
    return reference.fire(system, state, event)


class Words:
    """Tells events in the model's words. The steps of a long trace share what is said of the same event."""

    def __init__(self, system: System) -> None:
        self._system = system
        self._moves: dict[int, tuple[StepMove, ...]] = {}

    def moves(self, event: int) -> tuple[StepMove, ...]:
        """Who moves in an event, and how."""
        if event not in self._moves:
            self._moves[event] = _moves(self._system, event)
        return self._moves[event]

    def step(self, before: State, event: int, after: State | Fault) -> Step:
        """What an event did."""
        if isinstance(after, Fault):
            return Step(event, self.moves(event), (), after.message)
        return Step(event, self.moves(event), tuple(changes(self._system, before, after)))


def _moves(system: System, event: int) -> tuple[StepMove, ...]:
    return tuple(
        StepMove(
            process=system.processes[move.process].name,
            source=system.processes[move.process].locations[move.source],
            target=system.processes[move.process].locations[move.target],
            text=move.text,
            line=move.position.line,
            column=move.position.column,
        )
        for move in system.transitions[event].moves
    )


def changes(system: System, before: State, after: State) -> Iterator[Change]:
    """The variables, elements and channels that differ between two states, in the order of their declaration."""
    for variable, (old, new) in enumerate(zip(before.values, after.values, strict=True)):
        if old is not new and old != new:
            yield from _variable_changes(system, variable, old, new)
    for channel, old_messages, new_messages in zip(system.channels, before.channels, after.channels, strict=True):
        if old_messages != new_messages:
            yield Change(channel.name, old_messages, new_messages)


def valuation(system: System, state: State) -> Iterator[tuple[str, Value]]:
    """Every variable, element and channel of a state with what it holds."""
    for variable, values in enumerate(state.values):
        yield from zip(_element_names(system, variable), values, strict=True)
    for channel, messages in zip(system.channels, state.channels, strict=True):
        yield channel.name, messages


def variable_name(system: System, variable: int) -> str:
    """A variable's name as users read it: a local one after its process."""
    declared = system.variables[variable]
    return declared.name if declared.owner is None else f"{system.processes[declared.owner].name}.{declared.name}"


def _element_names(system: System, variable: int) -> Iterable[str]:
    name = variable_name(system, variable)
    length = system.variables[variable].length
    return [name] if length is None else [f"{name}[{element}]" for element in range(length)]


def _variable_changes(system: System, variable: int, old: tuple[int, ...], new: tuple[int, ...]) -> Iterator[Change]:
    name = variable_name(system, variable)
    scalar = system.variables[variable].length is None
    for element, (before, after) in enumerate(zip(old, new, strict=True)):
        if before != after:
            yield Change(name if scalar else f"{name}[{element}]", before, after)
