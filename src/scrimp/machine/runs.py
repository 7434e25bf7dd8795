"""The functions for runs of transitions with the same leading process, consecutive in the order of event ids.

Such a function switches over the location of that process and tries the transitions that leave it in turn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from scrimp.machine.abi import ATOMIC_FLAG, FAILED_FLAG, FAULT_FLAG, MISFIT_FLAG
from scrimp.machine.context import Context
from scrimp.machine.draft import Draft
from scrimp.machine.effects import Effects
from scrimp.machine.evaluation import FALSE_BIT, Evaluator, Value, conjuncts
from scrimp.machine.intervals import BOOLEAN, NO, YES
from scrimp.machine.waiting import waits
from scrimp.system.expressions import TRUE, At
from scrimp.system.system import System, Transition

_LARGE_COPY = 6
# More transitions than this, from one location or in total, are split among several functions: compilers take more
# than linear time. 2,300 transitions in a row take 1.1 s instead of 7 s.
_MOST_IN_A_ROW = 128
_MOST_IN_A_FUNCTION = 4_096


class Event(NamedTuple):
    """`flags` are those that it has whenever it leads to a state."""

    number: int
    transition: Transition
    flags: int


class Run(NamedTuple):
    """A generated function: the process that leads its events, whether it may report flags, whether it tests
    timeouts."""

    name: str
    process: int
    flags: bool
    waits: bool


def copies_whole(context: Context) -> bool:
    """Whether a successor starts as a copy of the state, made by a separate function."""
    return context.layout.words > _LARGE_COPY


def runs(system: System) -> list[list[Event]]:
    """All events, in order; each run has one leading process."""
    events = [Event(number, t, _flags(system, t)) for number, t in enumerate(system.transitions)]
    led = (list(run) for _, run in groupby(events, key=lambda event: event.transition.moves[0].process))
    return [piece for run in led for piece in _pieces(run)]


def _pieces(run: list[Event]) -> Iterator[list[Event]]:
    """A run, or several if it is very long or very many of its events leave the same location."""
    in_a_row = max(Counter(event.transition.moves[0].source for event in run).values())
    step = _MOST_IN_A_FUNCTION if in_a_row <= _MOST_IN_A_ROW else _MOST_IN_A_ROW
    for start in range(0, len(run), step):
        yield run[start : start + step]


def _flags(system: System, transition: Transition) -> int:
    atomic = transition.holder is not None or transition.moves[0].process == system.claim
    return ATOMIC_FLAG if atomic else 0


def write_run(context: Context, name: str, events: Sequence[Event]) -> Run:
    process = events[0].transition.moves[0].process
    waiting = any(waits(event.transition) for event in events)
    parameters = ["ptr noalias readonly %state", "ptr noalias %out", "ptr noalias %events", "i64 %count"]
    if context.system.committed is not None:
        parameters.append("i1 %committed")
    if waiting:
        parameters.append("i1 %timeout")
    timeout = Value("%timeout", BOOLEAN, True) if waiting else FALSE_BIT
    with context.writer.function(f"internal fastcc i64 @{name}({', '.join(parameters)}) #0"):
        flags = _write_locations(context, process, events, timeout)
    return Run(name, process, flags, waiting)


def _write_locations(context: Context, process: int, events: Sequence[Event], timeout: Value) -> bool:
    """A switch over the locations of the leading process; returns whether any event may report flags."""
    leaving: dict[int, list[Event]] = {}
    for event in events:
        leaving.setdefault(event.transition.moves[0].source, []).append(event)
    locations = [location for location in context.layout.codes[process] if location in leaving]
    flags = False
    for location, label in context.each_location(process, locations, elsewhere="nothing"):
        flags |= _Location(context, process, location, timeout).write(leaving[location], label)
    context.writer.begin("nothing")
    context.writer.do("ret i64 %count")
    return flags


class _Location:
    """The code that tries the transitions that leave one location of the leading process, one after the other."""

    def __init__(self, context: Context, process: int, location: int, timeout: Value) -> None:
        self.context = context
        self.system = context.system
        self.layout = context.layout
        self.writer = context.writer
        self.process = process
        self.location = location
        self.timeout = timeout
        self.count = "%count"
        self.flags: str | None = None
        self.block = ""

    def write(self, events: Sequence[Event], label: str) -> bool:
        self.block = label
        for event in events:
            self._try(event)
        result = self.count
        if self.flags is not None:
            result = self.writer.value(f"or i64 {result}, {self.flags}")
        self.writer.do(f"ret i64 {result}")
        return self.flags is not None

    def _try(self, event: Event) -> None:
        transition = event.transition
        at = {self.process: self.location}
        evaluator = self.context.evaluator(at, self.timeout)
        moves = [At(move.process, move.source) for move in transition.moves[1:]]
        tests = [*moves, *(conjuncts(transition.guard) if transition.guard != TRUE else ())]
        truth = evaluator.all_of(tests)
        enabled = self._enabled(evaluator, truth, transition)
        if enabled.interval == NO:
            return
        if evaluator.faults:
            evaluator.box = self.context.box()
        at.update((move.process, move.source) for move in transition.moves)
        if enabled.interval == YES:
            self._fire(event, evaluator)
            return
        self._fire_if(enabled.text, event, evaluator)

    def _enabled(self, evaluator: Evaluator, truth: Value, transition: Transition) -> Value:
        faulted = evaluator.faulted()
        if faulted is not None:
            truth = Value(self.writer.value(f"or i1 {truth.text}, {faulted}"), BOOLEAN, True)
        if self.system.committed is None or transition.urgent or truth.interval == NO:
            return truth
        free = self.writer.value("xor i1 %committed, true")
        return Value(self.writer.value(f"and i1 {truth.text}, {free}"), BOOLEAN, True)

    def _fire_if(self, enabled: str, event: Event, evaluator: Evaluator) -> None:
        fire, following = self.writer.label(), self.writer.label()
        before, count, flags = self.block, self.count, self.flags
        self.writer.do(f"br i1 {enabled}, label %{fire}, label %{following}")
        self.writer.begin(fire)
        with self.writer.scope():
            self._fire(event, evaluator)
            self.writer.do(f"br label %{following}")
        self.writer.begin(following)
        self.count = self.writer.fresh(f"phi i64 [{count}, %{before}], [{self.count}, %{fire}]")
        if self.flags is not None:
            self.flags = self.writer.fresh(f"phi i64 [{flags or 0}, %{before}], [{self.flags}, %{fire}]")
        self.block = following

    def _fire(self, event: Event, evaluator: Evaluator) -> None:
        """Write the successor and its event at the position given by the count, and increment it."""
        slot = self.writer.value(f"getelementptr [{self.layout.words} x i64], ptr %out, i64 {self.count}")
        draft = evaluator.draft
        draft.slot = slot
        effects = Effects(evaluator)
        effects.execute(event.transition.effect)
        for move in event.transition.moves:
            if move.source != move.target:
                raws = self.layout.raws[move.process]
                draft.replace(self.layout.locations[move.process], raws[move.source], raws[move.target])
        self._store(draft, slot)
        if self.context.symmetry is not None and not event.flags & ATOMIC_FLAG:
            self.writer.do(f"call fastcc void @canonical(ptr {slot})")
        place = self.writer.value(f"getelementptr i32, ptr %events, i64 {self.count}")
        self.writer.do(f"store i32 {self._flagged(event, evaluator, effects)}, ptr {place}")
        self.count = self.writer.value(f"add i64 {self.count}, 1")

    def _store(self, draft: Draft, slot: str) -> None:
        draft.settle()
        words: Sequence[int] = range(self.layout.words)
        if copies_whole(self.context):
            self.writer.do(f"call fastcc void @copy(ptr %state, ptr {slot})")
            words = sorted(draft.changed)
        for word in words:
            self.writer.do(f"store i64 {draft.word(word)}, ptr {draft.address(slot, word)}")

    def _flagged(self, event: Event, evaluator: Evaluator, effects: Effects) -> str:
        """The event's id with its flags, which are added to those of the events before."""
        flag = str(event.flags)
        for bits, meaning in (
            (effects.failures, event.flags | FAILED_FLAG),
            (evaluator.faults, FAULT_FLAG),
            (effects.misfits, MISFIT_FLAG),
        ):
            happened = evaluator.either(bits)
            if happened is not None:
                flag = self.writer.value(f"select i1 {happened}, i32 {meaning}, i32 {flag}")
        if flag != str(event.flags):
            self._add_flags(self.writer.value(f"shl i64 {self.writer.value(f'zext i32 {flag} to i64')}, 32"))
            return self.writer.value(f"or i32 {flag}, {event.number}")
        if event.flags:
            self._add_flags(str(event.flags << 32))
        return str(event.flags | event.number)

    def _add_flags(self, wide: str) -> None:
        if self.flags is None:
            self.flags = wide
        elif self.flags != wide:
            self.flags = self.writer.value(f"or i64 {self.flags}, {wide}")
