"""Dependence in Promela: each construct that is more than a variable or a channel, in a model of its own."""

from __future__ import annotations

from tests.frontends.lowering import system_of
from tests.reduction.passing import Related, related

from scrimp.reduction.lists import numbers


class Events:
    """The events of a model by their text, as `x = 1`."""

    def __init__(self, text: str) -> None:
        self.model: Related = related(system_of(text))

    def named(self, text: str) -> list[int]:
        transitions = self.model.system.transitions
        found = [event for event, transition in enumerate(transitions) if transition.moves[0].text == text]
        assert found, text
        return found

    def depend(self, one: str, other: str) -> bool:
        """Whether one of the first depends on one of the others, if different processes lead them."""
        relations, leader = self.model.relations, numbers(self.model.relations.process)
        pairs = ((a, b) for a in self.named(one) for b in self.named(other) if leader[a] != leader[b])
        return any(relations.dependent(a, b) for a, b in pairs)

    def may_enable(self, one: str, other: str) -> bool:
        """Whether one of the first is necessary for one of the others, if all processes are at their places."""
        return any(a in self.model.relations.enabling[b] for a in self.named(one) for b in self.named(other))

    def are_safe(self, text: str) -> bool:
        return all(self.model.relations.safe[event] for event in self.named(text))


def test_an_atomic_sequence_has_the_accesses_of_all_its_statements() -> None:
    events = Events("""
        byte x, y, z;
        active proctype P() { atomic { x = 1; (y == 0); z = 1 } }
        active proctype Q() { byte i; i = z }
        active proctype R() { y = 1 }
        active proctype S() { byte i; i = 1 }
    """)
    assert events.depend("x = 1", "i = z")
    assert events.depend("x = 1", "y = 1")
    assert not events.depend("x = 1", "i = 1")
    assert not events.depend("(y == 0)", "i = 1")


def test_a_send_within_an_atomic_sequence_may_block_and_so_reads_the_whole_channel() -> None:
    events = Events("""
        chan q = [2] of { byte };
        active proctype P() { byte i; atomic { i = 1; q!1 } }
        active proctype Q() { q?1 }
    """)
    assert events.depend("i = 1", "q?1")
    assert not events.depend("q!1", "q?1")


def test_a_d_step_is_one_event() -> None:
    events = Events("""
        byte x, y;
        active proctype P() { byte i; d_step { i = 1; x = 1 } }
        active proctype Q() { x = 2 }
        active proctype R() { y = 2 }
    """)
    assert events.depend("d_step, line 3", "x = 2")
    assert not events.depend("d_step, line 3", "y = 2")


def test_a_d_step_that_begins_with_a_receive_is_a_receive() -> None:
    events = Events("""
        chan q = [2] of { byte };
        active proctype P() { byte i; d_step { q?i; i = 0 } }
        active proctype Q() { q!1 }
    """)
    assert not events.depend("d_step, line 3", "q!1")
    assert events.may_enable("q!1", "d_step, line 3")
    assert events.are_safe("d_step, line 3")


def test_a_handshake_depends_on_moves_of_its_second_process_and_makes_its_places_unsafe() -> None:
    events = Events("""
        chan r = [0] of { byte };
        active proctype P() { byte i; if :: r!1 :: i = 1 fi }
        active proctype Q() { byte j; do :: r?j :: j = 2 od }
        active proctype R() { byte k; do :: k = 3 od }
    """)
    assert events.depend("r!1", "j = 2")
    assert not events.depend("r!1", "k = 3")
    assert not events.are_safe("i = 1")
    assert not events.are_safe("j = 2")
    assert events.are_safe("k = 3")


TIMEOUTS = """
    byte x;
    active proctype P() { do :: timeout -> x = 1 od }
    active proctype Q() { do :: timeout -> skip od }
    active proctype R() { byte i; do :: (i < 3) -> i = i + 1 od }
"""


def test_a_timeout_depends_on_all_other_timeouts_and_may_be_enabled_by_every_event() -> None:
    events = Events(TIMEOUTS)
    assert events.depend("timeout", "timeout")
    assert events.may_enable("i = i + 1", "timeout")
    assert events.may_enable("x = 1", "timeout")
    assert not events.are_safe("timeout")


