"""Outgrowing: which events may find the system too small for its model, and which places lead to one.

What would follow such an event is not part of the system, so a reduction must not postpone it forever. It may say
nothing until then: the system is grown before anything that follows can matter. Values that do not fit into their
fields need no such care. What is known about events is true whatever the widths of fields are: conditions are compared
as intervals of values that a field can hold, and an enabled event keeps the values that its own conditions are about
until an event that depends on it is fired; a disabled one waits for any event that changes them.
"""

from __future__ import annotations

from scrimp.reduction.bits import of, spread
from scrimp.reduction.places import Places
from scrimp.system.statements import Outgrow
from scrimp.system.system import System
from scrimp.system.traverse import substatements


def outgrowing_events(system: System) -> int:
    """The events that may outgrow the system."""
    return of(
        event
        for event, transition in enumerate(system.transitions)
        if any(isinstance(statement, Outgrow) for statement in substatements(transition.effect))
    )


def outgrowing_places(system: System, places: Places, events: int) -> bytes:
    """Of each place: whether its process may get from there to one of these events, which it leads; empty if there are
    none."""
    if not events:
        return b""
    leading = [0] * places.count
    onward: list[set[int]] = [set() for _ in range(places.count)]
    for event, transition in enumerate(system.transitions):
        for move in transition.moves:
            onward[places.number(move.process, move.source)].add(places.number(move.process, move.target))
        first = transition.moves[0]
        leading[places.number(first.process, first.source)] |= events >> event & 1
    return bytes(reached != 0 for reached in spread(leading, onward))
