"""Access: which parts of a state a transition reads and writes, and what follows from it. Computed, never declared.

The sets are conservative: firing a transition changes nothing outside its writes, and whether it is enabled, whether it
faults and what it writes depend on nothing outside its reads. An array element is a part of its own; an index that is
not a constant accesses all of them. Where a process is comes apart into one part per location, whether the process is
there: so a test of one location does not depend on moves between others.

Committed locations forbid whatever is not urgent, so every transition that is not urgent reads what
`System.committed` reads.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from scrimp.system.expressions import At, Constant, Expression, Length, Read
from scrimp.system.statements import Dequeue, Enqueue
from scrimp.system.system import System, Transition
from scrimp.system.traverse import assigned, evaluated, subexpressions, substatements


@dataclass(frozen=True, slots=True)
class Presence:
    """Whether a process is at a location."""

    process: int
    location: int


@dataclass(frozen=True, slots=True)
class Element:
    """One element of an array; a scalar is an array of one."""

    variable: int
    index: int


class End(Enum):
    """What of a channel: where messages are sent to, where they are received from, how many there are."""

    BACK = "back"
    FRONT = "front"
    LENGTH = "length"


@dataclass(frozen=True, slots=True)
class ChannelPart:
    """Sending reads the length and writes back and length, receiving reads and writes front and length."""

    channel: int
    end: End


Cell: TypeAlias = Presence | Element | ChannelPart


def reads(system: System, transition: Transition) -> frozenset[Cell]:
    """All that decides whether the transition is enabled, whether it faults and what it writes."""
    return frozenset(_reads(system, transition))


def writes(system: System, transition: Transition) -> frozenset[Cell]:
    """All that firing the transition may change."""
    return frozenset(_writes(system, transition))


def independent(system: System, a: Transition, b: Transition) -> bool:
    """Neither writes what the other reads or writes, so they commute and keep each other enabled."""
    reads_a, reads_b, writes_a, writes_b = reads(system, a), reads(system, b), writes(system, a), writes(system, b)
    return not (writes_a & (reads_b | writes_b) or writes_b & reads_a)


def is_local(system: System, transition: Transition) -> bool:
    """It moves one process and is independent of every transition that does not move that process.

    `locality.local_transitions` finds all of them at once."""
    movers = {move.process for move in transition.moves}
    return len(movers) == 1 and all(
        independent(system, transition, other)
        for other in system.transitions
        if movers.isdisjoint(move.process for move in other.moves)
    )


def _reads(system: System, transition: Transition) -> Iterator[Cell]:
    for move in transition.moves:
        yield Presence(move.process, move.source)
    yield from expression_reads(system, transition.guard)
    if system.committed is not None and not transition.urgent:
        yield from expression_reads(system, system.committed)
    for statement in substatements(transition.effect):
        for expression in evaluated(statement):
            yield from expression_reads(system, expression)
        match statement:
            case Enqueue(channel):
                yield ChannelPart(channel, End.LENGTH)
            case Dequeue(channel):
                yield ChannelPart(channel, End.FRONT)
                yield ChannelPart(channel, End.LENGTH)


def _writes(system: System, transition: Transition) -> Iterator[Cell]:
    for move in transition.moves:
        if move.source != move.target:
            yield Presence(move.process, move.source)
            yield Presence(move.process, move.target)
    for statement in substatements(transition.effect):
        for place in assigned(statement):
            yield from _elements(system, place.variable, place.index)
        match statement:
            case Enqueue(channel):
                yield ChannelPart(channel, End.BACK)
                yield ChannelPart(channel, End.LENGTH)
            case Dequeue(channel):
                yield ChannelPart(channel, End.FRONT)
                yield ChannelPart(channel, End.LENGTH)


def expression_reads(system: System, expression: Expression) -> Iterator[Cell]:
    """All that the expression's value depends on; a part may come more than once."""
    for part in subexpressions(expression):
        match part:
            case Read(variable, index):
                yield from _elements(system, variable, index)
            case At(process, location):
                yield Presence(process, location)
            case Length(channel):
                yield ChannelPart(channel, End.LENGTH)


def _elements(system: System, variable: int, index: Expression | None) -> Iterator[Element]:
    length = system.variables[variable].length
    if length is None:
        yield Element(variable, 0)
    elif not isinstance(index, Constant):
        yield from (Element(variable, i) for i in range(length))
    elif 0 <= index.value < length:
        yield Element(variable, index.value)
