"""Messages are read, found, inserted and removed anywhere in a channel, as in the reference interpreter."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.machine.comparing import assert_same, first_states, native
from tests.machine.native import FAULT, MISFIT, NativeSystem
from tests.machine.systems import assign, step, system, variable

from scrimp.machine.emit import emit
from scrimp.machine.layout import lay_out
from scrimp.machine.ranges import static_ranges
from scrimp.system.expressions import TRUE, Binary, Constant, Expression, Find, Length, Message, Read, conjunction
from scrimp.system.reference import State
from scrimp.system.statements import Clear, Dequeue, Enqueue, If, Place, Statement
from scrimp.system.system import Channel, System, Transition
from scrimp.system.types import BIT, BYTE, INT, Range

X = Read(0)
SMALL = Channel("c", 3, (Range(0, 3), BIT))
LONG = Channel("c", 9, (Range(0, 4095), BIT, Range(-5, 5)))
ONE = Channel("c", 1, (BYTE,))
PACKED = Channel("c", 5, (BYTE, BIT))
SIGNED = Channel("c", 4, (Range(-3, 2), Range(-1, 0)))
CHANNELS = {"small": SMALL, "long": LONG, "one": ONE, "packed": PACKED, "signed": SIGNED}


def _check(model: System, states: int = 300) -> NativeSystem:
    code = native(model, static_ranges(model))
    assert_same(model, code, first_states(model, states))
    return code


def _mixed(number: int) -> Expression:
    """A value that depends on the variable differently for each number."""
    return Binary("+", Binary("*", X, Constant(2 * number + 1)), Constant(number))


def _working(channel: Channel, *transitions: Transition) -> System:
    """A channel that is filled, by plain and sorted sends, with values computed from a counter that wraps around."""
    count = assign(0, Binary("%", Binary("+", X, Constant(5)), Constant(7)))
    values = tuple(_mixed(number) for number in range(len(channel.fields)))
    room = Binary("<", Length(0), Constant(channel.capacity))
    fill = [
        step(Enqueue(0, values), count, guard=room),
        step(Enqueue(0, values, sorted=True), count, guard=room),
    ]
    return system(
        (variable(0, type_=Range(0, 6)), variable(0, type_=INT), variable(0, type_=INT)),
        [*fill, *transitions],
        channels=(channel,),
    )


@pytest.mark.parametrize("channel", CHANNELS.values(), ids=CHANNELS.keys())
def test_a_sorted_send_inserts_before_the_oldest_greater_message(channel: Channel) -> None:
    _check(_working(channel, step(Dequeue(0, (None,) * len(channel.fields)))), 500)


@pytest.mark.parametrize("channel", CHANNELS.values(), ids=CHANNELS.keys())
def test_a_message_is_removed_from_anywhere(channel: Channel) -> None:
    places = (Place(1), Place(2), None)[: len(channel.fields)]
    fixed = [step(Dequeue(0, places, Constant(number))) for number in range(channel.capacity + 1)]
    _check(_working(channel, step(Dequeue(0, places, Binary("-", X, Constant(1)))), *fixed), 500)


@pytest.mark.parametrize("channel", CHANNELS.values(), ids=CHANNELS.keys())
def test_a_message_is_read_anywhere(channel: Channel) -> None:
    field = len(channel.fields) - 1
    looks = [Message(0, field, Constant(number)) for number in range(channel.capacity + 1)]
    steps = [step(assign(1, look)) for look in (*looks, Message(0, 0, Binary("-", X, Constant(1))))]
    guarded = conjunction(Binary(">", Length(0), X), Binary("==", Message(0, 0, X), X))
    unguarded = Binary("==", Message(0, 0, Constant(0)), Constant(1))
    _check(_working(channel, *steps, step(assign(2, 1), guard=guarded), step(guard=unguarded)), 500)


@pytest.mark.parametrize("channel", CHANNELS.values(), ids=CHANNELS.keys())
def test_the_oldest_message_that_matches_is_found_and_received(channel: Channel) -> None:
    rest = (None,) * (len(channel.fields) - 1)
    every = tuple(Constant(value) for value in (3, 1, -1)[: len(channel.fields)])
    patterns = ((X, *rest), (Constant(1), *rest), (*rest, Constant(0)), (None, *rest), every, (Constant(99_999), *rest))
    finds = [Find(0, pattern) for pattern in patterns]
    receives = [
        step(Dequeue(0, (Place(1), *rest), find), guard=guard)
        for find in finds
        for guard in (Binary(">=", find, Constant(0)), Binary("!=", find, Constant(-1)))
    ]
    _check(_working(channel, *(step(assign(1, find)) for find in finds), *receives), 400)


def test_a_message_that_was_found_is_received_without_a_test_for_it() -> None:
    find = Find(0, (X, None))
    receive = step(Dequeue(0, (None, Place(1)), find), guard=Binary(">=", find, Constant(0)))
    sure = system((variable(0), variable(0)), [receive, step(Enqueue(0, (X, X)))], channels=(SMALL,))
    unsure = replace(sure, transitions=(replace(receive, guard=TRUE), sure.transitions[1]))
    texts = [emit(model, lay_out(model, static_ranges(model)), ()) for model in (sure, unsure)]
    assert texts[0].count("icmp ule i32") < texts[1].count("icmp ule i32")
    _check(sure)
    _check(unsure)


def test_a_message_that_was_found_does_not_imply_another_after_it() -> None:
    look = step(assign(1, Message(0, 0, Constant(1))), guard=Binary(">=", Find(0, (Constant(0), None)), Constant(0)))
    model = _working(SMALL, look)
    code = _check(model)
    outcomes = [dict(code.successors(state)).get(2) for state in first_states(model, 300)]
    assert FAULT in outcomes
    assert any(isinstance(outcome, State) for outcome in outcomes)


def test_a_message_is_searched_for_again_after_the_channel_has_changed() -> None:
    find = Find(0, (X, None))
    twice = [Dequeue(0, (None, Place(1)), find), Dequeue(0, (Place(1), None), find)]
    model = _working(SMALL, step(*twice, guard=Binary(">=", find, Constant(0))))
    code = _check(model, 500)
    assert any((2, FAULT) in code.successors(state) for state in first_states(model, 500))


def test_a_test_for_a_message_is_combined_with_tests_of_variables_in_its_word() -> None:
    guard = conjunction(
        Binary(">", Length(0), Constant(0)),
        Binary("==", Message(0, 0, Constant(0)), Constant(2)),
        Binary("==", Message(0, 1, Constant(0)), Constant(1)),
        Binary("==", Read(0), Constant(1)),
    )
    model = system(
        (variable(0, type_=BIT),),
        [step(guard=guard), step(assign(0, 1)), step(Enqueue(0, (Constant(2), X)))],
        channels=(SMALL,),
    )
    assert emit(model, lay_out(model, static_ranges(model)), ()).count("icmp eq i64") == 1
    _check(model)


@pytest.mark.parametrize("channel", CHANNELS.values(), ids=CHANNELS.keys())
def test_a_cleared_channel_is_like_one_that_was_never_used(channel: Channel) -> None:
    cleared = If(Binary("<", X, Constant(3)), (Clear(0),), (Clear(0), Enqueue(0, (X,) * len(channel.fields))))
    _check(_working(channel, step(Clear(0)), step(cleared), step(Clear(0), assign(1, Length(0)))), 400)


@pytest.mark.parametrize("channel", CHANNELS.values(), ids=CHANNELS.keys())
def test_in_a_branch_that_is_not_taken_nothing_happens_to_a_channel(channel: Channel) -> None:
    values = (X,) * len(channel.fields)
    nothing = (None,) * len(channel.fields)
    statements: list[Statement] = [
        Enqueue(0, values, sorted=True),
        Dequeue(0, nothing, Binary("-", X, Constant(1))),
        Dequeue(0, nothing, Constant(1)),
        Clear(0),
        assign(1, Message(0, 0, X)),
    ]
    steps = [step(If(Binary("<", X, Constant(4)), (statement,), ())) for statement in statements]
    _check(_working(channel, *steps), 500)


def test_in_a_channel_that_is_never_filled_nothing_is_found_and_accesses_fault() -> None:
    none = Constant(0)
    model = system(
        (variable(0), variable(1, 1)),
        [
            step(assign(0, Message(0, 0, none))),
            step(Dequeue(0, (Place(0), None), X)),
            step(guard=Binary("==", Message(0, 1, none), none)),
            step(assign(0, Read(1, Message(0, 0, X)))),
            step(guard=Binary(">=", Find(0, (none, None)), none)),
            step(Clear(0), assign(0, 1)),
        ],
        channels=(SMALL,),
    )
    code = _check(model)
    assert [event for event, outcome in code.successors(code.initial()) if outcome == FAULT] == [0, 1, 2, 3]


def test_a_sorted_message_beyond_a_narrow_channel_is_a_misfit() -> None:
    model = _working(PACKED)
    code = NativeSystem(model, replace(static_ranges(model), lengths=(3,)))
    states = first_states(model, 100)
    assert_same(model, code, states)
    full = next(state for state in states if len(state.channels[0]) == 3)
    assert code.successors(full) == [(0, MISFIT), (1, MISFIT)]


@pytest.mark.parametrize("type_", [BYTE, Range(-128, 127), Range(-3, 250)], ids=["byte", "signed", "odd"])
def test_messages_that_wrap_around_their_type_are_ordered_by_value(type_: Range) -> None:
    channel = Channel("c", 4, (type_,))
    values: list[Expression] = [Constant(type_.wrap(type_.low + value)) for value in (-2, 0, -1, 1)]
    sends = [step(Enqueue(0, (value,), sorted=True), guard=Binary("<", Length(0), Constant(4))) for value in values]
    finds = [step(Dequeue(0, (Place(0),), Find(0, (value,)))) for value in (*values, X)]
    model = system((variable(type_.low, type_=type_),), [*sends, *finds], channels=(channel,))
    around = (type_.low - 2, type_.low + 1)
    code = NativeSystem(model, replace(static_ranges(model), messages=((around,),)))
    assert code.layout.messages[0][0].bits == 2
    assert_same(model, code, first_states(model, 600))
