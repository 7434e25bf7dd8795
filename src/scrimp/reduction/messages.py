"""Messages: what receives wait for, and which events may send it.

A receive that finds its channel empty stays disabled until a message is sent that it can take. If its guard compares
fields of the oldest message with constants, the events that send only messages with other constants in these fields
need not be waited for: whatever they send, some other event must send the message that is taken. Sorted sends are like
others here, because the channel is empty before; random receives compare by `Find`, which is no such test.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from scrimp.machine.intervals import satisfying
from scrimp.reduction.bits import members, of, union
from scrimp.reduction.passages import Passage
from scrimp.system.expressions import BinaryOperator, Constant
from scrimp.system.statements import Enqueue, Statement
from scrimp.system.system import Channel, System
from scrimp.system.traverse import substatements

Contents: TypeAlias = tuple[int | None, ...]
"""The fields of a message as they are stored; None if that is not known before the search."""


class Demand(NamedTuple):
    """A comparison of a field of the oldest message with a constant."""

    field: int
    operator: BinaryOperator
    number: int

    def allows(self, contents: Contents) -> bool:
        value = contents[self.field]
        if value is None:
            return True
        if self.operator == "!=":
            return value != self.number
        low, high = satisfying(self.operator, (self.number, self.number))
        return low <= value <= high


@dataclass(frozen=True, slots=True)
class Wanted:
    """The messages of a channel that satisfy all demands."""

    channel: int
    demands: tuple[Demand, ...]

    def allows(self, contents: Contents) -> bool:
        return all(demand.allows(contents) for demand in self.demands)


class Sending:
    """Finds the events that may send a message, given the passages of all events."""

    def __init__(self, system: System, passages: Sequence[Passage]) -> None:
        sent = [tuple(_sent(system.channels, transition.effect)) for transition in system.transitions]
        senders = of(event for event, messages in enumerate(sent) if messages)
        self._by: list[dict[Contents, int]] = [{} for _ in system.channels]
        for event, passage in enumerate(passages):
            for each in members((1 << event | passage.following) & senders):
                for channel, contents in sent[each]:
                    self._by[channel][contents] = self._by[channel].get(contents, 0) | 1 << event

    def events(self, wanted: Wanted) -> int:
        return union(events for contents, events in self._by[wanted.channel].items() if wanted.allows(contents))


def _sent(channels: Sequence[Channel], effect: Sequence[Statement]) -> Iterator[tuple[int, Contents]]:
    for statement in substatements(effect):
        if isinstance(statement, Enqueue):
            fields = zip(channels[statement.channel].fields, statement.values, strict=True)
            yield (
                statement.channel,
                tuple(field.wrap(value.value) if isinstance(value, Constant) else None for field, value in fields),
            )
