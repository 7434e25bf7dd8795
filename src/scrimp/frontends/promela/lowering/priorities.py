"""Priorities of processes: the place of each in the state.

A process may move only if no process of a higher priority can. SPIN does not combine priorities with rendezvous.
"""

from __future__ import annotations

from scrimp.frontends.promela.lowering.problems import problem
from scrimp.frontends.promela.planning.plan import run_of
from scrimp.frontends.promela.planning.world import World
from scrimp.frontends.promela.program import syntax
from scrimp.system.expressions import Constant, Read
from scrimp.system.types import BYTE


def place_priorities(world: World) -> None:
    """Give the priority of each slot's process its place, or its fixed value; raises ModelError."""
    mentioned = world.program.priorities
    if mentioned is None:
        return
    if any(channel.is_rendezvous for channel in world.channels):
        raise problem(mentioned, "priorities of processes cannot be combined with a rendezvous channel")
    may_change = any(isinstance(part, syntax.SetPriority) for part in syntax.walk(world.program.proctypes))
    for slot, instances in enumerate(world.slots):
        given = _given_at_start(world, slot)
        first = instances[0].proctype.priority if slot < world.active_slots else 0
        if len(given) == 1 and not may_change:
            world.priorities.append(Constant(given.pop()))
        else:
            world.priorities.append(Read(world.storage.add("_priority", BYTE, (first,), None, slot)))


def _given_at_start(world: World, slot: int) -> set[int]:
    """The priorities with which processes of a slot are started."""
    given = {world.slots[slot][0].proctype.priority} if slot < world.active_slots else set()
    wanted = {(start.creator, start.edge) for start in world.plan.starts if start.slot == slot}
    for instance in world.instances:
        for exit_ in instance.exits():
            run = run_of(exit_.edge)
            if run is not None and (instance.slot, exit_.edge.identifier) in wanted:
                given.add(run.priority)
    return given
