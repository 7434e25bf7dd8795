"""Locality: the transitions that no other process can notice or influence."""

from __future__ import annotations

from scrimp.system.access import Cell, all_holders, keeps_turn, reads, writes
from scrimp.system.system import System


def local_transitions(system: System) -> frozenset[int]:
    """The events whose transitions are `access.is_local`, in one pass over the system.

    A transition of process p that keeps the turn is local if p takes part in every transition that accesses what it
    writes, and in every transition that writes what it reads. So for each part of the state it is enough to know which
    processes take part in all accesses to it, and which in all writes."""
    holders = all_holders(system)
    movers = [frozenset(move.process for move in transition.moves) for transition in system.transitions]
    read_sets = [reads(system, transition) for transition in system.transitions]
    write_sets = [writes(system, transition) for transition in system.transitions]
    always_accessing: dict[Cell, frozenset[int]] = {}
    always_writing: dict[Cell, frozenset[int]] = {}
    for moving, read, written in zip(movers, read_sets, write_sets, strict=True):
        for cell in read | written:
            always_accessing[cell] = always_accessing.get(cell, moving) & moving
        for cell in written:
            always_writing[cell] = always_writing.get(cell, moving) & moving
    return frozenset(
        event
        for event, (moving, read, written) in enumerate(zip(movers, read_sets, write_sets, strict=True))
        if len(moving) == 1
        and keeps_turn(system, holders, system.transitions[event])
        and all(moving <= always_accessing[cell] for cell in written)
        and all(moving <= always_writing.get(cell, moving) for cell in read)
    )
