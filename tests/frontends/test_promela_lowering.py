"""The variables, guards and effects that Promela's declarations and statements become."""

from __future__ import annotations

import pytest
from tests.frontends.lowering import declared, does, model_of, system_of, transitions

from scrimp.errors import ModelError
from scrimp.system.system import Kind

QUEUE = "byte x; chan c = [2] of { byte, byte };\n"
TWO_CHANNELS = "chan a = [1] of { byte }; chan b = [1] of { byte }; chan d;\n"
NO_CHANNEL = "assert 0, the channel does not exist"

# Variables


@pytest.mark.parametrize(
    ("type_", "values"),
    [
        ("bit", "bit"),
        ("bool", "bit"),
        ("byte", "byte"),
        ("pid", "byte"),
        ("mtype", "byte"),
        ("chan", "byte"),
        ("short", "short"),
        ("int", "int"),
    ],
)
def test_a_variable_has_the_values_of_its_type(type_: str, values: str) -> None:
    assert declared(f"{type_} v; init {{ skip }}") == [f"variable v: {values} = 0"]


def test_an_unsigned_variable_has_as_many_bits_as_it_says() -> None:
    assert declared("unsigned v : 3; init { skip }") == ["variable v: 0..7 = 0"]


def test_bits_in_an_array_are_bytes() -> None:
    assert declared("bit v[2]; init { skip }") == ["variable v[2]: byte = 0"]


def test_a_structure_is_taken_apart_and_an_array_of_them_is_an_array_for_each_field() -> None:
    text = "typedef I { byte a[2] } typedef P { I i; short s } P p[3]; init { p[1].i.a[1] = 2; p[2].s = 1 }"
    assert declared(text) == ["variable p.i.a[6]: byte = 0", "variable p.s[3]: short = 0"]
    assert does(text, "p[1].i.a[1] = 2") == ["p.i.a[3] = 2"]
    assert does(text, "p[2].s = 1") == ["p.s[2] = 1"]


def test_each_of_several_indices_is_tested_separately() -> None:
    text = "typedef P { byte a[2] } P p[3]; byte n; init { p[n].a[1] = 2 }"
    inside = "n >= 0 && n < 3 ? n : undefined(an index of p.a is outside 0..2)"
    assert does(text, "p[n].a[1] = 2") == [f"p.a[({inside}) * 2 + 1] = 2"]


def test_initial_values_are_computed_in_order_and_wrapped_into_their_types() -> None:
    text = "byte a[2] = 3; byte b = 2; byte d = b + 1; byte e = 300; init { skip }"
    assert declared(text) == [
        "variable a[2]: byte = 3",
        "variable b: byte = 2",
        "variable d: byte = 3",
        "variable e: byte = 44",
    ]


def test_an_undefined_initial_value_is_an_error() -> None:
    with pytest.raises(ModelError, match="cannot compute the initial value of 'x': division by zero"):
        model_of("byte x = 1 / 0; init { skip }")


def test_a_local_that_is_never_written_is_a_constant() -> None:
    text = "byte x; active proctype A() { byte k = 4; x = k }"
    assert declared(text) == ["variable x: byte = 0"]
    assert does(text, "x = k") == ["x = 4"]


def test_a_local_that_is_written_is_a_variable_of_the_process() -> None:
    text = "active proctype A() { byte k = 4; k++ }"
    assert declared(text) == ["variable A:0.k: byte = 4"]
    assert system_of(text).variables[0].owner == 0


def test_variables_of_one_name_in_two_blocks_are_numbered() -> None:
    text = "init { { byte v; v = 1 }; { byte v; v = 2 } }"
    assert declared(text) == ["variable init:0.v: byte = 0", "variable init:0.v#2: byte = 0"]
    assert does(text, "v = 2") == ["init:0.v#2 = 2"]


def test_a_hidden_variable_that_is_never_read_is_not_written() -> None:
    assert does("hidden byte h; init { h = 1 }", "h = 1") == [""]
    assert does("hidden byte h; byte x; init { h = 1; x = h }", "h = 1") == ["h = 1"]


# Statements without messages


