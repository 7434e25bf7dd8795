"""What processes access next, and what they may access later: for Overman's method, HGP92 §5.

It does not distinguish reading from writing, nor enabled events from disabled ones. A cell is

    a part of the state that some event writes and that processes share
    a set of processes that are moved together: so a process that waits for a partner shares something with it
    the timeout, shared by the events that test it: while an event that does not is enabled, there is no timeout

A process that has not been started yet is at a place like any other, and the event that starts it moves it: so
processes that start others need no special treatment. Parts of the state that are always accessed together are one
cell.
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
    """Sets of cells, by place: those accessed by the events that may leave it, and those that its process may access
    from there on."""

    next: list[int]
    future: list[int]
    cell_count: int


def no_support(places: Places) -> Support:
    """For reductions that ask for none."""
    return Support([0] * places.count, [0] * places.count, 0)


def support(
    system: System, cells: Cells, places: Places, passages: Sequence[Passage], leaving: Sequence[int]
) -> Support:
    accesses = _accesses(cells, passages)
    following = [union(accesses[event] for event in members(events)) for events in leaving]
    return _numbered(following, spread(following, _graph(system, places)))


def _accesses(cells: Cells, passages: Sequence[Passage]) -> list[int]:
    """The cells of each event: the shared ones of the state, the timeout, and after them the meetings."""
    written = union(passage.writes for passage in passages)
    kept = shared(((passage.accesses, passage.moved_first) for passage in passages), written & ~cells.of_processes)
    meetings: dict[int, int] = {}
    return [
        passage.accesses & kept
        | of(cells.count + meetings.setdefault(meeting, len(meetings)) for meeting in sorted(passage.does.meetings))
        for passage in passages
    ]


def _graph(system: System, places: Places) -> list[set[int]]:
    """The successors of each place in its process."""
    result: list[set[int]] = [set() for _ in range(places.count)]
    for transition in system.transitions:
        for move in transition.moves:
            result[places.number(move.process, move.source)].add(places.number(move.process, move.target))
    return result


def _numbered(following: list[int], future: list[int]) -> Support:
    """Renumbers cells, merging those that are in the same sets."""
    where: dict[int, list[int]] = {}
    for number, cells in enumerate([*following, *future]):
        for cell in members(cells):
            where.setdefault(cell, []).append(number)
    numbers: dict[tuple[int, ...], int] = {}
    renumbered = {cell: numbers.setdefault(tuple(sets), len(numbers)) for cell, sets in sorted(where.items())}

    def renamed(cells: int) -> int:
        return of(renumbered[cell] for cell in members(cells))

    return Support([renamed(cells) for cells in following], [renamed(cells) for cells in future], len(numbers))
