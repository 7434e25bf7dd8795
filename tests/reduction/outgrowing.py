"""Random models that their systems are too small for, and what relations say about it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

from tests.passes.random_stacks import random_stack
from tests.reduction.passing import related

from scrimp.frontends.promela import PromelaGrowth, read_model
from scrimp.reduction.relations import Relations, build_relations
from scrimp.system.reference import Fault, Outgrown, State, enabled, initial, outcome
from scrimp.system.system import System

MOST_STATES = 200


def small_system(seed: int, kind: str) -> System:
    """The system of a random model whose processes start others, without room for some of these."""
    growth = read_model("model.pml", random_stack(seed, kind), {}, ignore_property=True).growth
    assert isinstance(growth, PromelaGrowth)
    random = Random(f"small {seed}")
    foreseen = {start: given for start, given in growth.plan.starts.items() if random.random() < 0.6}
    return replace(growth, plan=replace(growth.plan, starts=foreseen)).model().system


def outgrowing_complaint(
    seed: int, kind: str, most: int, build: Callable[..., Relations] = build_relations
) -> str | None:
    """What is wrong with what relations say about events that outgrow a small system; empty if nothing is, None if
    nothing is said, as no event outgrows it."""
    model = related(small_system(seed, kind), lambda *arguments: build(*arguments, infinite=True))
    following, outgrown = _explored(model.system, most)
    for event in {event for _, event in outgrown}:
        if not model.relations.visible[event]:
            return f"event {event} outgrows the system, and is not visible in infinite runs"
    leaders = {model.system.transitions[event].moves[0].process for _, event in outgrown}
    for leader in leaders:
        goals = {state for state, event in outgrown if model.system.transitions[event].moves[0].process == leader}
        for state in _leading(goals, following):
            if not (model.relations.outgrowing and model.relations.outgrowing[model.places(state)[leader]]):
                return f"process {leader} outgrows the system after {state}, and its place does not lead there"
    return "" if outgrown else None


def _explored(system: System, most: int) -> tuple[dict[State, set[State]], set[tuple[State, int]]]:
    """Which states follow some states, transient ones included, and where which event outgrows the system."""
    start = initial(system)
    following: dict[State, set[State]] = {start: set()}
    outgrown: set[tuple[State, int]] = set()
    states = [start]
    for state in states:
        for event in enabled(system, state):
            try:
                after = outcome(system, state, event).after
            except Outgrown:
                outgrown.add((state, event))
                continue
            if isinstance(after, Fault) or (after not in following and len(states) >= most):
                continue
            if after not in following:
                following[after] = set()
                states.append(after)
            following[state].add(after)
    return following, outgrown


def _leading(goals: set[State], following: dict[State, set[State]]) -> set[State]:
    """The states from which one of the goals can be reached."""
    before: dict[State, set[State]] = {}
    for state, others in following.items():
        for other in others:
            before.setdefault(other, set()).add(state)
    found, todo = set(goals), list(goals)
    while todo:
        fresh = before.get(todo.pop(), set()) - found
        found |= fresh
        todo += fresh
    return found
