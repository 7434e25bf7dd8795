"""From state machines to a system: one process per slot, one transition per way to execute an edge."""

from __future__ import annotations

from dataclasses import dataclass

from scrimp.frontends.promela.lowering.aliases import Aliases
from scrimp.frontends.promela.lowering.executability import Executability
from scrimp.frontends.promela.lowering.expressions import ExpressionLowering
from scrimp.frontends.promela.lowering.initialising import initialised
from scrimp.frontends.promela.lowering.priorities import place_priorities
from scrimp.frontends.promela.lowering.problems import problem
from scrimp.frontends.promela.lowering.stacking import stack_of
from scrimp.frontends.promela.lowering.traces import Events, require_events
from scrimp.frontends.promela.lowering.transitions import Transitions
from scrimp.frontends.promela.lowering.vocabulary import channel_name, vocabulary
from scrimp.frontends.promela.planning.channels import field_types
from scrimp.frontends.promela.planning.placing import place_variables
from scrimp.frontends.promela.planning.storage import range_of
from scrimp.frontends.promela.planning.uses import mentions_last, uses
from scrimp.frontends.promela.planning.world import ABSENT, Traced, World, nothing_observed
from scrimp.system.system import Channel, Move, Position, Process, System
from scrimp.system.types import Range
from scrimp.vocabulary import Vocabulary


@dataclass(frozen=True)
class Lowered:
    """A model's system, the world and aliases that it was made from, and its names and numbers for users."""

    system: System
    world: World
    aliases: Aliases
    vocabulary: Vocabulary
    statements: dict[Move, int]

    def scope(self) -> ExpressionLowering:
        """Lowers expressions that belong to no process."""
        return Executability(self.world, self.aliases).outside()


def lower(name: str, world: World) -> Lowered:
    """The system of a model with room for the processes of the world's plan."""
    if not world.slots:
        raise problem(Position(1, 1), "no process is ever started: expected init or an active proctype")
    program = world.program
    place_variables(world, uses(program, world.running()))
    place_priorities(world)
    aliases = Aliases(world)
    executability = Executability(world, aliases)
    if world.traced is not None:
        _observe(world, world.traced, executability.lowering(None))
    # Even in proctypes that never run, and in formulas that are not asked, as in SPIN.
    if mentions_last(program.proctypes) or any("_last" in formula.names for formula in program.formulas):
        world.last_variable()
    made = Transitions(world, executability)
    transitions = made.all()
    system = System(
        name=name,
        variables=(),
        channels=_channels(world),
        processes=_processes(world),
        transitions=tuple(transitions),
        valid_end=world.valid_end(),
        offers=executability.offers(),
        claim=None if world.claim is None else world.claim.slot,
        stack=stack_of(world),
    )
    system = initialised(system, world, executability.lowering)
    world.observed = nothing_observed  # it refers to everything that lowers statements
    words = vocabulary(world, world.everybody, made.handshakes(transitions))
    return Lowered(system, world, aliases, words, made.statements)


def _observe(world: World, traced: Traced, lowering: ExpressionLowering) -> None:
    """Let sends and receives move the assertion about events."""
    require_events(traced.automaton, traced.kind)
    range_ = Range(0, max(traced.automaton.edges))
    world.event = world.storage.add(traced.kind, range_, (traced.automaton.initial,), None, None)
    world.observed = Events(lowering, traced, world.event).observed


def _channels(world: World) -> tuple[Channel, ...]:
    return tuple(
        Channel(channel_name(world, channel), channel.shape.capacity, tuple(map(range_of, field_types(channel.shape))))
        for channel in world.buffered
    )


def _processes(world: World) -> tuple[Process, ...]:
    result = []
    for slot, instances in enumerate(world.slots):
        first = instances[0]
        name = first.display_name if len(instances) == 1 else f"process:{slot}"
        initial = first.locations[first.automaton.initial] if slot < world.active_slots else ABSENT
        result.append(Process(name, tuple(world.location_names[slot]), initial))
    if world.claim is not None:
        initial = world.claim.locations[world.claim.automaton.initial]
        result.append(Process(world.claim.display_name, tuple(world.location_names[-1]), initial))
    return tuple(result)
