"""Which events can enable another one.

If all processes that an event moves are at their places, it is disabled by its guard, and only a write to a cell of
`Access.enabled_by` can enable it; if a condition of the guard is false (conditions.py), only a write to a cell of that
condition. An event that writes such a cell and moves one of these processes must wait until that process is at the
event's own place; so instead of it, all events that may move the process from its current place are listed. Either way,
the event stays disabled until one of the listed events is fired: they are a *necessary enabling set*.

An event whose own guard implies the condition is not listed: it is disabled as long as the condition is false, so it is
neither the event that makes it true nor one that moves a process before. A transition of a net that waits for a place
need not wait for others that take tokens from it.
"""

from __future__ import annotations

from collections.abc import Sequence

from scrimp.reduction.bits import inverted, members, union
from scrimp.reduction.cells import Cells
from scrimp.reduction.passages import Passage
from scrimp.reduction.places import Places
from scrimp.system.system import System, Transition


class Enabling:
    """Finds necessary enabling sets, given the passages of all events and the events that leave each place."""

    def __init__(
        self, system: System, cells: Cells, places: Places, passages: Sequence[Passage], leaving: Sequence[int]
    ) -> None:
        self._cells = cells
        self._places = places
        self._leaving = leaving
        self._everything = (1 << len(passages)) - 1
        self._writing = inverted((passage.writes for passage in passages), cells.count)
        self._moving = inverted((passage.moved_first for passage in passages), len(system.processes))

    def events(self, transition: Transition, cells: int, among: int | None = None) -> int:
        """The events of which one must fire before a transition is enabled that waits for a write to one of the cells,
        by one of the events `among` which it is known to be; any event may lead to a timeout by ending."""
        if cells & self._cells.timeout:
            return self._everything
        writers = union(self._writing[cell] for cell in members(cells))
        if among is not None:
            writers &= among
        others = writers & ~union(self._moving[move.process] for move in transition.moves)
        instead = (
            self._leaving[self._places.number(move.process, move.source)]
            for move in transition.moves
            if writers & self._moving[move.process]
        )
        return others | union(instead)
