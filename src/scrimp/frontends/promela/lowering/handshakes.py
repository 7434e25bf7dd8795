"""Rendezvous: a send and a receive of two processes on one channel, in one transition."""

from __future__ import annotations

from typing import NamedTuple

from scrimp.frontends.old_values import OldValues
from scrimp.frontends.promela.automata.automaton import DStep
from scrimp.frontends.promela.lowering.d_steps import first_receive
from scrimp.frontends.promela.lowering.expressions import brought_into, field_range, folded
from scrimp.frontends.promela.lowering.statements import StatementLowering, wrong_count
from scrimp.frontends.promela.planning.channels import Channel, field_types
from scrimp.frontends.promela.planning.world import Exit
from scrimp.frontends.promela.program import syntax
from scrimp.system.expressions import FALSE, Binary, Constant, Expression, conjunction
from scrimp.system.statements import Assign, Statement


class Half(NamedTuple):
    """A send or receive that can take part in a handshake on `channel` if `test` holds."""

    statements: StatementLowering
    exit: Exit
    statement: syntax.Send | syntax.Receive
    test: Expression
    channel: Channel


def halves(statements: StatementLowering, exit_: Exit) -> list[Half]:
    """An edge as half of a handshake, once for each channel that it may refer to."""
    statement: object = exit_.edge.statement
    if isinstance(statement, DStep):
        statement = first_receive(statement)
    if isinstance(statement, syntax.Receive) and statement.keeps:
        return []
    if not isinstance(statement, syntax.Send | syntax.Receive):
        return []
    found, _ = statements.lowering.candidates(statement.channel)
    return [Half(statements, exit_, statement, test, c) for test, c in found if c.is_rendezvous]


def sent_values(sender: Half) -> tuple[Expression, ...]:
    """The message, as the channel carries it."""
    send = sender.statement
    assert isinstance(send, syntax.Send)
    fields = len(field_types(sender.channel.shape))
    values = [sender.statements.lowering.value(value) for value in send.values]
    return tuple(
        brought_into(field_range(sender.channel, number), value)
        for number, value in enumerate([*values, *[Constant(0)] * fields][:fields])
    )


def exchange(sender: Half, receiver: Half, old: OldValues) -> tuple[Expression, tuple[Statement, ...]]:
    """Whether the receiver accepts the message, and the effect of receiving it."""
    send, receive = sender.statement, receiver.statement
    assert isinstance(send, syntax.Send)
    assert isinstance(receive, syntax.Receive)
    sent = sent_values(sender)
    wanted = receiver.statements.lowering.pattern(sender.channel, receive.arguments)
    matches = conjunction(
        *(folded(Binary("==", value, want)) for value, want in zip(sent, wanted, strict=True) if want is not None)
    )
    groups: list[tuple[Assign, ...]] = []
    for argument, value in zip(receive.arguments, sent, strict=False):
        place = receiver.statements.target(argument)
        if place is not None:
            groups.append((Assign(place, value),))
    fields = len(sent)
    wrong = (
        *wrong_count(len(send.values), fields, "sent on"),
        *wrong_count(len(receive.arguments), fields, "received from"),
    )
    effect = old.preserved(groups, indices_too=False) if matches != FALSE else ()
    observed = sender.statements.world.observed
    events = (*observed("send", sender.channel, sent), *observed("receive", sender.channel, sent))
    return matches, (*wrong, *events, *effect)
