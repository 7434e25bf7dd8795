"""Passages: everything that may happen from the firing of an event up to the next ordinary states.

A search fires an event in an ordinary state and continues through transient ones, see system.py. For a reduction this
is one event. It includes everything that a holder may fire on the way, from every location at which it may be: those
where it continues, and those where it has stopped. On the way it is not known which events are enabled, and if none is,
the passage ends in an ordinary state; so an event fired on the way reads everything that its guard tests, including
both ends of a channel, and whether the processes that it moves are at their source locations.

`Timeout` is false on the way and reads nothing. In an ordinary state it is false if any event that does not test it is
enabled, and stays so as long as that event is; so only events that test it depend on each other because of it.

After a claim has moved, every process may continue: its passages contain everything.

If processes end early (passes/ends.py), the last step of a process is followed by its end, and that by the ends of
older processes that were waiting for it. Two such events commute, although each looks at the other's process: whichever
comes second ends all that can end, and in both orders these are the processes at their ends that have no younger one
left. Nor do other events notice the ends of older processes, which had nothing else to do: only the next start does,
and that notices the end of the youngest process. So an event that ends its own process writes what this end writes,
but nothing else that ends access on the way makes it depend on other events (`ended`). There is one exception: an event
may bring a process to its end and let another one continue. That process is left behind, and ends when the next one
does, or by itself. Such an event writes a cell, the stack, that all events read that may end processes. If no
process is ever left behind, ends are fired on the way only, and depend on nothing.

A count of starts makes nothing depend on anything: it is increased by one each time, in any order, and as long as the
system is not outgrown nothing else looks at it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from scrimp.reduction.accesses import Access
from scrimp.reduction.bits import members, of, spread, union
from scrimp.reduction.cells import Cells
from scrimp.reduction.guards import literals
from scrimp.reduction.places import Places
from scrimp.system.expressions import At
from scrimp.system.system import Move, Stack, System, Transition


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
    do; `ended` has the cells that only early ends on the way access."""

    first: Access
    moved_first: int
    following: int
    read_on_the_way: int
    does: Part
    ended: int = 0

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
    early = _EarlyEnds(system, cells, parts)
    known: dict[int, tuple[int, Part]] = {}

    def together(events: int) -> tuple[int, Part]:
        if events not in known:
            known[events] = _together(events, accesses, parts)
        return known[events]

    result = []
    for event, access in enumerate(accesses):
        following = ways.following(event)
        ends = following & early.ends
        reads, does = together(following & ~ends)
        read_by_ends, done_by_ends = together(ends)
        own = ends & early.ends_at(parts[event].entered | does.entered)
        seen = access.any_time | access.writes | reads | does.writes | together(own)[1].writes
        others = Part(writes=access.any_time & cells.timeout | early.written(event, following))
        reads |= read_by_ends | early.read(event, following)
        ended = early.ignored(event) | (read_by_ends | done_by_ends.writes) & ~seen
        does = parts[event] | does | done_by_ends | others
        result.append(Passage(access, parts[event].movers, following, reads & ~cells.timeout, does, ended))
    return result


class _EarlyEnds:
    """The events by which processes end early, if they do, and the cell that is their stack."""

    def __init__(self, system: System, cells: Cells, parts: Sequence[Part]) -> None:
        self._cell = cells.stack
        self._parts = parts
        self.ends = self._ending = self._leaving_behind = self._counter = 0
        self._everything = (1 << cells.count) - 1
        stack = system.stack
        if stack is None or not stack.is_early:
            return
        transitions = system.transitions
        self.ends = of(event for event, each in enumerate(transitions) if stack.is_end(each))
        self._ending = self.ends | of(
            event for event, each in enumerate(transitions) if any(move.target == stack.absent for move in each.moves)
        )
        self._leaving_behind = of(
            event
            for event, each in enumerate(transitions)
            if any(_is_left_behind(stack, each, move) for move in each.moves)
        )

        leaves_first = any(process.initial in ends for process, ends in zip(system.processes, stack.ends, strict=True))
        self._are_on_the_way = not self._leaving_behind and not leaves_first
        if stack.counter is not None:
            self._counter = cells.elements(stack.counter, None)

    def ignored(self, event: int) -> int:
        """The cells that do not make an event depend on others although it accesses them."""
        return self._everything if self.ends >> event & 1 and self._are_on_the_way else self._counter

    def ends_at(self, places: int) -> int:
        """The ends of processes at these places."""
        return of(event for event in members(self.ends) if self._parts[event].left & places)

    def read(self, event: int, following: int) -> int:
        return self._cell if (following | 1 << event) & self._ending else 0

    def written(self, event: int, following: int) -> int:
        return self._cell if (following | 1 << event) & self._leaving_behind else 0


def _is_left_behind(stack: Stack, transition: Transition, move: Move) -> bool:
    """Whether a move brings a process to its end although another one continues, or nobody."""
    return move.target in stack.ends[move.process] and transition.holder != move.process


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
        """The places where the holder may be that continues after a transition: if the transition does not move it, the
        one that the guard names, or all."""
        holder = transition.holder
        if holder is None:
            return ()
        there = [move.target for move in transition.moves if move.process == holder] or [
            test.location
            for test, is_wanted in literals(transition.guard)
            if is_wanted and isinstance(test, At) and test.process == holder
        ]
        return [self.places.number(holder, location) for location in there] or self.places.of(holder)
