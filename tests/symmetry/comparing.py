"""A system and its canonical states, compared in every respect by the reference interpreter."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from scrimp.machine.canonical import canonical
from scrimp.machine.layout import Layout
from scrimp.machine.symmetric_ranges import static_layout
from scrimp.symmetry import finding, rebuilding
from scrimp.symmetry.auditing import audited, visited, visited_canonical
from scrimp.symmetry.proving import Subject
from scrimp.system import reference
from scrimp.system.expressions import Expression, Unary
from scrimp.system.reference import State
from scrimp.system.swaps import Symmetric, Symmetry
from scrimp.system.system import System

MOST_STATES = 400


def subject(system: System) -> Subject:
    return Subject(system, tuple((each.name, each.test) for each in system.invariants))


def looked_at(system: System) -> list[Expression]:
    return [Unary("!", invariant.test) for invariant in system.invariants]


def symmetry_of(system: System) -> Symmetry:
    return finding.find_symmetry(subject(system)).symmetry


def layout_for(system: System, symmetry: Symmetry) -> Layout:
    return static_layout(system, symmetry)


def orbits(symmetry: Symmetry, states: set[State]) -> int:
    """How many orbits some states are from; swaps apply in all states of an orbit or in none."""
    left, count = set(states), 0
    while left:
        count += 1
        left -= orbit(symmetry, left.pop())
    return count


def orbit(symmetry: Symmetry, state: State) -> set[State]:
    found, todo = {state}, [state]
    while todo:
        here = todo.pop()
        for swap in symmetry.swaps:
            image = swap(here) if swap.applies(here) else here
            if image not in found:
                found.add(image)
                todo.append(image)
    return found


def difference(system: System, seed: int = 0) -> str:
    """What is wrong about the symmetry that is found in a system; empty if nothing is, or if there are too many
    states."""
    symmetry = symmetry_of(system)
    if not symmetry.groups:
        return ""
    layout, seen = layout_for(system, symmetry), looked_at(system)
    everything = visited(system, seen, MOST_STATES)
    if everything is None:
        return ""
    if wrong := audited(system, symmetry, layout, seen, MOST_STATES):
        return wrong
    return (
        _wrong_count(system, symmetry, layout, everything.ordinary)
        or _wrong_path(system, symmetry, layout, Random(seed))
        or _wrong_coverage(system, symmetry, layout, everything.states)
    )


def _wrong_count(system: System, symmetry: Symmetry, layout: Layout, states: set[State]) -> str:
    chosen = visited_canonical(system, (), MOST_STATES, symmetry, layout)
    assert chosen is not None
    fewest = orbits(symmetry, states)
    is_exact = all(map(_has_one_canonical_state, symmetry.groups))
    if len(chosen.ordinary) < fewest or (is_exact and len(chosen.ordinary) != fewest):
        return f"{len(chosen.ordinary)} canonical states of {fewest} orbits"
    return "" if len(chosen.ordinary) <= len(states) else "more canonical states than states"


def _has_one_canonical_state(group: Symmetric) -> bool:
    """Whether sorting ends in the same way for all states of an orbit: if neighbours can be exchanged at other
    locations than the next neighbours, it may get stuck."""
    conditions = {tuple(locations for _, locations in swap.where) for swap in group.swaps}
    return group.sorted_by_blocks and len(conditions) == 1


def _wrong_path(system: System, symmetry: Symmetry, layout: Layout, random: Random, steps: int = 12) -> str:
    """Whether a random path through canonical states is rebuilt as one of the system itself."""
    state, _ = canonical(symmetry, layout, reference.initial(system))
    events: list[int] = []
    while len(events) < steps and (enabled := reference.enabled(system, state)):
        events.append(random.choice(enabled))
        after = reference.fire(system, state, events[-1])
        if not isinstance(after, State):
            break
        state = canonical(symmetry, layout, after)[0] if after.holder is None else after
    own = reference.initial(system)
    for event in rebuilding.concrete(system, symmetry, layout, events):
        if event not in reference.enabled(system, own):
            return "a rebuilt event is not enabled"
        after = reference.fire(system, own, event)
        if not isinstance(after, State):
            break
        own = after
    return "" if own.holder is not None or state in orbit(symmetry, own) else "a rebuilt path leads elsewhere"


def _wrong_coverage(system: System, symmetry: Symmetry, layout: Layout, states: Sequence[State] | set[State]) -> str:
    chosen = visited_canonical(system, (), MOST_STATES, symmetry, layout)
    assert chosen is not None
    own, theirs = (_fired(system, each) for each in (states, chosen.states))
    known = rebuilding.fired(system, symmetry, theirs)
    unknown = rebuilding.doubtful(system, symmetry, theirs)
    for event, fired in enumerate(own):
        if event not in unknown and fired != known[event]:
            return f"event {event} is fired, or not"
        if event in unknown and known[event] and not fired:
            return f"event {event} is taken for fired"
    return ""


def _fired(system: System, states: Sequence[State] | set[State]) -> bytes:
    fired = {event for state in states for event in reference.enabled(system, state)}
    return bytes(event in fired for event in range(len(system.transitions)))