@pytest.mark.parametrize(
    ("statement", "effect"),
    [
        ("x == 1", "when x == 1"),
        ("x", "when x != 0"),
        ("x = 1", "x = 1"),
        ("x++", "x = x + 1"),
        ("assert(x)", "expect x != 0, assertion violated: assert(x) as assertion"),
        ('printf("%d", x)', ""),
        ('printf("%d", 1/x)', "assert 1 / x != 0 || 1, "),
        ("timeout", "when timeout"),
        ("x = _pid", "x = 0"),
        ("x = _nr_pr", "x = !A:0@absent"),
        ("_ = x", ""),
        ("x = 2 + 3 * 4", "x = 14"),
        ("x = 1 / 0", "x = 1 / 0"),
    ],
)
def test_a_statement_is_a_guard_and_an_effect(statement: str, effect: str) -> None:
    assert does(f"byte x; active proctype A() {{ {statement} }}", statement) == [effect]


def test_each_process_of_a_proctype_has_its_transitions_the_youngest_first() -> None:
    assert does("byte x; active [2] proctype A() { x = _pid }", "x = _pid") == ["x = 1", "x = 0"]


def test_else_is_enabled_if_no_other_option_is() -> None:
    text = "byte x; active proctype A() { if :: x == 1 :: x == 3 :: else -> x = 4 fi }"
    assert does(text, "else") == ["when !(x == 1) && !(x == 3)"]


def test_an_escape_comes_first() -> None:
    text = "byte x; active proctype A() { { x == 1; x = 2 } unless { x == 3 } }"
    assert does(text, "x == 1") == ["when !(x == 3) && x == 1"]
    assert does(text, "x = 2") == ["when !(x == 3); x = 2"]


def test_a_process_moves_only_while_its_provided_clause_holds() -> None:
    text = "byte x; active proctype A() provided (x == 1) { x = 2 }"
    assert does(text, "x = 2") == ["when x == 1; x = 2"]


def test_a_label_at_which_no_process_stops_gets_a_warning() -> None:
    text = "byte x;\nactive proctype P() { L: if :: M: x == 1 :: x == 2 fi }\nltl p { [] !P@L && [] !P[0]@M }"
    message = (
        "P@M is always false, because no process stops at this label; "
        "that of an option's first statement belongs in front of the 'if' or 'do'"
    )
    assert model_of(text).warnings == (f"model.pml:3:24: warning: {message}",)
    assert model_of(f"{text}\nactive proctype Q() {{ P@M; P@L }}").warnings[1:] == (
        f"model.pml:4:23: warning: {message}",
    )


def test_every_process_writes_last_if_the_model_reads_it() -> None:
    text = "byte x; active proctype A() { x = _last } active proctype B() { x = 3 }"
    assert does(text, "x = 3") == ["x = 3; _last = 1"]
    assert "_last" not in " ".join(declared("byte x; active proctype B() { x = 3 }"))


def test_a_remote_reference_tests_that_the_process_is_running() -> None:
    text = "active proctype A() { byte k; L: k = 1 } active proctype B() { A@L; A[0]:k == 1 }"
    assert does(text, "A@L") == ["when (!A:0@absent ? A:0@A.L : 0) != 0"]
    assert does(text, "A[0]:k == 1") == ["when (!A:0@absent ? A:0.k : 0) == 1"]


def test_in_an_atomic_sequence_the_process_goes_on_alone_until_its_end() -> None:
    system = system_of("byte x; active proctype A() { atomic { x = 1; x = 2 }; x = 3 }")
    holders = {t.moves[0].text: t.holder for t in system.transitions}
    assert holders == {"x = 1": 0, "x = 2": None, "x = 3": None, "-end-": None}


def test_the_claim_is_the_last_process_and_its_end_is_a_violation() -> None:
    text = "byte x; active proctype A() { x = 1 } never { do :: x == 1 -> break :: else od }"
    assert system_of(text).claim == 1
    assert does(text, "x == 1") == ["when x == 1; expect 0, the never claim is completed"]
    assert does(text, "else") == ["when !(x == 1)"]


# Channels


