"""Dependence if processes end early."""

from __future__ import annotations

import pytest
from tests.passes.random_stacks import KINDS
from tests.passes.stacks import model_of
from tests.reduction.passing import Related, related
from tests.reduction.stacks import stack_complaint

from scrimp.passes import Ends, passed

MODELS = 6
STATES = 25


def depend(model: Related, one: str, other: str) -> bool:
    transitions = model.system.transitions
    events = [[event for event, each in enumerate(transitions) if each.moves[0].text == text] for text in (one, other)]
    assert all(events)
    return any(model.relations.dependent(a, b) for a in events[0] for b in events[1])


def early(text: str) -> Related:
    smaller = passed(model_of(text).system, (), (Ends(),))
    assert smaller.notes
    return related(smaller.system)


@pytest.mark.parametrize("kind", KINDS)
def test_relations_hold_in_random_models(kind: str) -> None:
    for seed in range(MODELS):
        assert stack_complaint(seed, kind, STATES) == "", f"{kind} {seed}"


def test_last_steps_of_two_processes_are_independent() -> None:
    model = early("byte x, y; proctype P() { x = 1 } proctype Q() { y = 1 } init { atomic { run P(); run Q() } }")
    assert not depend(model, "x = 1", "y = 1")


def test_the_last_step_of_a_process_and_the_next_start_depend_on_each_other() -> None:
    model = early("byte x, y; proctype P() { x = 1 } init { run P(); y = 1; run P() }")
    assert depend(model, "x = 1", "run P()")
    assert not depend(model, "x = 1", "y = 1")


def test_counting_starts_makes_nothing_depend_on_anything() -> None:
    model = early("byte x; proctype Q() { x = 1 } proctype P() { run Q() } init { run P(); run P() }")
    counter = model.system.stack.counter if model.system.stack is not None else None
    assert counter is not None
    assert model.system.variables[counter].initial == (0,)


def test_a_process_that_is_left_behind_depends_on_those_that_end() -> None:
    model = early("""
        byte x, y; chan c = [0] of { byte };
        proctype P() { c!1 }
        proctype Q() { x = 1 }
        init { atomic { run P(); run Q() }; atomic { c?y; y = 2 } }
    """)
    assert depend(model, "c!1", "x = 1")
