"""Access: which parts of a state a transition reads and writes, and what follows from that. Computed, never declared.

The sets are conservative: firing a transition changes nothing outside its writes, and whether it is enabled, whether it
faults and what it writes depend on nothing outside its reads. Each array element is a part of its own; an index that is
not a constant accesses all elements. The position of a process is represented by one part per location (whether the
process is there), so that a test of one location does not depend on moves between others.

At a committed location only urgent transitions are enabled, so every transition that is not urgent reads what
`System.committed` reads. `Timeout` depends on all that is enabled, so it reads everything; so does a claim, which moves
twice if the others cannot move.

The holder of a transient state, whose turn it is, is not a part of the state in this sense. A transition that may
change it is independent of nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from scrimp.system.expressions import At, Constant, Expression, Find, Length, Message, Read, Timeout
from scrimp.system.statements import OLDEST, Clear, Dequeue, Enqueue, Statement
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
    """A part of a channel: the end that is sent to, the end that is received from, the number of messages."""

    BACK = "back"
    FRONT = "front"
    LENGTH = "length"


@dataclass(frozen=True, slots=True)
class ChannelPart:
    """Sending reads the length and writes back and length; receiving reads and writes front and length. A search for a
    message, or for a place among the messages, reads all three."""

    channel: int
    end: End


Cell: TypeAlias = Presence | Element | ChannelPart


def reads(system: System, transition: Transition) -> frozenset[Cell]:
    """The parts that decide whether the transition is enabled, whether it faults and what it writes."""
    return frozenset(_reads(system, transition))


def writes(system: System, transition: Transition) -> frozenset[Cell]:
    """The parts that firing the transition may change."""
    return frozenset(_writes(system, transition))


def independent(system: System, a: Transition, b: Transition) -> bool:
    """Neither writes what the other reads or writes, or changes whose turn it is, so they commute and keep each other
    enabled."""
    holders = all_holders(system)
    return all(keeps_turn(system, holders, transition) for transition in (a, b)) and _disjoint(system, a, b)


def all_holders(system: System) -> frozenset[int]:
    """The processes that continue alone after some transition."""
    return frozenset(transition.holder for transition in system.transitions if transition.holder is not None)


def keeps_turn(system: System, holders: frozenset[int], transition: Transition) -> bool:
    """Whether firing it always leads from an ordinary state to an ordinary one: no process continues alone after it,
    and the one that leads it never does (it is none of `all_holders`)."""
    return system.claim is None and transition.holder is None and transition.moves[0].process not in holders


def is_local(system: System, transition: Transition) -> bool:
    """It moves one process, keeps the turn, and neither it nor a transition that does not move that process writes
    what the other reads or writes. So it commutes with any sequence of steps of other processes.

    `locality.local_transitions` finds all of them at once."""
    movers = {move.process for move in transition.moves}
    return (
        len(movers) == 1
        and keeps_turn(system, all_holders(system), transition)
        and all(
            _disjoint(system, transition, other)
            for other in system.transitions
            if movers.isdisjoint(move.process for move in other.moves)
        )
    )


def _disjoint(system: System, a: Transition, b: Transition) -> bool:
    reads_a, reads_b, writes_a, writes_b = reads(system, a), reads(system, b), writes(system, a), writes(system, b)
    return not (writes_a & (reads_b | writes_b) or writes_b & reads_a)


def _reads(system: System, transition: Transition) -> Iterator[Cell]:
    for move in transition.moves:
        yield Presence(move.process, move.source)
    yield from expression_reads(system, transition.guard)
    if system.committed is not None and not transition.urgent:
        yield from expression_reads(system, system.committed)
    if transition.moves[0].process == system.claim:
        yield from _everything(system)
    for statement in substatements(transition.effect):
        for expression in evaluated(statement):
            yield from expression_reads(system, expression)
        yield from _channel_reads(statement)


def _channel_reads(statement: Statement) -> Iterator[ChannelPart]:
    match statement:
        case Enqueue(channel, _, False):
            yield ChannelPart(channel, End.LENGTH)
        case Dequeue(channel, _, position) if position == OLDEST:
            yield ChannelPart(channel, End.FRONT)
            yield ChannelPart(channel, End.LENGTH)
        case Enqueue(channel) | Dequeue(channel):
            yield from _all_of(channel)


def _writes(system: System, transition: Transition) -> Iterator[Cell]:
    for move in transition.moves:
        if move.source != move.target:
            yield Presence(move.process, move.source)
            yield Presence(move.process, move.target)
    for statement in substatements(transition.effect):
        for place in assigned(statement):
            yield from _elements(system, place.variable, place.index)
        yield from _channel_writes(statement)


def _channel_writes(statement: Statement) -> Iterator[ChannelPart]:
    match statement:
        case Enqueue(channel, _, False):
            yield ChannelPart(channel, End.BACK)
            yield ChannelPart(channel, End.LENGTH)
        case Dequeue(channel, _, position) if position == OLDEST:
            yield ChannelPart(channel, End.FRONT)
            yield ChannelPart(channel, End.LENGTH)
        case Enqueue(channel) | Dequeue(channel) | Clear(channel):
            yield from _all_of(channel)


def expression_reads(system: System, expression: Expression) -> Iterator[Cell]:
    """The parts that the expression's value depends on, some perhaps more than once."""
    for part in subexpressions(expression):
        match part:
            case Read(variable, index):
                yield from _elements(system, variable, index)
            case At(process, location):
                yield Presence(process, location)
            case Length(channel):
                yield ChannelPart(channel, End.LENGTH)
            case Message(channel) | Find(channel):
                yield from _all_of(channel)
            case Timeout():
                yield from _everything(system)


def _all_of(channel: int) -> Iterator[ChannelPart]:
    return (ChannelPart(channel, end) for end in End)


def _everything(system: System) -> Iterator[Cell]:
    for number, process in enumerate(system.processes):
        yield from (Presence(number, location) for location in range(len(process.locations)))
    for number, variable in enumerate(system.variables):
        yield from (Element(number, index) for index in range(variable.length or 1))
    for channel in range(len(system.channels)):
        yield from _all_of(channel)


def _elements(system: System, variable: int, index: Expression | None) -> Iterator[Element]:
    length = system.variables[variable].length
    if length is None:
        yield Element(variable, 0)
    elif not isinstance(index, Constant):
        yield from (Element(variable, i) for i in range(length))
    elif 0 <= index.value < length:
        yield Element(variable, index.value)
