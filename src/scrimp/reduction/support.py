"""What processes access next, and what they may access later: for Overman's method, HGP92 §5.

It makes no difference between reading and writing, nor between what is enabled and what is not. A cell is

    a part of the state that some event writes and that processes share
    a set of processes that are moved together: so whoever waits for a partner shares something with it
    the timeout, shared by those who look at it: while something is enabled that does not, there is none

A process that has not been started yet is at a place like any other, and what starts it moves it: so nothing more need
be said of those who start others. Parts of the state that are always accessed together are one cell.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scrimp.reduction.bits import members, of, spread, union
from scrimp.reduction.cells import Cells
from scrimp.reduction.passages import Passage
from scrimp.reduction.places import Places
from scrimp.reduction.sharing import shared
from scrimp.system.system import System


@dataclass(frozen=True, slots=True)
class Support:
    """Sets of cells, by place: of what may leave it, and of all that its process may do from there on."""

    next: list[int]
    future: list[int]
    cell_count: int


def support(
    system: System, cells: Cells, places: Places, passages: Sequence[Passage], leaving: Sequence[int]
) -> Support:
    accesses = _accesses(cells, passages)
    following = [union(accesses[event] for event in members(events)) for events in leaving]
    return _numbered(following, spread(following, _graph(system, places)))


def _accesses(cells: Cells, passages: Sequence[Passage]) -> list[int]:
    """The cells of each event: those of the state that are shared, the timeout, and beyond them the meetings."""
    written = union(passage.writes for passage in passages)
    kept = shared(((passage.accesses, passage.moved_first) for passage in passages), written & ~cells.of_processes)
    meetings: dict[int, int] = {}
    return [
        passage.accesses & kept
        | of(cells.count + meetings.setdefault(meeting, len(meetings)) for meeting in sorted(passage.does.meetings))
        for passage in passages
    ]


def _graph(system: System, places: Places) -> list[set[int]]:
    """Where a process may go from each place."""
    result: list[set[int]] = [set() for _ in range(places.count)]
    for transition in system.transitions:
        for move in transition.moves:
            result[places.number(move.process, move.source)].add(places.number(move.process, move.target))
    return result


def _numbered(following: list[int], future: list[int]) -> Support:
    """Cells renumbered, those that are in the same sets as one."""
    where: dict[int, list[int]] = {}
    for number, cells in enumerate([*following, *future]):
        for cell in members(cells):
            where.setdefault(cell, []).append(number)
    numbers: dict[tuple[int, ...], int] = {}
    renumbered = {cell: numbers.setdefault(tuple(sets), len(numbers)) for cell, sets in sorted(where.items())}

    def renamed(cells: int) -> int:
        return of(renumbered[cell] for cell in members(cells))

    return Support([renamed(cells) for cells in following], [renamed(cells) for cells in future], len(numbers))
