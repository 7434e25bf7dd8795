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


def test_a_receive_from_an_empty_channel_waits_for_sends_of_its_message() -> None:
    events = Events(CHANNEL)
    assert waits_for(events, initial(events.model.system), "q?1") == [{"q!1"}]


def test_a_receive_of_any_message_waits_for_all_sends() -> None:
    events = Events(CHANNEL + "byte x; active proctype T() { q?x }")
    assert waits_for(events, initial(events.model.system), "q?x") == [{"q!1", "q!2"}]


def test_a_receive_waits_for_sends_whose_message_is_not_known() -> None:
    events = Events(CHANNEL + "byte x; active proctype T() { q!x }")
    assert waits_for(events, initial(events.model.system), "q?1") == [{"q!1", "q!x"}]


def test_a_message_is_compared_as_it_is_stored() -> None:
    events = Events("""
        chan q = [1] of { byte };
        active proctype P() { q?1 }
        active proctype Q() { q!257 }
        active proctype R() { q!258 }
    """)
    assert waits_for(events, initial(events.model.system), "q?1") == [{"q!257"}]


def test_all_fields_of_a_message_must_match() -> None:
    events = Events("""
        chan q = [1] of { byte, byte };
        active proctype P() { q?1,2 }
        active proctype Q() { q!1,2 }
        active proctype R() { q!1,3 }
        active proctype S() { q!0,2 }
    """)
    assert waits_for(events, initial(events.model.system), "q?1,2") == [{"q!1,2"}]


def test_a_message_may_be_sent_on_the_way_through_an_atomic_sequence() -> None:
    events = Events("""
        chan q = [2] of { byte };
        active proctype P() { q?1 }
        active proctype Q() { atomic { q!2; q!1 } }
    """)
    assert "q!2" in waits_for(events, initial(events.model.system), "q?1")[0]


def test_a_message_may_be_sent_after_others() -> None:
    """The second sends only if there is a message: it is disabled as long as the channel is empty, and yet it sends the
    message that the first one waits for."""
    events = Events("""
        chan q = [2] of { byte };
        active proctype P() { q?1 }
        active proctype Q() { atomic { nempty(q) -> q!1 } }
        active proctype R() { q!2 }
    """)
    assert waits_for(events, initial(events.model.system), "q?1") == [{"nempty(q)", "q!1"}]


def test_a_receive_that_finds_another_message_waits_for_receives_of_others() -> None:
    """A second receive of the same message would wait as well."""
    events = Events(CHANNEL)
    assert waits_for(events, after(events, initial(events.model.system), "q!2"), "q?1") == [{"q?2"}]


def test_what_needs_a_condition_does_not_make_it_true() -> None:
    events = Events("""
        byte x;
        active proctype P() { x >= 2 }
        active proctype Q() { d_step { x >= 3; x = x - 1 } }
        active proctype R() { d_step { x >= 1; x = 3 } }
        active proctype S() { x = 1 }
    """)
    awaited = waits_for(events, initial(events.model.system), "x >= 2")
    assert len(awaited[0]) == 2
    assert "x = 1" in awaited[0]


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
