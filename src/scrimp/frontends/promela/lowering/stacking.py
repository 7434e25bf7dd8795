"""The processes of a model as a stack: the youngest ends first."""

from __future__ import annotations

from scrimp.frontends.promela.automata.automaton import End
from scrimp.frontends.promela.planning.plan import MOST_PROCESSES
from scrimp.frontends.promela.planning.succession import starts_come_first
from scrimp.frontends.promela.planning.world import ABSENT, Instance, World
from scrimp.frontends.promela.program.anonymity import are_channels_kept_among_younger, are_processes_anonymous
from scrimp.system.system import Stack
from scrimp.system.types import BYTE


def stack_of(world: World) -> Stack | None:
    """What is known about the order in which processes are started and end; None if there is more to it."""
    if world.claim is not None or world.traced is not None or world.program.priorities is not None:
        return None
    keeps_channels = are_channels_kept_among_younger(world.program)
    is_anonymous = keeps_channels and are_processes_anonymous(world.program)
    own = (number for channel, number in world.buffered.items() if channel.slot is not None)
    return Stack(
        tuple(frozenset().union(*map(_ends, instances)) for instances in world.slots),
        ABSENT,
        starts_come_first(world),
        is_anonymous,
        _room(world) if is_anonymous and not world.plan.any_number else 0,
        frozenset(own if keeps_channels and not world.empty_channels else ()),
    )


def _ends(instance: Instance) -> frozenset[int]:
    """The locations at which a process only waits for its end."""
    return frozenset(
        instance.locations[state]
        for state, edges in instance.automaton.edges.items()
        if len(edges) == 1 and isinstance(edges[0].statement, End)
    )


def _room(world: World) -> int:
    """How many more processes can be started, even if none ends, without running out of numbers for them or for their
    channels."""
    most = max(world.numbering.count(proctype.name) for proctype in world.program.proctypes)
    processes = MOST_PROCESSES if most == 0 else (BYTE.high - len(world.numbering.of_globals)) // most
    return max(min(processes, MOST_PROCESSES) - world.active_slots, 0)
