"""Which channels a channel variable may refer to: a flow-insensitive alias analysis.

Numbers of channels are followed through assignments, arguments of `run`, and messages, in variables of any type; the
order and conditions of statements are ignored. Numbers computed by arithmetic are not found: see Plan.any_channel.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import TypeAlias

from scrimp.frontends.promela.automata.automaton import Basic, DStep
from scrimp.frontends.promela.planning.channels import Channel
from scrimp.frontends.promela.planning.plan import run_of
from scrimp.frontends.promela.planning.storage import Leaf, leaf_of, parameter_leaves
from scrimp.frontends.promela.planning.world import Instance, World
from scrimp.frontends.promela.program import syntax
from scrimp.frontends.promela.program.syntax import Expression
from scrimp.system.expressions import Constant

Holder: TypeAlias = tuple[int | None, Leaf] | tuple[Channel, int]
"""Something that can hold the number of a channel: a local or global variable, or a field of a channel's messages."""


class Aliases:
    def __init__(self, world: World) -> None:
        self.world = world
        self.held: dict[Holder, set[Channel]] = defaultdict(set)
        by_number = {
            number.value: channel for channel in world.channels if isinstance(number := world.number(channel), Constant)
        }
        # If numbers depend on which processes run, a number does not identify a channel.
        self._numbers_tell = len(by_number) == len(world.channels)
        for (slot, leaf), value in world.storage.fixed.items():
            if value in by_number:
                self.held[slot, leaf].add(by_number[value])
        for channel in world.channels:
            if not self._is_given(channel):
                self.held[channel.slot, channel.leaf].add(channel)
        self._edges = [
            (instance, edge)
            for instance in world.instances
            for edges in instance.automaton.edges.values()
            for edge in edges
        ]
        while self._spread():
            pass

    def _is_given(self, channel: Channel) -> bool:
        """Whether the variable declared with a channel never refers to it: it is a parameter, which `run` sets."""
        if channel.slot is None or channel.proctype is None or channel.slot < self.world.active_slots:
            return False
        proctype = self.world.proctypes[channel.proctype]
        return channel.symbol in proctype.locals[: proctype.parameters]

    def of(self, expression: Expression, instance: Instance | None) -> set[Channel]:
        """The channels that an expression may refer to."""
        return set().union(*(self.held[holder] for holder in self._holders(expression, instance)))

    def _holders(self, expression: Expression, instance: Instance | None) -> Iterator[Holder]:
        match expression:
            case syntax.Reference(parts):
                owner = None if parts[0].symbol.owner is None or instance is None else instance.slot
                yield owner, leaf_of(parts)
            case syntax.RemoteVariable(proctype, _, variable):
                for other in self.world.instances:
                    if other.name == proctype:
                        yield from self._holders(variable, other)
            case syntax.Choice(_, then, otherwise):
                yield from self._holders(then, instance)
                yield from self._holders(otherwise, instance)

    def _initialise(self) -> None:
        """The initial value of a variable may be the channel of another."""
        owned = [(i.slot, symbol, i) for i in self.world.instances for symbol in i.proctype.locals]
        shared = [(None, symbol, None) for symbol in self.world.program.globals]
        for slot, symbol, instance in (*owned, *shared):
            if isinstance(symbol.initial, syntax.Reference | syntax.Choice):
                self.held[slot, (symbol,)] |= self.of(symbol.initial, instance)

    def _spread(self) -> bool:
        """Propagate the known channels through every statement; returns whether that added any."""
        before = sum(map(len, self.held.values()))
        self._initialise()
        for instance, edge in self._edges:
            step = edge.statement
            for statement in [node.statement for node in step.nodes] if isinstance(step, DStep) else [step]:
                self._pass_on(instance, statement)
            run = run_of(edge)
            if run is not None:
                self._start(run, instance, edge.identifier)
        return sum(map(len, self.held.values())) > before

    def _pass_on(self, instance: Instance, statement: Basic | DStep) -> None:
        match statement:
            case syntax.Assign(target, value) if isinstance(target, syntax.Reference):
                self._flow(target, instance, self.of(value, instance))
            case syntax.Send(channel, values):
                for into in self.of(channel, instance):
                    for number, value in enumerate(values):
                        self.held[into, number] |= self.of(value, instance)
            case syntax.Receive(channel, arguments):
                for source in self.of(channel, instance):
                    for number, argument in enumerate(arguments):
                        if isinstance(argument, syntax.Reference):
                            self._flow(argument, instance, self.held[source, number])

    def _flow(self, target: syntax.Reference, instance: Instance, channels: set[Channel]) -> None:
        for holder in self._holders(target, instance):
            self.held[holder] |= channels

    def _start(self, run: syntax.Run, instance: Instance, edge: int) -> None:
        slots = [s.slot for s in self.world.plan.starts if (s.creator, s.edge) == (instance.slot, edge)]
        parameters = parameter_leaves(self.world.proctypes[run.proctype])
        for slot in slots:
            for leaf, argument in zip(parameters, run.arguments, strict=False):
                if not (self._numbers_tell and (slot, leaf) in self.world.storage.fixed):
                    self.held[slot, leaf] |= self.of(argument, instance)
