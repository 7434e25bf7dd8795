"""The checking twin of symmetries: the reference interpreter tries every swap in every state of a small system, and
searches its canonical states beside all of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from scrimp.machine.canonical import canonical
from scrimp.machine.layout import Layout
from scrimp.system import reference
from scrimp.system.expressions import Expression
from scrimp.system.reference import EvaluationFault, Fault, Outcome, Outgrown, State
from scrimp.system.swaps import Swap, Symmetry
from scrimp.system.system import System


def audited(system: System, symmetry: Symmetry, layout: Layout, seen: Sequence[Expression], most: int) -> str:
    """How a symmetry of a system is none, in words; empty if it is one, or if there are more than `most` states."""
    everything = _visited(system, seen, most)
    if everything is None:
        return ""
    for state in everything.states:
        for number, swap in enumerate(symmetry.swaps):
            if swap.applies(state) and (difference := _difference(system, swap, state, seen)):
                return f"swap {number} is no symmetry: {difference}"
    chosen = _visited(system, seen, most, symmetry, layout)
    if chosen is None:
        return "there are more canonical states than states"
    if chosen.answers != everything.answers:
        return f"the canonical states have other answers: {sorted(chosen.answers ^ everything.answers)}"
    return ""


@dataclass
class Visited:
    """The states of a search, transient ones included, and what was found in them."""

    states: set[State] = field(default_factory=set)
    answers: set[str] = field(default_factory=set)

    @property
    def ordinary(self) -> set[State]:
        return {state for state in self.states if state.holder is None}


def _visited(
    system: System,
    seen: Sequence[Expression],
    most: int,
    symmetry: Symmetry | None = None,
    layout: Layout | None = None,
) -> Visited | None:
    """All states, or all canonical ones; None if there are too many."""

    def chosen(state: State) -> State:
        if symmetry is None or layout is None or state.holder is not None:
            return state
        return canonical(symmetry, layout, state)[0]

    start = chosen(reference.initial(system))
    found, todo = Visited({start}), [start]
    while todo:
        state = todo.pop()
        found.answers.update(_answers(system, state, seen))
        for event in reference.enabled(system, state):
            try:
                outcome = reference.outcome(system, state, event)
            except Outgrown:
                return None
            found.answers.update(_failures(outcome))
            after = outcome.after
            if isinstance(after, State) and (following := chosen(after)) not in found.states:
                found.states.add(following)
                todo.append(following)
        if len(found.states) > most:
            return None
    return found


def visited(system: System, seen: Sequence[Expression], most: int) -> Visited | None:
    """All states of a system and what is found in them; None if there are more than `most`."""
    return _visited(system, seen, most)


def visited_canonical(
    system: System, seen: Sequence[Expression], most: int, symmetry: Symmetry, layout: Layout
) -> Visited | None:
    """The canonical states of a system, likewise."""
    return _visited(system, seen, most, symmetry, layout)


def _answers(system: System, state: State, seen: Sequence[Expression]) -> Iterator[str]:
    if state.holder is not None:
        return
    if reference.is_deadlock(system, state):
        yield "deadlock"
    for number, expression in enumerate(seen):
        if _holds(system, state, expression):
            yield f"watch {number}"


def _failures(outcome: Outcome) -> Iterator[str]:
    yield from (f"failed {failed.kind}" for failed in outcome.failed)
    if isinstance(outcome.after, Fault):
        yield f"fault {outcome.after.kind}"


def _holds(system: System, state: State, expression: Expression) -> bool:
    try:
        return reference.evaluate(system, state, expression) != 0
    except EvaluationFault:
        return True


def _difference(system: System, swap: Swap, state: State, seen: Sequence[Expression]) -> str:
    """How a state and its image differ in more than the swap."""
    image = swap(state)
    if set(_answers(system, state, seen)) != set(_answers(system, image, seen)):
        return "a state and its image have different answers"
    events, images = (set(reference.enabled(system, each)) for each in (state, image))
    if not {swap.events[event] for event in events} <= images:
        return f"events {sorted(events)} are enabled, and {sorted(images)} in the image"
    if not {swap.events[event] for event in images} <= events:
        return f"events {sorted(images)} are enabled in the image, and {sorted(events)} before"
    for event in events:
        after, of_image = (reference.outcome(system, *step) for step in ((state, event), (image, swap.events[event])))
        if set(_failures(after)) != set(_failures(of_image)):
            return f"event {event} fails, or its image does"
        if isinstance(after.after, State) and swap(after.after) != of_image.after:
            return f"event {event} leads to a state, and its image not to that state's image"
    return ""
