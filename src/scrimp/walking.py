"""A walk through a model, step by step, on the reference interpreter: the basis of `simulate`, `replay` and `view`."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator
from random import Random

from scrimp.errors import ScrimpError
from scrimp.frontends.model import Model
from scrimp.growth import grow, remember, settled
from scrimp.steps import Step, StepMove, Trace
from scrimp.system import reference
from scrimp.system.reference import Fault, Outcome, Outgrown, State
from scrimp.system.system import System
from scrimp.trace import ReplayedSteps, ReplayError, Words, step

ANOTHER_MODEL = "was the trace made from another model?"

# Every so many steps, the state before the step is kept: a state in the middle is reached by replaying fewer than that.
BLOCK = 256


class Walk:
    """The events so far, and the state that they lead to; it ends if no event is enabled or one has faulted.

    If a step needs more room than the system has, the model grows and the steps so far are taken again. Events have
    other numbers then, so a number is valid only until the next step.
    """

    def __init__(self, model: Model) -> None:
        self._asked = model
        self._before_cycle: int | None = None
        self._begin(settled(model))

    def _begin(self, model: Model) -> None:
        self.model = model
        self.words = Words(model.system, model.vocabulary)
        self._events = array("I")
        self._starts: list[State] = []  # before the first event of every block
        self.last: Step | None = None
        """The last step."""
        self.end: State | Fault = reference.initial(model.system)
        self.failed: tuple[Fault, ...] = ()
        """The violations of the last step that are not faults."""

    @property
    def system(self) -> System:
        return self.model.system

    @property
    def length(self) -> int:
        return len(self._events)

    @property
    def before_cycle(self) -> int | None:
        """How many steps come before the cycle; None if the walk is an ordinary path."""
        return self._before_cycle

    @property
    def trace(self) -> Trace:
        """The steps so far; raises ReplayError if those since `begin_cycle` do not lead back."""
        if self._before_cycle is None:
            return Trace(self._replayed())
        return self._replayed(self._before_cycle).lasso(self._events[self._before_cycle :])

    def begin_cycle(self) -> None:
        """Begin a cycle: the following steps should lead back to this state."""
        self._before_cycle = self.length

    def forget_cycle(self) -> None:
        """Treat the steps so far as an ordinary path, which may continue."""
        self._before_cycle = None

    @property
    def closes(self) -> bool:
        """Whether the steps end in a cycle that leads back to its first state."""
        start = self._before_cycle
        if start == self.length:  # a state without events repeats forever
            return not self.events()
        return start is not None and self._replayed(start).end == self.end

    @property
    def goes_on_alone(self) -> bool:
        """Whether no other process gets a turn in the cycle: all its states are transient."""
        return self.closes and all(step.transient for step in self.trace.cycle or ())

    def events(self) -> list[int]:
        """The enabled events."""
        return [] if isinstance(self.end, Fault) else reference.enabled(self.system, self.end)

    def moves(self, event: int) -> tuple[StepMove, ...]:
        """The moves of an event."""
        return self.words.moves(event)

    def take(self, event: int) -> Step:
        """Take an enabled event; raises ReplayError for others."""
        while True:
            try:
                return self._take(event)
            except Outgrown as outgrown:
                moves = self.moves(event)
                self._grow(outgrown.need)
                event = self._found_again(moves)

    def _take(self, event: int) -> Step:
        before = self._state()
        outcome = step(self.system, before, event, self.length + 1)
        if self.length % BLOCK == 0:
            self._starts.append(before)
        self.end, self.failed = outcome.after, outcome.failed
        self.last = self.words.step(before, event, outcome)
        self._events.append(event)
        return self.last

    def _grow(self, need: str) -> None:
        """Make room, and take the steps so far again."""
        taken = [self.moves(event) for event in self._events]
        larger = settled(grow(self.model, need, self._state()))
        self._begin(larger)
        for moves in taken:
            self._take(self._found_again(moves))
        remember(self._asked, larger)

    def _found_again(self, moves: tuple[StepMove, ...]) -> int:
        """The event with these moves. If the system was too small for the event, they lack those of the process that it
        starts."""
        events = self.events()
        same = [event for event in events if self.moves(event) == moves]
        longer = [event for event in events if self.moves(event)[: len(moves)] == moves]
        return (same or longer)[0]

    def like(self, expected: Step) -> int | None:
        """The event of a recorded step: the same processes execute the same statements. If there are several, one at
        the same places or, failing that, with the same number is preferred. If the system is too small for the step,
        the event that makes it larger."""
        events = self.events()
        same = [event for event in events if _actions(self.moves(event)) == _actions(expected.moves)]
        if same:
            return max(same, key=lambda event: (self.moves(event) == expected.moves, event == expected.event))
        started = [event for event in events if _actions(self.moves(event)) == _actions(expected.moves[:1])]
        return started[0] if started and self.model.growth is not None else None

    def undo(self) -> None:
        """Take back the last step."""
        self.back_to(max(self.length - 1, 0))

    def back_to(self, length: int) -> None:
        """Take back all steps but the first `length`."""
        del self._events[length:]
        del self._starts[-(-length // BLOCK) :]
        self._before_cycle = None
        self.end, self.failed, self.last = reference.initial(self.system), (), None
        for before, event, outcome in self._replay(max(length - 1, 0), length):
            self.end, self.failed = outcome.after, outcome.failed
            self.last = self.words.step(before, event, outcome)

    def branch(self, length: int) -> Walk:
        """Another walk, which begins with the first `length` steps of this one."""
        made = Walk.__new__(Walk)
        made._asked, made.model, made.words = self._asked, self.model, self.words
        made._events, made._starts = self._events[:length], self._starts[: -(-length // BLOCK)]
        made.back_to(length)
        return made

    def state(self, place: int) -> State | Fault:
        """The state after the first `place` steps."""
        if place == self.length:
            return self.end
        if place % BLOCK == 0:
            return self._starts[place // BLOCK]
        *_, (_, _, outcome) = self._replay(place - 1, place)
        return outcome.after

    def steps(self, first: int, last: int) -> list[Step]:
        """The steps from place `first` up to `last`, which does not belong to them; places count from 0."""
        return [self.words.step(*taken) for taken in self._replay(first, last)]

    def event(self, place: int) -> int:
        """The number of the event of a step."""
        return self._events[place]

    def states(self, first: int, last: int) -> Iterator[State]:
        """The states in which the steps from `first` up to `last` were taken."""
        return (before for before, _, _ in self._replay(first, last))

    def _replay(self, first: int, last: int) -> Iterator[tuple[State, int, Outcome]]:
        """The steps from `first` up to `last`: the state before, the event and its outcome."""
        block = first - first % BLOCK
        if block >= min(last, self.length):
            return
        state = self._starts[block // BLOCK]
        for place in range(block, min(last, self.length)):
            event = self._events[place]
            outcome = reference.outcome(self.system, state, event)
            if place >= first:
                yield state, event, outcome
            if isinstance(outcome.after, Fault):
                return
            state = outcome.after

    def ending(self) -> str | None:
        """Why there is no next step, in words; None if there is one."""
        if isinstance(self.end, Fault):
            return self.end.message
        if self.events():
            return None
        kind = "deadlock" if reference.is_deadlock(self.system, self.end) else "a valid end"
        return f"{kind}: {self.model.vocabulary.nothing_moves}"

    def _state(self) -> State:
        if isinstance(self.end, Fault):
            raise ReplayError(f"step {self.length + 1}: the step before it faulted: {self.end.message}")
        return self.end

    def _replayed(self, length: int | None = None) -> ReplayedSteps:
        """The steps so far, or the first `length` of them."""
        return ReplayedSteps(self.system, self._events[:length], self.model.vocabulary)


def take_random_steps(
    walk: Walk, random: Random, steps: int, until: Callable[[State], bool] = lambda state: False
) -> bool:
    """Take up to `steps` random steps, until a state fulfils a condition; returns whether one does."""
    for _ in range(steps):
        events = walk.events()
        if not events:
            return False
        walk.take(random.choice(events))
        if isinstance(walk.end, State) and until(walk.end):
            return True
    return False


def follow_trace(walk: Walk, trace: Trace, name: str) -> None:
    """Take the path and the cycle of a trace; a cycle that does not close is refused."""
    follow(walk, trace.steps, name)
    if trace.cycle is not None:
        walk.begin_cycle()
        follow(walk, trace.cycle, name)
        require_closed(walk, name)


def require_closed(walk: Walk, name: str) -> None:
    """Refuse a cycle that does not lead back to its first state."""
    if not walk.closes:
        raise ScrimpError(f"{name}: the cycle does not close: it does not lead back to its first state")


def follow(walk: Walk, steps: Iterable[Step], name: str) -> None:
    """Take the steps of a trace; a step that the model cannot take here is refused."""
    for expected in steps:
        if isinstance(walk.end, Fault):
            raise ScrimpError(f"{name}: step {walk.length + 1}: the step before it faulted; {ANOTHER_MODEL}")
        event = walk.like(expected)
        if event is None or _actions(walk.take(event).moves) != _actions(expected.moves):
            where = f"{name}: step {walk.length + (event is None)}"
            raise ScrimpError(f"{where}: the model has no step {_shown(expected)} here; {ANOTHER_MODEL}")


def _actions(moves: tuple[StepMove, ...]) -> list[tuple[str, str]]:
    return [(move.process, move.text) for move in moves]


def _shown(taken: Step) -> str:
    return " with ".join(f"{process} '{text}'" for process, text in _actions(taken.moves))
