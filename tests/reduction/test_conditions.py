"""What a disabled event waits for, and guards that exclude each other, in small models."""

from __future__ import annotations

from tests.reduction.passing import members
from tests.reduction.sets import false_conditions, necessary_sets
from tests.reduction.test_promela import Events

from scrimp.system.reference import State, initial, outcome

CHANNEL = """
    chan q = [2] of { byte };
    active proctype P() { q?1 }
    active proctype Q() { q?2 }
    active proctype R() { q!1 }
    active proctype S() { q!2 }
"""


def after(events: Events, state: State, text: str) -> State:
    (event,) = events.named(text)
    reached = outcome(events.model.system, state, event).after
    assert isinstance(reached, State)
    return reached


def waits_for(events: Events, state: State, text: str) -> list[set[str]]:
    """The necessary sets of a disabled event, by false conditions."""
    (event,) = events.named(text)
    transitions = events.model.system.transitions
    assert event not in events.model.enabled(state)
    false = false_conditions(events.model, state, event)
    sets = [members(events.model.relations.condition_enabling, condition) for condition in false]
    assert [*sets, members(events.model.relations.enabling, event)] == necessary_sets(events.model, state, event)
    return [{transitions[each].moves[0].text for each in found} for found in sets]


def test_a_receive_from_an_empty_channel_waits_for_sends() -> None:
    events = Events(CHANNEL)
    assert waits_for(events, initial(events.model.system), "q?1") == [{"q!1", "q!2"}]


def test_a_receive_that_finds_another_message_waits_for_receives() -> None:
    events = Events(CHANNEL)
    assert waits_for(events, after(events, initial(events.model.system), "q!2"), "q?1") == [{"q?1", "q?2"}]


def test_receives_of_different_messages_are_independent() -> None:
    events = Events(CHANNEL)
    assert not events.depend("q?1", "q?2")
    assert events.depend("q!1", "q!2")


def test_a_guard_waits_for_each_of_its_tests() -> None:
    events = Events("""
        byte x, y;
        active proctype P() { (x == 1 && y > 2) }
        active proctype Q() { x = 1 }
        active proctype R() { y = 3 }
    """)
    start = initial(events.model.system)
    assert waits_for(events, start, "(x == 1 && y > 2)") == [{"x = 1"}, {"y = 3"}]
    assert waits_for(events, after(events, start, "x = 1"), "(x == 1 && y > 2)") == [{"y = 3"}]


def test_tests_after_one_that_may_fault_do_not_count() -> None:
    """The guard faults as soon as y is 0, whatever x is."""
    events = Events("""
        byte x, y = 1;
        active proctype P() { (5 / y == 7 && x == 1) }
        active proctype Q() { x = 1 }
        active proctype R() { y = 0 }
    """)
    (event,) = events.named("(5 / y == 7 && x == 1)")
    assert not list(events.model.relations.conditions[event])


def test_events_that_need_different_values_are_independent() -> None:
    events = Events("""
        byte turn, x;
        active proctype P() { (turn == 0) -> x = 1 }
        active proctype Q() { atomic { (turn == 1) -> turn = 2 } }
        active proctype R() { atomic { (turn < 1) -> turn = 3 } }
    """)
    assert not events.depend("(turn == 0)", "(turn == 1)")
    assert events.depend("(turn == 0)", "(turn < 1)")
