"""Channels: rendezvous of two processes, and buffers."""

from __future__ import annotations

from tests.frontends.dve import at_end, ends, model, reachable, value

from scrimp.system.reference import explore
from scrimp.system.system import Kind
from scrimp.system.types import SHORT


def pair(declarations: str, sender: str, receiver: str, local: str = "") -> str:
    """P receives and ends, Q sends; what they do is given without braces."""
    return f"""
    {declarations}
    process P {{ {local} state start, end; init start; trans start -> end {{ {receiver} }}; }}
    process Q {{ byte own = 5; state start, sent; init start; trans start -> sent {{ {sender} }}; }}
    system async;
    """


def test_a_rendezvous_moves_both_processes_in_one_step() -> None:
    small = model(pair("channel c;", "sync c!;", "sync c?;"))
    (transition,) = small.system.transitions
    assert [(move.process, move.text) for move in transition.moves] == [
        (1, "start -> sent { sync c!; }"),
        (0, "start -> end { sync c?; }"),
    ]
    assert transition.kind == Kind.SEND
    assert reachable(small, "P.end - Q.sent") == {0}


def test_a_rendezvous_needs_the_guards_of_both() -> None:
    text = pair("channel c; byte x = 1, y = 1;", "guard x == X; sync c!;", "guard y == Y; sync c?;")
    met = [len(explore(model(text.replace("X", x).replace("Y", y)).system).states) == 2 for x in "01" for y in "01"]
    assert met == [False, False, False, True]


def test_a_value_passes_from_sender_to_receiver() -> None:
    assert at_end(model(pair("channel c; byte x;", "sync c!own * 2;", "sync c?x;")), "x") == [10]


def test_several_values_pass_at_once() -> None:
    small = model(pair("channel c; byte x, f[2];", "sync c!{own, 7, 8};", "sync c?{x, f[0], f[1]};"))
    assert at_end(small, "x", "f[0]", "f[1]") == [5, 7, 8]


def test_values_are_those_before_the_step() -> None:
    small = model(pair("channel c; byte x = 1, y = 2;", "sync c!{y, x};", "sync c?{x, y};"))
    assert at_end(small, "x", "y") == [2, 1]


def test_temporary_values_are_cleared_after_a_swap() -> None:
    small = model(pair("channel c; byte x = 1, y = 2;", "sync c!{y, x};", "sync c?{x, y};"))
    copies = [index for index, variable in enumerate(small.system.variables) if variable.name.endswith("'")]
    assert len(copies) == 1
    assert {state.values[copies[0]] for state in explore(small.system).states} == {(0,)}


def test_an_index_sees_the_values_received_before_it() -> None:
    small = model(pair("channel c; byte i, f[3];", "sync c!{2, own};", "sync c?{i, f[i]};"))
    assert at_end(small, "f[0]", "f[2]") == [0, 5]


def test_the_value_passes_first_then_come_the_effects_of_receiver_and_sender() -> None:
    small = model(pair("channel c; byte x;", "sync c!own; effect x = x * 10;", "sync c?x; effect x = x + 1;"))
    assert at_end(small, "x") == [60]


def test_the_sender_evaluates_before_its_own_effect() -> None:
    assert at_end(model(pair("channel c; byte x;", "sync c!own; effect own = 9;", "sync c?x;")), "x") == [5]


def test_a_process_cannot_meet_itself() -> None:
    text = "channel c; process P { state a; init a; trans a -> a { sync c!; }, a -> a { sync c?; }; } system async;"
    assert model(text).system.transitions == ()


def test_any_two_of_several_partners_may_meet() -> None:
    receiver = "process R{} {{ state a, b; init a; trans a -> b {{ sync c?; }}; }}"
    sender = "process S { state a; init a; trans a -> a { sync c!; }, a -> a { sync c!; }; }"
    small = model(f"channel c; {receiver.format(0)} {sender} {receiver.format(1)} system async;")
    pairs = [tuple(move.process for move in transition.moves) for transition in small.system.transitions]
    assert pairs == [(1, 0), (1, 2), (1, 0), (1, 2)]


def test_a_typed_rendezvous_wraps_values_into_its_range() -> None:
    small = model(pair("channel {byte} c[0]; int x;", "sync c!own + 300;", "sync c?x;"))
    assert at_end(small, "x") == [49]


