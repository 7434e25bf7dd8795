"""Validation finds every mistake in a system, and says where it is."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import pytest

from scrimp.system.expressions import (
    TRUE,
    At,
    Binary,
    Conditional,
    Constant,
    Expression,
    Find,
    Length,
    Message,
    Read,
    Timeout,
    Unary,
)
from scrimp.system.statements import Assert, Assign, Clear, Dequeue, Enqueue, If, Place, Statement
from scrimp.system.system import Channel, Invariant, Position, Process, System, Transition, Variable
from scrimp.system.text import parse_system
from scrimp.system.types import BIT, BYTE, Range
from scrimp.system.validate import InvalidSystem, validate

SYSTEM = parse_system("""
    system s;
    process P { a, b }
    process Q { c }
    variable x: byte;
    variable array[2]: bit;
    channel pipe[1]: {byte, bit};
    invariant fine: 1;
    transition { P: a -> b; Q: c -> c; }
""")
MOVE = SYSTEM.transitions[0].moves[0]


def variable(**changes: Any) -> System:
    return replace(SYSTEM, variables=(replace(SYSTEM.variables[0], **changes), SYSTEM.variables[1]))


def channel(**changes: Any) -> System:
    return replace(SYSTEM, channels=(replace(SYSTEM.channels[0], **changes),))


def process(**changes: Any) -> System:
    return replace(SYSTEM, processes=(replace(SYSTEM.processes[0], **changes), SYSTEM.processes[1]))


def transition(**changes: Any) -> System:
    return replace(SYSTEM, transitions=(replace(SYSTEM.transitions[0], **changes),))


def move(**changes: Any) -> System:
    return transition(moves=(replace(MOVE, **changes),))


def guard(expression: Expression) -> System:
    return transition(guard=expression)


def effect(*statements: Statement) -> System:
    return transition(effect=statements)


def nested(depth: int) -> Statement:
    return If(TRUE, (nested(depth - 1),)) if depth else Assert(TRUE, "")


def test_a_valid_system_passes() -> None:
    validate(SYSTEM)


BROKEN = [
    (replace(SYSTEM, processes=()), "processes: a system needs a process"),
    (process(locations=()), "processes[0]: a process needs a location"),
    (process(initial=2), "processes[0].initial: location 2 does not exist"),
    (process(accepting=frozenset({5})), "processes[0].accepting: location 5 does not exist"),
    (process(locations=("a", "a")), "processes[0].locations[1]: the name a is already declared"),
    (process(name="Q"), "processes[1]: the name Q is already declared"),
    (variable(type=Range(3, 2)), "variables[0].type: the range 3..2 is empty"),
    (variable(type=Range(0, 2**31)), "variables[0].type: the range 0..2147483648 does not fit in 32 bits"),
    (variable(length=0, initial=()), "variables[0].length: an array needs an element"),
    (variable(initial=(1, 2)), "variables[0].initial: 2 values for 1 element"),
    (variable(length=3, initial=(1,)), "variables[0].initial: 1 values for 3 elements"),
    (variable(initial=(256,)), "variables[0].initial[0]: value 256 is outside the variable's range 0..255"),
    (variable(owner=2), "variables[0].owner: process 2 does not exist"),
    (variable(name="array"), "variables[1]: the name array is already declared"),
    (channel(capacity=0), "channels[0].capacity: a channel needs room for a message"),
    (channel(fields=(BIT, Range(1, 0))), "channels[0].fields[1]: the range 1..0 is empty"),
    (replace(SYSTEM, channels=SYSTEM.channels * 2), "channels[1]: the name pipe is already declared"),
    (transition(moves=()), "transitions[0].moves: a transition needs a move"),
    (transition(moves=(MOVE, MOVE)), "transitions[0].moves[1]: process P moves twice"),
    (move(process=-1), "transitions[0].moves[0].process: process -1 does not exist"),
    (move(source=2), "transitions[0].moves[0].source: location 2 does not exist"),
    (move(target=-1), "transitions[0].moves[0].target: location -1 does not exist"),
    (move(position=Position(0, 1)), "transitions[0].moves[0].position: lines and columns count from 1"),
    (guard(Constant(2**31)), "transitions[0].guard: the constant 2147483648 does not fit in 32 bits"),
    (guard(Binary("+", Read(7), TRUE)), "transitions[0].guard.left: variable 7 does not exist"),
    (guard(Binary("+", TRUE, Read(0, TRUE))), "transitions[0].guard.right: variable 0 (x) is not an array"),
    (guard(Unary("-", Read(1))), "transitions[0].guard.operand: array 1 (array) needs an index"),
    (guard(Read(1, Read(2))), "transitions[0].guard.index: variable 2 does not exist"),
    (guard(At(2, 0)), "transitions[0].guard: process 2 does not exist"),
    (guard(At(1, 1)), "transitions[0].guard: location 1 does not exist"),
    (guard(Length(1)), "transitions[0].guard: channel 1 does not exist"),
    (guard(Conditional(TRUE, TRUE, Length(-1))), "transitions[0].guard.otherwise: channel -1 does not exist"),
    (guard(Message(1, 0, TRUE)), "transitions[0].guard: channel 1 does not exist"),
    (guard(Message(0, 2, TRUE)), "transitions[0].guard: field 2 does not exist"),
    (guard(Message(0, 1, Read(9))), "transitions[0].guard.position: variable 9 does not exist"),
    (guard(Find(1, ())), "transitions[0].guard.channel: channel 1 does not exist"),
    (guard(Find(0, (TRUE,))), "transitions[0].guard: a message of 1 for a channel of 2 fields"),
    (guard(Find(0, (None, Read(9)))), "transitions[0].guard.pattern[1]: variable 9 does not exist"),
    (guard(Unary(cast(Any, "+"), TRUE)), "transitions[0].guard: unknown unary operator +"),
    (guard(Binary(cast(Any, "**"), TRUE, TRUE)), "transitions[0].guard: unknown binary operator **"),
    (effect(Assign(Place(0, TRUE), TRUE)), "transitions[0].effect[0].place: variable 0 (x) is not an array"),
    (effect(Assign(Place(1), TRUE)), "transitions[0].effect[0].place: array 1 (array) needs an index"),
    (effect(Assign(Place(0), Read(9))), "transitions[0].effect[0].value: variable 9 does not exist"),
    (effect(Enqueue(1, ())), "transitions[0].effect[0].channel: channel 1 does not exist"),
    (effect(Enqueue(0, (TRUE,))), "transitions[0].effect[0]: a message of 1 for a channel of 2 fields"),
    (effect(Enqueue(0, (TRUE, Read(9)))), "transitions[0].effect[0].values[1]: variable 9 does not exist"),
    (effect(Dequeue(0, (None,))), "transitions[0].effect[0]: a message of 1 for a channel of 2 fields"),
    (effect(Dequeue(0, (None, Place(9)))), "transitions[0].effect[0].places[1]: variable 9 does not exist"),
    (effect(Dequeue(0, (None, None), Read(9))), "transitions[0].effect[0].position: variable 9 does not exist"),
    (effect(Clear(1)), "transitions[0].effect[0].channel: channel 1 does not exist"),
    (effect(If(Read(9), ())), "transitions[0].effect[0].test: variable 9 does not exist"),
    (effect(If(TRUE, (Assert(Read(9), ""),))), "transitions[0].effect[0].then[0].test: variable 9 does not exist"),
    (
        effect(If(TRUE, (), (Enqueue(1, ()),))),
        "transitions[0].effect[0].otherwise[0].channel: channel 1 does not exist",
    ),
    (replace(SYSTEM, invariants=(Invariant("i", Read(9)),)), "invariants[0].test: variable 9 does not exist"),
    (
        replace(SYSTEM, invariants=(Invariant("i", TRUE, Position(1, 0)),)),
        "invariants[0].position: lines and columns count from 1",
    ),
    (transition(holder=2), "transitions[0].holder: process 2 does not exist"),
    (transition(steps=256), "transitions[0].steps: a transition counts as 0 to 255 steps"),
    (replace(SYSTEM, claim=2), "claim: process 2 does not exist"),
    (
        replace(transition(holder=1), claim=0),
        "transitions[0].holder: a claim continues alone only after its own moves, and nobody else does",
    ),
    (
        replace(transition(holder=1), claim=1),
        "transitions[0].holder: a claim continues alone only after its own moves, and nobody else does",
    ),
    (replace(SYSTEM, offers=((2, TRUE),)), "offers[0]: process 2 does not exist"),
    (replace(SYSTEM, offers=((0, TRUE), (1, Length(3)))), "offers[1]: channel 3 does not exist"),
    (
        replace(SYSTEM, valid_end=Unary("!", Timeout())),
        "valid_end: `timeout` is allowed only in transitions",
    ),
    (replace(SYSTEM, committed=At(0, 9)), "committed: location 9 does not exist"),
    (replace(SYSTEM, valid_end=Unary("!", Length(9))), "valid_end.operand: channel 9 does not exist"),
]


@pytest.mark.parametrize(("system", "message"), BROKEN, ids=[message for _, message in BROKEN])
def test_an_invalid_system_is_refused(system: System, message: str) -> None:
    with pytest.raises(InvalidSystem) as error:
        validate(system)
    assert str(error.value) == message


def test_a_timeout_may_stand_in_guards_and_effects() -> None:
    validate(guard(Timeout()))
    validate(effect(Assign(Place(0), Timeout())))


def test_nesting_is_limited_so_that_recursion_over_it_is_safe() -> None:
    deep: Expression = TRUE
    for _ in range(100_000):
        deep = Unary("!", deep)
    with pytest.raises(InvalidSystem, match="nests more than 500 deep"):
        validate(guard(deep))
    with pytest.raises(InvalidSystem, match="nest more than 100 deep"):
        validate(effect(nested(100)))
    validate(effect(nested(99)))


def test_locals_of_different_processes_may_share_a_name() -> None:
    locals_ = (Variable("i", BYTE, (0,), owner=0), Variable("i", BYTE, (0,), owner=1), Variable("i", BYTE, (0,)))
    validate(replace(SYSTEM, variables=(*SYSTEM.variables, *locals_)))


def test_processes_channels_and_variables_have_names_of_their_own() -> None:
    validate(
        System(
            "same",
            (Variable("same", BIT, (0,)),),
            (Channel("same", 1, ()),),
            (Process("same", ("same",), 0),),
            (Transition((replace(MOVE, target=0),)),),
        )
    )
