"""Passages: everything that may happen from the firing of an event up to the next ordinary states.

A search fires an event in an ordinary state and continues through transient ones, see system.py. For a reduction this
is one event. It includes everything that a holder may fire on the way, from every location at which it may be: those
where it continues, and those where it has stopped. On the way it is not known which events are enabled, and if none is,
the passage ends in an ordinary state; so an event fired on the way reads everything that its guard tests, including
both ends of a channel, and whether the processes that it moves are at their source locations.

`Timeout` is false on the way and reads nothing. In an ordinary state it is false if any event that does not test it is
enabled, and stays so as long as that event is; so only events that test it depend on each other because of it.

After a claim has moved, every process may continue: its passages contain everything.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from scrimp.reduction.accesses import Access
from scrimp.reduction.bits import members, of, spread, union
from scrimp.reduction.cells import Cells
from scrimp.reduction.places import Places
from scrimp.system.system import System, Transition


@dataclass(frozen=True, slots=True)
class Part:
    """What some of the events of a passage do: the cells that they write, the processes that they move, the places that
    these leave and enter, and the sets of two or more processes that are moved together."""

    writes: int = 0
    movers: int = 0
    left: int = 0
    entered: int = 0
    meetings: frozenset[int] = frozenset()

    def __or__(self, other: Part) -> Part:
        return Part(
            self.writes | other.writes,
            self.movers | other.movers,
            self.left | other.left,
            self.entered | other.entered,
            self.meetings | other.meetings,
        )


@dataclass(frozen=True, slots=True)
class Passage:
    """An event with everything that may follow it: `first` is its own access, `moved_first` are the processes that it
    moves, `following` are the other events, `read_on_the_way` has the cells that these read, `does` is what all of them
    do."""

    first: Access
    moved_first: int
    following: int
    read_on_the_way: int
    does: Part

    @property
    def reads(self) -> int:
        """The cells that matter if the event is enabled."""
        return self.first.disabled_by | self.first.effect | self.read_on_the_way

    @property
    def accesses(self) -> int:
        """The cells that matter if it is not known whether the event is enabled."""
        return self.first.any_time | self.read_on_the_way | self.writes

    @property
    def writes(self) -> int:
        return self.does.writes

    def writing(self, cells: int) -> Passage:
        """The same event, if it also writes these cells."""
        return replace(self, does=self.does | Part(writes=cells))

    @property
    def movers(self) -> int:
        return self.does.movers


def passages(system: System, cells: Cells, places: Places, accesses: Sequence[Access]) -> list[Passage]:
    """The passage of every event."""
    ways = _Ways(system, places)
    parts = [_part(t, places, access.writes) for t, access in zip(system.transitions, accesses, strict=True)]
    known: dict[int, tuple[int, Part]] = {}
    result = []
    for event, access in enumerate(accesses):
        following = ways.following(event)
        if following not in known:
            known[following] = _together(following, accesses, parts)
        reads, does = known[following]
        looks_at_timeout = Part(writes=access.any_time & cells.timeout)
        does = parts[event] | does | looks_at_timeout
        result.append(Passage(access, parts[event].movers, following, reads & ~cells.timeout, does))
    return result


def _part(transition: Transition, places: Places, writes: int) -> Part:
    movers = of(move.process for move in transition.moves)
    return Part(
        writes,
        movers,
        of(places.number(move.process, move.source) for move in transition.moves),
        of(places.number(move.process, move.target) for move in transition.moves if move.source != move.target),
        frozenset({movers} if len(transition.moves) > 1 else ()),
    )


def _together(events: int, accesses: Sequence[Access], parts: Sequence[Part]) -> tuple[int, Part]:
    """The cells that several events read at any time, and what they do."""
    reads, does = 0, Part()
    for event in members(events):
        reads |= accesses[event].any_time | accesses[event].places
        does |= parts[event]
    return reads, does


class _Ways:
    """Which events may follow one another without an ordinary state between them."""

    def __init__(self, system: System, places: Places) -> None:
        self.system = system
        self.places = places
        self.everything = (1 << len(system.transitions)) - 1
        leading = [0] * places.count
        onward: list[set[int]] = [set() for _ in range(places.count)]
        for event, transition in enumerate(system.transitions):
            place = places.number(transition.moves[0].process, transition.moves[0].source)
            leading[place] |= 1 << event
            onward[place].update(self._places_after(transition))
        self.after_place = spread(leading, onward)

    def following(self, event: int) -> int:
        if self.system.claim is not None:
            return self.everything
        return union(self.after_place[place] for place in self._places_after(self.system.transitions[event]))

    def _places_after(self, transition: Transition) -> Sequence[int]:
        """The places where the holder may be that continues after a transition: all, if the transition does not move
        it."""
        holder = transition.holder
        if holder is None:
            return ()
        moved = [self.places.number(holder, move.target) for move in transition.moves if move.process == holder]
        return moved or self.places.of(holder)
