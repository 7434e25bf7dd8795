"""Swaps: involutions of the parts of a system, as they act on its states.

A swap exchanges processes (each is then at the other's location), elements of arrays, channels, and values of variables
and of messages. It is a *symmetry* of the system if it maps every transition to another one, so that it commutes with
firing: src/scrimp/symmetry/ finds such swaps and proves them.

The swaps of a `Symmetric` group of n members are adjacent transpositions: swap k exchanges members k and k+1. All
states that they lead to from a state form its *orbit*.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import factorial, prod
from typing import TypeAlias

from scrimp.system.reference import Messages, State, Values

Cell: TypeAlias = tuple[int, int]
"""A variable and one of its elements; a scalar is an array of one."""
FieldKey: TypeAlias = tuple[int, int]
"""A channel and one of the fields of its messages."""
Pairs: TypeAlias = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Swap:
    """Pairs of things that change places. All elements of the variables in `variable_values`, and all messages in the
    fields of `message_values`, have the values of some pairs exchanged. `events` is the event that each event is mapped
    to.

    If `where` is not empty, this is a symmetry only while each of these processes is at one of these locations, which
    it never leaves again.
    """

    processes: Pairs
    cells: tuple[tuple[Cell, Cell], ...]
    channels: Pairs
    variable_values: tuple[tuple[int, Pairs], ...]
    message_values: tuple[tuple[FieldKey, Pairs], ...]
    events: tuple[int, ...]
    where: tuple[tuple[int, tuple[int, ...]], ...] = ()

    def applies(self, state: State) -> bool:
        """Whether this is a symmetry in a state."""
        return all(state.locations[process] in locations for process, locations in self.where)

    def __call__(self, state: State) -> State:
        holder = next(
            (b if state.holder == a else a for a, b in self.processes if state.holder in (a, b)), state.holder
        )
        return State(self._locations(state), self._values(state), self._channels(state), holder)

    def _locations(self, state: State) -> tuple[int, ...]:
        locations = list(state.locations)
        for a, b in self.processes:
            locations[a], locations[b] = locations[b], locations[a]
        return tuple(locations)

    def _values(self, state: State) -> tuple[Values, ...]:
        values = [list(each) for each in state.values]
        for (a, i), (b, j) in self.cells:
            values[a][i], values[b][j] = values[b][j], values[a][i]
        for variable, pairs in self.variable_values:
            values[variable] = [_exchanged(value, pairs) for value in values[variable]]
        return tuple(map(tuple, values))

    def _channels(self, state: State) -> tuple[Messages, ...]:
        channels = list(state.channels)
        for a, b in self.channels:
            channels[a], channels[b] = channels[b], channels[a]
        for (channel, field), pairs in self.message_values:
            channels[channel] = tuple(
                (*message[:field], _exchanged(message[field], pairs), *message[field + 1 :])
                for message in channels[channel]
            )
        return tuple(channels)


def _exchanged(value: int, pairs: Pairs) -> int:
    return next((b if value == a else a for a, b in pairs if value in (a, b)), value)


@dataclass(frozen=True, slots=True)
class Block:
    """What belongs to one member of a group, in the same order for all members: processes, cells and channels; and the
    values that stand for this member in variables and messages that belong to nobody."""

    processes: tuple[int, ...] = ()
    cells: tuple[Cell, ...] = ()
    channels: tuple[int, ...] = ()
    named_by_cells: tuple[tuple[Cell, int], ...] = ()
    named_by_messages: tuple[tuple[FieldKey, int], ...] = ()


@dataclass(frozen=True)
class Symmetric:
    """Members that can be exchanged: processes that stand for them, their blocks, and the swaps between neighbours.

    If the group is `sorted_by_blocks`, blocks with equal contents are equal in every respect; if not, some parts of a
    state relate members to each other.
    """

    members: tuple[int, ...]
    swaps: tuple[Swap, ...]
    blocks: tuple[Block, ...]
    sorted_by_blocks: bool


@dataclass(frozen=True)
class Symmetry:
    """All groups of a system. The order of the group that they generate is that of their product."""

    groups: tuple[Symmetric, ...]

    @cached_property
    def order(self) -> int:
        return prod(factorial(len(group.members)) for group in self.groups)

    @cached_property
    def swaps(self) -> tuple[Swap, ...]:
        return tuple(swap for group in self.groups for swap in group.swaps)

    @property
    def is_everywhere(self) -> bool:
        """Whether the swaps are symmetries in every state."""
        return not any(swap.where for swap in self.swaps)

    def fixes(self, state: State) -> bool:
        """Whether a state is alone in its orbit."""
        return all(swap(state) == state for swap in self.swaps)

    @cached_property
    def orbits(self) -> Mapping[int, frozenset[int]]:
        """The events that each event is mapped to by products of swaps."""
        return {event: orbit for orbit in _orbits(self.swaps) for event in orbit}


def _orbits(swaps: Iterable[Swap]) -> list[frozenset[int]]:
    leader: dict[int, int] = {}

    def find(event: int) -> int:
        while leader.get(event, event) != event:
            leader[event] = event = leader.get(leader[event], leader[event])
        return event

    events: set[int] = set()
    for swap in swaps:
        for event, image in enumerate(swap.events):
            events.add(event)
            leader[find(event)] = find(image)
    orbits: dict[int, set[int]] = {}
    for event in events:
        orbits.setdefault(find(event), set()).add(event)
    return [frozenset(orbit) for orbit in orbits.values()]