def test_an_untyped_rendezvous_passes_values_as_they_are() -> None:
    assert at_end(model(pair("channel c; int x;", "sync c!own + 300;", "sync c?x;")), "x") == [305]


def test_a_buffer_lets_the_sender_go_ahead() -> None:
    small = model(pair("channel {byte} c[1]; byte x;", "sync c!own;", "sync c?x;"))
    assert reachable(small, "2 * Q.sent + P.end") == {0, 2, 3}
    assert at_end(small, "x") == [5]


def test_a_full_buffer_stops_the_sender_and_an_empty_one_the_receiver() -> None:
    text = """
    channel {byte} c[2]; byte sent, received;
    process S { state a; init a; trans a -> a { sync c!sent; effect sent = sent + 1; }; }
    process R { state a; init a; trans
      a -> a { guard received < 4; sync c?received; effect received = received + 1; };
    }
    system async;
    """
    small = model(text)
    assert reachable(small, "sent - received") == {0, 1, 2}
    assert explore(small.system).deadlocks == 1


def test_messages_leave_a_buffer_in_the_order_they_came() -> None:
    text = """
    channel {byte, int} c[3]; byte x; int y;
    process S { state a, b, c2; init a; trans a -> b { sync c!{1, -1}; }, b -> c2 { sync c!{2, -2}; }; }
    process P { state a, b, end; init a; trans a -> b { sync c?{x, y}; }, b -> end { sync c?{x, y}; }; }
    system async;
    """
    assert at_end(model(text), "x", "y") == [2, -2]


def test_a_buffer_wraps_values_into_the_range_of_its_fields() -> None:
    assert at_end(model(pair("channel {byte} c[1]; int x;", "sync c!own + 300;", "sync c?x;")), "x") == [49]


def test_a_buffered_value_is_sent_before_the_senders_effect() -> None:
    assert at_end(model(pair("channel {byte} c[1]; byte x;", "sync c!own; effect own = 9;", "sync c?x;")), "x") == [5]


def test_a_buffered_value_is_received_before_the_receivers_effect() -> None:
    small = model(pair("channel {byte} c[1]; byte x;", "sync c!own;", "sync c?x; effect x = x + 1;"))
    assert at_end(small, "x") == [6]


def test_a_guard_that_faults_does_no_harm_if_the_buffer_disables_the_step() -> None:
    small = model(pair("channel {byte} c[1]; byte x;", "guard 0; sync c!1;", "guard 1 / x; sync c?x;"))
    assert explore(small.system).faults == 0


def test_processes_may_share_a_buffer() -> None:
    text = """
    channel {byte} c[1]; byte x;
    process S1 { state a, b; init a; trans a -> b { sync c!1; }; }
    process S2 { state a, b; init a; trans a -> b { sync c!2; }; }
    process P { state start, end; init start; trans start -> end { sync c?x; }; }
    system async;
    """
    assert ends(model(text), "x") == {1, 2}


def test_capacities_may_be_constant_expressions() -> None:
    small = model(pair("const byte N = 2; channel {byte} c[N * 2], d[0]; byte x;", "sync c!own;", "sync c?x;"))
    assert [(channel.name, channel.capacity) for channel in small.system.channels] == [("c", 4)]


def test_a_process_may_send_to_a_buffer_that_it_reads_itself() -> None:
    text = """
    channel {byte} c[1]; byte x;
    process P { state a, b, end; init a; trans a -> b { sync c!7; }, b -> end { sync c?x; }; }
    system async;
    """
    assert at_end(model(text), "x") == [7]
    assert value(model(text), "P.a") == 1


def test_a_channel_may_belong_to_a_process() -> None:
    for size, states in (("", 2), ("[0]", 2), ("[1]", 3)):
        text = f"""
        process P {{ channel {{byte, int}} c{size}; byte x; int y; state start, end; init start;
            trans start -> end {{ sync c?{{x, y}}; }}; }}
        process Q {{ channel c; state start, sent; init start; trans start -> sent {{ sync P->c!{{7, -1}}; }}; }}
        system async;
        """
        small = model(text)
        assert at_end(small, "P->x", "P->y") == [7, -1]
        assert len(explore(small.system).states) == states


def test_an_untyped_channel_with_a_buffer_carries_one_int() -> None:
    small = model(pair("channel c[2]; int x;", "sync c!-own;", "sync c?x;"))
    assert small.system.channels[0].fields == (SHORT,)
    assert at_end(small, "x") == [-5]