@pytest.mark.parametrize(
    ("statement", "effect"),
    [
        ("c!1,2", "when len(c) < 2; c ! 1, 2"),
        ("c!!1,2", "when len(c) < 2; c !! 1, 2"),
        ("c?x,_", "when len(c) > 0; c ? x, _"),
        ("c?x,1", "when len(c) > 0 && message(c, 0, 1) == 1; c ? x, _"),
        ("c?eval(x),x", "when len(c) > 0 && message(c, 0, 0) == x; c ? _, x"),
        ("c??x,1", "when find(c, _, 1) >= 0; c ?[find(c, _, 1)] x, _"),
        ("c??x,_", "when len(c) > 0; c ? x, _"),
        ("c?<x,1>", "when len(c) > 0 && message(c, 0, 1) == 1; x = message(c, 0, 0)"),
        ("c??<1,x>", "when find(c, 1, _) >= 0; x = message(c, find(c, 1, _), 1)"),
        ("c?[1,x]", "when len(c) > 0 && message(c, 0, 0) == 1"),
        ("c??[1,x]", "when find(c, 1, _) >= 0"),
        ("x = len(c)", "x = len(c)"),
        ("full(c)", "when len(c) >= 2"),
        ("nfull(c)", "when len(c) < 2"),
        ("empty(c)", "when len(c) == 0"),
        ("nempty(c)", "when len(c) > 0"),
    ],
)
def test_messages_are_sent_received_and_polled(statement: str, effect: str) -> None:
    assert does(f"{QUEUE} init {{ {statement} }}", statement) == [effect]


def test_a_copying_random_receive_finds_its_message_before_it_writes_variables() -> None:
    text = f"{QUEUE} init {{ c??<eval(x),x> }}"
    first, second = (f"x = message(c, {position}, 1);" for position in (0, 1))
    branches = f"if find(c, x, _) == 0 {{ {first} }} else if find(c, x, _) == 1 {{ {second} }}"
    assert does(text, "c??<eval(x),x>") == [f"when find(c, x, _) >= 0; {branches}"]


@pytest.mark.parametrize(
    ("statement", "effect"),
    [
        ("c!1", "when len(c) < 2; expect 0, too few values are sent on a channel: 1 instead of 2; c ! 1, 0"),
        ("c!1,2,3", "when len(c) < 2; expect 0, too many values are sent on a channel: 3 instead of 2; c ! 1, 2"),
        ("c?x", "when len(c) > 0; expect 0, too few values are received from a channel: 1 instead of 2; c ? x, _"),
    ],
)
def test_a_message_of_the_wrong_length_is_a_violation(statement: str, effect: str) -> None:
    assert does(f"{QUEUE} init {{ {statement} }}", statement) == [effect]


def test_channels_have_numbers_from_1_on() -> None:
    text = f"{TWO_CHANNELS} init {{ d = a; d = b }}"
    assert (does(text, "d = a"), does(text, "d = b")) == (["d = 1"], ["d = 2"])


def test_a_variable_stands_only_for_the_channels_that_flow_into_it() -> None:
    text = f"{TWO_CHANNELS} init {{ d = b; d!1; d = b }}"
    assert does(text, "d!1") == [
        "when d == 2 && len(b) < 1; b ! 1",
        f"when !(d == 2) && d == 0; {NO_CHANNEL}",
        "when !(d == 2) && !(d == 0); outgrow channel",
    ]


def test_channels_flow_through_messages_and_parameters() -> None:
    text = """
        chan c = [1] of { chan };
        proctype Q(chan d) { d!1 }
        init { chan e = [1] of { byte }; chan f; run Q(e); c!e; c?f; f!2 }
    """
    assert does(text, "d!1") == ["when len(init:0.e) < 1; init:0.e ! 1"]
    assert does(text, "f!2")[0] == "when init:0.f == 2 && len(init:0.e) < 1; init:0.e ! 2"


def test_an_array_of_channels_becomes_separate_channels() -> None:
    text = "chan a[2] = [1] of { byte }; byte i; init { a[1]!2; a[i]!1 }"
    assert declared(text)[1:] == ["channel a[0][1]: {byte}", "channel a[1][1]: {byte}"]
    assert does(text, "a[1]!2") == ["when len(a[1]) < 1; a[1] ! 2"]
    assert does(text, "a[i]!1") == [
        "when i == 0 && len(a[0]) < 1; a[0] ! 1",
        "when i == 1 && len(a[1]) < 1; a[1] ! 1",
        f"when !(i == 0 || i == 1); {NO_CHANNEL}",
    ]


# Handshakes

MEETING = "chan c = [0] of { byte }; byte x, y;\n"


