"""Recurrence: which events may close a cycle of states.

The locations of each process are ranked: by the order in which a depth-first search of its location graph leaves them.
An edge of that graph leads down unless it closes a cycle there. An event *recurs* if some process may stay at its
rank or move up by it, on its whole passage through transient states.

Every cycle of states has an event that recurs. For let some event of the cycle not recur. It moves a process, its
leader, strictly down. The process is back at its rank when the cycle is closed, so another event of the cycle moves it
up, and recurs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scrimp.reduction.bits import members
from scrimp.reduction.passages import Passage
from scrimp.reduction.places import Places
from scrimp.system.system import System


def recurring(system: System, places: Places, ways: Sequence[Passage]) -> list[bool]:
    """Of each event, given its passage: whether it recurs."""
    ranks = _ranks(system, places)
    stays = [
        any(ranks[target] >= ranks[source] for source, target in _steps(system, places, event))
        for event in range(len(system.transitions))
    ]
    return [stays[event] or any(stays[each] for each in members(way.following)) for event, way in enumerate(ways)]


def _steps(system: System, places: Places, event: int) -> Iterator[tuple[int, int]]:
    for move in system.transitions[event].moves:
        yield places.number(move.process, move.source), places.number(move.process, move.target)


def _ranks(system: System, places: Places) -> list[int]:
    """The number of each place in the order in which a depth-first search leaves them."""
    targets: list[list[int]] = [[] for _ in range(places.count)]
    for event in range(len(system.transitions)):
        for source, target in _steps(system, places, event):
            targets[source].append(target)
    ranks = [-1] * places.count
    entered = [False] * places.count
    left = 0
    firsts = [places.number(number, process.initial) for number, process in enumerate(system.processes)]
    for root in (*firsts, *range(places.count)):
        if entered[root]:
            continue
        entered[root] = True
        path = [(root, iter(targets[root]))]
        while path:
            place, rest = path[-1]
            for target in rest:
                if not entered[target]:
                    entered[target] = True
                    path.append((target, iter(targets[target])))
                    break
            else:
                path.pop()
                ranks[place] = left
                left += 1
    return ranks