def test_a_local_step_is_safe_beside_a_timeout_which_cannot_occur_while_the_step_is_enabled() -> None:
    events = Events(TIMEOUTS)
    assert events.are_safe("i = i + 1")
    assert not events.depend("i = i + 1", "timeout")


def test_else_reads_what_the_other_options_read() -> None:
    events = Events("""
        byte x;
        chan q = [2] of { byte };
        active proctype P() { if :: (x == 1) :: q?1 :: else fi }
        active proctype Q() { q!1 }
        active proctype R() { x = 1 }
    """)
    assert events.depend("else", "q!1")
    assert events.depend("else", "x = 1")
    assert not events.are_safe("else")


STARTING = """
    byte x, y;
    active proctype P() { run C(); x = 1 }
    active proctype Q() { run C() }
    active proctype R() { y = _nr_pr }
    proctype C() { byte i; i = 1; i = 2; x = 2 }
"""


def test_starting_a_process_depends_on_every_start_or_end_in_its_slot() -> None:
    events = Events(STARTING)
    assert events.depend("run C()", "run C()")
    assert events.depend("run C()", "-end-")
    assert events.depend("run C()", "y = _nr_pr")
    assert not events.are_safe("run C()")


def test_the_number_of_processes_depends_on_starts_and_ends_only() -> None:
    events = Events(STARTING)
    assert events.depend("y = _nr_pr", "-end-")
    assert not events.depend("y = _nr_pr", "i = 1")
    assert not events.depend("y = _nr_pr", "x = 1")


def test_a_process_ends_after_younger_ones_and_only_their_ends_enable_it() -> None:
    events = Events("""
        active proctype P() { byte i; i = 1 }
        active proctype Q() { byte j; j = 2 }
    """)
    younger, older = events.named("-end-")
    assert list(events.model.relations.enabling[older]) == [younger]
    assert list(events.model.relations.enabling[younger]) == []


def test_a_process_not_started_yet_shares_with_those_that_access_what_it_will_access() -> None:
    events = Events(STARTING)
    relations = events.model.relations
    leader = numbers(relations.process)
    starter, started = (leader[events.named(text)[0]] for text in ("x = 1", "x = 2"))
    writes_x = set(relations.place_cells[relations.moved_places[events.named("x = 1")[0]][0]])
    absent = relations.moved_places[events.named("run C()")[0]]
    assert writes_x & set(relations.support[started])
    assert writes_x & set(relations.future_cells[absent[1]])
    assert set(relations.place_cells[absent[1]]) & set(relations.support[starter])


def test_every_step_reads_the_provided_clause() -> None:
    events = Events("""
        bool go;
        active proctype P() provided (go) { byte i; i = 1; i = 2 }
        active proctype Q() { go = 1 }
        active proctype R() { byte j; j = 1 }
    """)
    assert events.depend("go = 1", "i = 2")
    assert events.may_enable("go = 1", "i = 2")
    assert not events.are_safe("i = 1")
    assert events.are_safe("j = 1")


def test_a_step_with_an_escape_reads_the_condition_of_the_escape() -> None:
    events = Events("""
        byte x;
        active proctype P() { byte i; { i = 1; i = 2 } unless { (x == 1) -> i = 3 } }
        active proctype Q() { x = 1 }
    """)
    assert events.depend("x = 1", "i = 2")
    assert not events.are_safe("i = 1")
    assert events.are_safe("i = 3")


def test_in_a_model_that_reads_last_every_event_depends_on_every_other() -> None:
    events = Events("""
        active proctype P() { byte i; i = 1 }
        active proctype Q() { byte j; j = 1; (_last == 0) }
    """)
    assert events.depend("i = 1", "j = 1")
    assert not events.are_safe("i = 1")


def test_np_is_disabled_by_moves_to_progress_labels_and_enabled_by_moves_from_them() -> None:
    events = Events("""
        active proctype P() { byte i; i = 1; i = 2; progress: i = 3; i = 4; i = 5 }
        active proctype Q() { (np_) }
    """)
    assert [events.depend("(np_)", f"i = {value}") for value in range(1, 6)] == [False, True, False, False, False]
    assert [events.may_enable(f"i = {value}", "(np_)") for value in range(1, 6)] == [False, False, True, False, False]


