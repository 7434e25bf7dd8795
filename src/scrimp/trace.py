"""Traces: a path of events, replayed by the reference interpreter and described in the model's words."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import isqrt
from operator import eq
from typing import Any, SupportsIndex, overload

from scrimp.steps import Change, Passed, Step, StepMove, Trace, Value
from scrimp.system import reference
from scrimp.system.reference import EvaluationFault, Fault, Outcome, State
from scrimp.system.system import System
from scrimp.vocabulary import PLAIN, Marking, Names, Vocabulary


class ReplayError(Exception):
    """The reference interpreter cannot follow a path: native code and the reference disagree, or the file is wrong."""


class ReplayedSteps(Sequence[Step]):
    """The steps of a path, replayed when they are read: the steps of a long path would take more memory than the search
    that found it.

        event  event  event | event  event  event | event  ...    the numbers, as reported by the engine
        state               | state               | state         before the first event of every block

    There are about as many blocks as steps in a block. The block that was read last is kept, so that steps are replayed
    once if they are read in sequence, in either direction. A slice is a tuple. Two paths are equal if they have the
    same events of the same system.
    """

    __slots__ = ("_begin", "_block_size", "_events", "_last", "_latest", "_starts", "_system", "_vocabulary", "_words")

    def __init__(
        self, system: System, events: Sequence[int], vocabulary: Vocabulary = PLAIN, begin: State | None = None
    ) -> None:
        """Follow `events` from the state `begin`, or else from the initial one; raises ReplayError unless they are a
        path. Only the last event may fault. They are not copied, and must not change."""
        self._begin = reference.initial(system) if begin is None else begin
        self._system = system
        self._events = events
        self._vocabulary = vocabulary
        self._words = Words(system, vocabulary)
        self._block_size = isqrt(len(events)) + 1
        self._starts: list[State] = []
        self._latest: tuple[int, tuple[Step, ...]] = (-1, ())
        self._last = self._follow()

    def _follow(self) -> Outcome:
        last = Outcome(self._begin)
        for number, event in enumerate(self._events):
            if isinstance(last.after, Fault):
                raise ReplayError(f"step {number + 1}: the step before it faulted: {last.after.message}")
            if number % self._block_size == 0:
                self._starts.append(last.after)
            last = step(self._system, last.after, event, number + 1)
        return last

    @property
    def begin(self) -> State:
        """The state in which the path begins."""
        return self._begin

    @property
    def system(self) -> System:
        return self._system

    @property
    def vocabulary(self) -> Vocabulary:
        return self._vocabulary

    @property
    def words(self) -> Words:
        return self._words

    @property
    def end(self) -> State | Fault:
        """The end of the path: a state, or a fault of its last event."""
        return self._last.after

    @property
    def failed(self) -> tuple[Fault, ...]:
        """The violations of the last event that are not faults."""
        return self._last.failed

    def lasso(self, cycle: Sequence[int]) -> Trace:
        """This path followed by a cycle; raises ReplayError unless its events lead back to the end of the path. A cycle
        without events repeats a state that has none."""
        if isinstance(self.end, Fault):
            raise ReplayError(f"a cycle cannot begin in a fault: {self.end.message}")
        if not cycle and (self.end.holder is not None or reference.enabled(self._system, self.end)):
            raise ReplayError("the cycle has no steps, and the state that it should repeat has events")
        around = ReplayedSteps(self._system, cycle, self._vocabulary, self.end)
        if around.end != self.end:
            raise ReplayError(f"the cycle does not close: its {len(cycle)} steps lead to another state")
        return Trace(self, around)

    def closed_chain(self) -> Trace | None:
        """This path with its cycle, if it ends in a transient state that it has passed since its last ordinary state;
        None otherwise."""
        seen: list[State] = []
        state = self._begin
        for event in self._events:
            seen = [*seen, state] if state.holder is not None else []
            after = reference.fire(self._system, state, event)
            if isinstance(after, Fault):
                return None
            state = after
        if state not in seen:
            return None
        place = len(self) - (len(seen) - seen.index(state))
        path = ReplayedSteps(self._system, self._events[:place], self._vocabulary, self._begin)
        return path.lasso(self._events[place:])

    def __len__(self) -> int:
        return len(self._events)

    @overload
    def __getitem__(self, index: SupportsIndex) -> Step: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Step, ...]: ...
    def __getitem__(self, index: SupportsIndex | slice) -> Step | tuple[Step, ...]:
        places = range(len(self))[index]
        if isinstance(places, range):
            return tuple(map(self._step, places))
        return self._step(places)

    def __iter__(self) -> Iterator[Step]:
        for number in range(len(self._starts)):
            yield from self._block(number)

    def __reversed__(self) -> Iterator[Step]:
        for number in reversed(range(len(self._starts))):
            yield from reversed(self._block(number))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ReplayedSteps):
            return NotImplemented
        same_way = len(self) == len(other) and all(map(eq, self._events, other._events))
        return same_way and self._begin == other._begin and self._system == other._system

    def __hash__(self) -> int:
        return hash((len(self), *self._events[: self._block_size]))

    def __repr__(self) -> str:
        return f"<{len(self)} steps of {self._system.name}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return ReplayedSteps, (self._system, array("I", self._events), self._vocabulary, self._begin)

    def _step(self, place: int) -> Step:
        number, within = divmod(place, self._block_size)
        return self._block(number)[within]

    def _block(self, number: int) -> tuple[Step, ...]:
        latest, block = self._latest
        if latest != number:
            block = tuple(self._replay(number))
            self._latest = number, block
        return block

    def _replay(self, number: int) -> Iterator[Step]:
        """The steps of a block. Its events are enabled: that was checked when they were first followed."""
        state = self._starts[number]
        first = number * self._block_size
        for event in self._events[first : first + self._block_size]:
            outcome = reference.outcome(self._system, state, event)
            yield self._words.step(state, event, outcome)
            if isinstance(outcome.after, Fault):
                return
            state = outcome.after


def step(system: System, state: State, event: int, number: int) -> Outcome:
    """Fire one event of a replayed path, after checking that it is enabled."""
    if not 0 <= event < len(system.transitions):
        raise ReplayError(f"step {number}: there is no event {event}")
    urgent = system.transitions[event].urgent
    if not urgent and reference.is_committed(system, state):
        raise ReplayError(f"step {number}: event {event} is not enabled: a process is at a committed location")
    if event not in reference.enabled(system, state):
        raise ReplayError(f"step {number}: event {event} is not enabled")
    return reference.outcome(system, state, event)


class Words:
    """Describes events in the model's words. The steps of a long trace share the description of an event."""

    def __init__(self, system: System, vocabulary: Vocabulary = PLAIN) -> None:
        self._system = system
        self._vocabulary = vocabulary
        self._moves: dict[int, tuple[StepMove, ...]] = {}

    def moves(self, event: int) -> tuple[StepMove, ...]:
        """The moves of the processes that take part in an event."""
        if event not in self._moves:
            moves = _moves(self._system, event)
            net = self._vocabulary.marking is not None
            self._moves[event] = (replace(moves[0], source="", target=""),) if net else moves
        return self._moves[event]

    def step(self, before: State, event: int, outcome: Outcome) -> Step:
        """The step that an event made."""
        passed = self._passed(before, event)
        if isinstance(outcome.after, Fault):
            return Step(event, self.moves(event), (), outcome.after.message, passed)
        changed = tuple(self.changes(before, outcome.after, self._gone(event)))
        failed = "; ".join(fault.message for fault in outcome.failed) or None
        return Step(event, self.moves(event), changed, failed, passed, outcome.after.holder is not None)

    def changes(self, before: State, after: State, gone: frozenset[int] = frozenset()) -> Iterator[Change]:
        """The variables, elements and channels that differ between two states, in the order of their declaration,
        without the variables of processes that are `gone`."""
        if self._vocabulary.marking is not None:
            yield from self._token_changes(self._vocabulary.marking, before, after)
            return
        for variable, (old, new) in enumerate(zip(before.values, after.values, strict=True)):
            if old is not new and old != new and self._system.variables[variable].owner not in gone:
                yield from self._variable_changes(variable, old, new)
        for channel, (sent, now) in enumerate(zip(before.channels, after.channels, strict=True)):
            if sent != now:
                names = self._vocabulary.messages.get(channel, ())
                yield Change(self._system.channels[channel].name, sent, now, names)

    def _gone(self, event: int) -> frozenset[int]:
        """The processes that an event ends."""
        moves = self._system.transitions[event].moves
        return frozenset(m.process for m in moves if not self._vocabulary.place(self._system, m.process, m.target))

    def valuation(self, state: State) -> Iterator[tuple[str, Value, tuple[Names, ...]]]:
        """Every variable, element and channel of a state with its value and the names of its values; of a net, the
        places that hold tokens."""
        if self._vocabulary.marking is not None:
            yield from ((name, count, ()) for name, count in self._marked(state))
            return
        for variable, values in enumerate(state.values):
            if not self._vocabulary.is_there(self._system, variable, state.locations):
                continue
            for element, value in enumerate(values):
                name = self._vocabulary.element(self._system, variable, element)
                yield name, value, self._vocabulary.names(variable)
        for channel, messages in enumerate(state.channels):
            yield self._system.channels[channel].name, messages, self._vocabulary.messages.get(channel, ())

    def places(self, state: State) -> Iterator[str]:
        """The location of every process that runs; a net has no processes."""
        if self._vocabulary.marking is not None:
            yield "marking"
            return
        yield from filter(None, (self.place(state, process) for process in range(len(state.locations))))

    def place(self, state: State, process: int) -> str:
        """The location of one process."""
        return self._vocabulary.place(self._system, process, state.locations[process])

    def _marked(self, state: State) -> Iterator[tuple[str, int]]:
        """The places of a net that hold tokens."""
        marking = self._vocabulary.marking
        assert marking is not None
        tokens = marking.tokens(state.locations, state.values)
        return ((name, count) for name, count in zip(marking.places, tokens, strict=True) if count)

    def _token_changes(self, marking: Marking, before: State, after: State) -> Iterator[Change]:
        tokens = (marking.tokens(state.locations, state.values) for state in (before, after))
        for name, old, new in zip(marking.places, *tokens, strict=True):
            if old != new:
                yield Change(name, old, new)

    def _variable_changes(self, variable: int, old: tuple[int, ...], new: tuple[int, ...]) -> Iterator[Change]:
        names = self._vocabulary.names(variable)
        for element, (before, after) in enumerate(zip(old, new, strict=True)):
            if before != after:
                yield Change(self._vocabulary.element(self._system, variable, element), before, after, names)

    def _passed(self, before: State, event: int) -> Passed | None:
        """The message of a handshake; None for other events, or if it cannot be evaluated."""
        handshake = self._vocabulary.handshakes.get(event)
        if handshake is None:
            return None
        try:
            values = tuple(reference.evaluate(self._system, before, value) for value in handshake.values)
        except EvaluationFault:
            return None
        return Passed(handshake.channel, values, handshake.names)


def _moves(system: System, event: int) -> tuple[StepMove, ...]:
    return tuple(
        StepMove(
            process=system.mover(move),
            source=system.processes[move.process].locations[move.source],
            target=system.processes[move.process].locations[move.target],
            text=move.text,
            line=move.position.line,
            column=move.position.column,
            file=move.position.file,
        )
        for move in system.transitions[event].moves
    )
