"""Which events can enable another one.

If all processes that an event moves are at their places, it is disabled by its guard, and only a write to a cell of
`Access.enabled_by` can enable it. An event that writes such a cell and moves one of these processes must wait until
that process is at the event's own place; so instead of it, all events that may move the process from its current place
are listed. Either way, the event stays disabled until one of the listed events is fired: they are a *necessary enabling
set*.
"""

from __future__ import annotations

from collections.abc import Sequence

from scrimp.reduction.bits import inverted, members, union
from scrimp.reduction.cells import Cells
from scrimp.reduction.passages import Passage
from scrimp.reduction.places import Places
from scrimp.system.system import System


def enabling(
    system: System, cells: Cells, places: Places, passages: Sequence[Passage], leaving: Sequence[int]
) -> list[int]:
    """For each event, the events that may enable it; any event may lead to a timeout by ending."""
    everything = (1 << len(passages)) - 1
    writing = inverted((passage.writes for passage in passages), cells.count)
    moving = inverted((passage.moved_first for passage in passages), len(system.processes))
    result = []
    for passage, transition in zip(passages, system.transitions, strict=True):
        enabled_by = passage.first.enabled_by
        if enabled_by & cells.timeout:
            result.append(everything)
            continue
        writers = union(writing[cell] for cell in members(enabled_by))
        others = writers & ~union(moving[move.process] for move in transition.moves)
        instead = (
            leaving[places.number(move.process, move.source)]
            for move in transition.moves
            if writers & moving[move.process]
        )
        result.append(others | union(instead))
    return result
