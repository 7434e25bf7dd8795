"""The cells that events of different processes share."""

from __future__ import annotations

from collections.abc import Iterable

from scrimp.reduction.bits import members, of


def shared(accesses: Iterable[tuple[int, int]], written: int) -> int:
    """The cells among `written` for which no single process is moved by all events that access them, given for each
    event the cells that it accesses and the processes that it moves."""
    taking_part: dict[int, int] = {}
    for cells, movers in set(accesses):
        for cell in members(cells & written):
            taking_part[cell] = taking_part.get(cell, movers) & movers
    return of(cell for cell, processes in taking_part.items() if processes == 0)
