"""`system async`: processes are interleaved. A transition is one step, or two that meet on a rendezvous channel."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from scrimp.frontends.dve.source import Source
from scrimp.frontends.dve.steps import Receiving, Sending, Step
from scrimp.frontends.old_values import OldValues
from scrimp.system.expressions import TRUE, Binary, Constant, Expression, Length, conjunction
from scrimp.system.statements import Assign, Dequeue, Enqueue, Statement
from scrimp.system.system import Kind, Transition
from scrimp.system.types import BYTE, Range

# Every pair of a sender and a receiver on a channel is a transition.
MOST_PAIRS = 200_000


def interleave(source: Source, steps: Sequence[Step], old_values: OldValues) -> Iterator[Transition]:
    """The transitions in the order of the text; a rendezvous has the place of its sender."""
    receivers = _receivers(steps)
    _require_few_pairs(source, steps, receivers)
    for step in steps:
        match step.communication:
            case None:
                yield _alone(step)
            case Sending(channel, _) if channel.buffer is None:
                for partner in receivers[channel.name]:
                    if partner.move.process != step.move.process:
                        yield _rendezvous(step, partner, old_values)
            case communication if communication.channel.buffer is not None:
                yield _buffered(step, communication, communication.channel.buffer)


def kind_of(guard: Expression, effect: Sequence[Statement]) -> Kind:
    """The kind of a transition that does not communicate."""
    return Kind.ASSIGN if effect else Kind.CONTROL if guard != TRUE else Kind.OTHER


def _require_few_pairs(source: Source, steps: Sequence[Step], receivers: dict[str, list[Step]]) -> None:
    pairs = 0
    for step in steps:
        if isinstance(step.communication, Sending):
            pairs += len(receivers[step.communication.channel.name])
        if pairs > MOST_PAIRS:
            message = f"found more than {MOST_PAIRS:,} pairs of a sender and a receiver up to here, expected fewer"
            raise source.error(step.offset, message)


def _receivers(steps: Sequence[Step]) -> dict[str, list[Step]]:
    """The steps that wait for a rendezvous, by channel."""
    receivers: dict[str, list[Step]] = defaultdict(list)
    for step in steps:
        if isinstance(step.communication, Receiving) and step.communication.channel.buffer is None:
            receivers[step.communication.channel.name].append(step)
    return receivers


def _alone(step: Step) -> Transition:
    return Transition((step.move,), step.guard, step.effect, kind_of(step.guard, step.effect), step.committed)


def _buffered(step: Step, communication: Sending | Receiving, buffer: int) -> Transition:
    """A step that sends if the channel is not full, or receives if it is not empty, and then executes its effect."""
    statement: Statement
    match communication:
        case Sending(channel, values):
            possible = Binary("<", Length(buffer), Constant(channel.capacity))
            statement, kind = Enqueue(buffer, values), Kind.SEND
        case Receiving(_, places):
            possible = Binary(">", Length(buffer), Constant(0))
            statement, kind = Dequeue(buffer, places), Kind.RECEIVE
    return Transition((step.move,), conjunction(possible, step.guard), (statement, *step.effect), kind, step.committed)


def _rendezvous(sender: Step, receiver: Step, old_values: OldValues) -> Transition:
    """The values are passed, then the receiver's effect is executed, then the sender's. It is urgent if both are
    committed."""
    return Transition(
        (sender.move, receiver.move),
        conjunction(sender.guard, receiver.guard),
        (*_passing(sender, receiver, old_values), *receiver.effect, *sender.effect),
        Kind.SEND,
        sender.committed and receiver.committed,
    )


def _passing(sender: Step, receiver: Step, old_values: OldValues) -> tuple[Statement, ...]:
    assert isinstance(sender.communication, Sending)
    assert isinstance(receiver.communication, Receiving)
    places, values = receiver.communication.places, sender.communication.values
    fields = sender.communication.channel.fields
    if fields is not None:
        values = tuple(map(_into_field, values, fields))
    assignments = [(Assign(place, value),) for place, value in zip(places, values, strict=True)]
    return old_values.preserved(assignments, indices_too=False)


def _into_field(value: Expression, field: Range) -> Expression:
    """The value as a typed channel carries it. For an `int` field, the assignment does the same conversion anyway."""
    if field != BYTE or (isinstance(value, Constant) and field.contains(value.value)):
        return value
    return Binary("&", value, Constant(BYTE.high))