def test_a_handshake_is_one_transition_of_two_processes_that_counts_as_two_steps() -> None:
    system = system_of(f"{MEETING} active proctype A() {{ c!x }} active proctype B() {{ c?y }}")
    (handshake,) = transitions(system, "c!x")
    assert [(move.process, move.text) for move in handshake.moves] == [(0, "c!x"), (1, "c?y")]
    assert (handshake.kind, handshake.steps) == (Kind.SEND, 2)
    assert transitions(system, "c?y") == []


def test_a_handshake_is_enabled_if_the_receiver_matches_the_message() -> None:
    text = f"{MEETING} active proctype A() {{ c!x }} active proctype B() {{ if :: c?y :: c?3 fi }}"
    assert does(text, "c!x") == ["when B:1@B.s3; y = x & 255", "when B:1@B.s3 && (x & 255) == 3"]


def test_a_handshake_evaluates_all_fields_before_it_writes_any() -> None:
    text = "chan c = [0] of { int, int }; int x, y; active proctype A() { c!x,y } active proctype B() { c?y,x }"
    assert does(text, "c!x,y") == ["when B:1@B.s1; y' = y; y = x; x = y'; y' = 0"]


def test_after_a_handshake_an_atomic_receiver_goes_on() -> None:
    text = f"{MEETING} active proctype A() {{ c!x }} active proctype B() {{ atomic {{ c?y; y = 2 }} }}"
    assert transitions(system_of(text), "c!x")[0].holder == 1


def test_a_process_makes_no_handshake_with_itself() -> None:
    assert does(f"{MEETING} active proctype A() {{ if :: c!x :: c?y fi }}", "c!x") == []


def test_else_is_disabled_if_a_handshake_is_enabled() -> None:
    text = f"{MEETING} active proctype A() {{ if :: c!1 :: else fi }} active proctype B() {{ c?1 }}"
    assert does(text, "else") == ["when !B:1@B.s1"]


def test_a_process_that_sends_offers_a_handshake() -> None:
    text = f"{MEETING} active proctype A() {{ c!x }} active proctype B() {{ c?y }}"
    assert [process for process, _ in system_of(text).offers] == [0]


def test_a_d_step_may_begin_with_the_receiving_half() -> None:
    text = f"{MEETING} active proctype A() {{ c!1 }} active proctype B() {{ d_step {{ c?x; x++ }} }}"
    assert does(text, "c!1") == ["when B:1@B.s3; x = 1; x = x + 1"]


# d_step


def d_step(body: str) -> list[str]:
    return does(f"byte x; active proctype A() {{ d_step {{ {body} }} }}", "d_step, line 1")


def test_a_d_step_without_loops_is_one_transition() -> None:
    assert d_step("x = 1; x = 2") == ["x = 1; x = 2"]


def test_a_d_step_is_enabled_if_its_first_statement_is() -> None:
    assert d_step("x == 1; x = 2")[0].startswith("when x == 1; ")


def test_blocking_inside_a_d_step_is_a_fault() -> None:
    assert d_step("x = 1; x == 2; x = 3") == ["x = 1; if x == 2 { } else { assert 0, block in d_step seq; } x = 3"]


def test_a_d_step_takes_the_first_enabled_option() -> None:
    assert d_step("x = 1; if :: x = 2 :: x = 3 fi; x = 4") == ["x = 1; x = 2; x = 4"]


def test_branches_in_a_d_step_join_again() -> None:
    (effect,) = d_step("x = 1; if :: x == 1 -> x = 2 :: else -> x = 3 fi; x = 4")
    assert effect == "x = 1; if x == 1 { x = 2; } else { x = 3; } x = 4"


def test_a_d_step_with_a_loop_is_a_chain_of_which_only_the_last_counts_as_a_step() -> None:
    text = "byte x; active proctype A() { d_step { do :: x < 4 -> x++ :: else -> break od; x = 9 } }"
    assert does(text, "d_step, line 1") == ["", "when x < 4; x = x + 1", "when !(x < 4); x = 9"]
    parts = transitions(system_of(text), "d_step, line 1")
    assert [(part.steps, part.holder) for part in parts] == [(0, 0), (0, 0), (1, None)]


def test_offering_a_handshake_in_a_d_step_is_a_fault() -> None:
    text = "chan c = [0] of { byte }; byte x; active proctype A() { d_step { x = 1; c!1 } }"
    assert does(text, "d_step, line 1") == ["x = 1; assert 0, a rendezvous is attempted inside a d_step"]