REMOTE = """
    active proctype P() { byte i, k; i = 1; here: k = 1; k = 2 }
    active proctype Q() { (P@here); (P:i == 1) }
"""


def test_a_remote_reference_to_a_label_depends_on_leaving_it_and_is_enabled_by_reaching_it() -> None:
    events = Events(REMOTE)
    assert events.depend("(P@here)", "k = 1")
    assert not events.depend("(P@here)", "k = 2")
    assert events.may_enable("i = 1", "(P@here)")
    assert not events.may_enable("k = 2", "(P@here)")


def test_a_variable_that_is_referenced_remotely_is_shared() -> None:
    events = Events(REMOTE)
    assert events.depend("(P:i == 1)", "i = 1")
    assert not events.are_safe("i = 1")
    assert events.are_safe("k = 2")


def test_enabled_and_pc_value_read_the_guards_and_the_location_of_another_process() -> None:
    events = Events("""
        byte x;
        active proctype P() { byte i; (x == 1); i = 1 }
        active proctype Q() { (enabled(0)); (pc_value(0) == 1) }
        active proctype R() { x = 1 }
    """)
    assert events.depend("(enabled(0))", "x = 1")
    assert events.depend("(enabled(0))", "i = 1")
    assert events.depend("(pc_value(0) == 1)", "i = 1")
    assert not events.depend("(pc_value(0) == 1)", "x = 1")


def test_a_poll_depends_on_sends_and_receives() -> None:
    events = Events("""
        chan q = [2] of { byte };
        active proctype P() { byte i; i = (q?[1]) }
        active proctype Q() { q!1 }
        active proctype R() { q?1 }
    """)
    assert events.depend("i = (q?[1])", "q!1")
    assert events.depend("i = (q?[1])", "q?1")


EXCLUSIVE = """
    byte x;
    chan q = [2] of {{ byte }};
    active proctype P() {{ do :: q!1 od }}
    active proctype Q() {{ byte i; do :: q?1 -> i = 1 :: q?2 -> i = 2 {another} od }}
    active proctype R() {{ x = 1{also} }}
"""


def test_the_only_sender_and_the_only_receiver_of_a_channel_are_safe() -> None:
    events = Events(EXCLUSIVE.format(another="", also=""))
    assert events.are_safe("q!1")
    assert events.are_safe("q?1")


def test_a_receiver_with_another_option_is_not_safe_while_messages_may_arrive() -> None:
    events = Events(EXCLUSIVE.format(another=":: i = 3", also=""))
    assert events.are_safe("q!1")
    assert not events.are_safe("q?1")


def test_a_sender_beside_another_sender_or_a_test_of_its_channel_is_not_safe() -> None:
    assert not Events(EXCLUSIVE.format(another="", also="; q!2")).are_safe("q!1")
    assert not Events(EXCLUSIVE.format(another="", also="; (full(q))")).are_safe("q?1")
    assert Events(EXCLUSIVE.format(another="", also="; (nempty(q))")).are_safe("q!1")


def test_sorted_sends_and_random_receives_depend_on_all_operations() -> None:
    events = Events("""
        chan q = [2] of { byte };
        active proctype P() { do :: q!1 :: q!!2 od }
        active proctype Q() { do :: q?1 :: q??2 od }
    """)
    assert not events.depend("q!1", "q?1")
    assert events.depend("q!!2", "q?1")
    assert events.depend("q!1", "q??2")


def test_with_a_claim_every_event_depends_on_every_other_and_none_is_safe() -> None:
    events = Events("""
        active proctype P() { byte i; i = 1; i = 2 }
        active proctype Q() { byte j; j = 1 }
        never { do :: true od }
    """)
    assert events.depend("i = 1", "j = 1")
    assert not events.are_safe("i = 2")


def test_an_assertion_reads_its_condition_and_is_safe_if_that_is_local() -> None:
    events = Events("""
        byte x;
        active proctype P() { byte i; i = 1; assert(i == 1); assert(x == 0) }
        active proctype Q() { x = 1 }
    """)
    assert events.are_safe("assert(i == 1)")
    assert events.depend("assert(x == 0)", "x = 1")
