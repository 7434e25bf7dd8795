"""Which channels a channel variable may stand for: what flows into it, wherever that happens.

Numbers of channels are followed through assignments, arguments of `run`, and messages, in variables of any type, order
and conditions aside. A number that comes about otherwise, by arithmetic, is not found here: see Plan.any_channel.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import TypeAlias

from scrimp.frontends.promela import syntax
from scrimp.frontends.promela.edges import DStep
from scrimp.frontends.promela.numbering import Channel
from scrimp.frontends.promela.plan import run_of
from scrimp.frontends.promela.storage import Leaf, leaf_of
from scrimp.frontends.promela.syntax import Expression
from scrimp.frontends.promela.world import Instance, World
from scrimp.system.expressions import Constant

Holder: TypeAlias = tuple[int | None, Leaf] | tuple[Channel, int]
"""What can hold the number of a channel: a variable of a slot or of none, or a field of a channel's messages."""


class Aliases:
    def __init__(self, world: World) -> None:
        self.world = world
        self.held: dict[Holder, set[Channel]] = defaultdict(set)
        by_number = {
            number.value: channel for channel in world.channels if isinstance(number := world.number(channel), Constant)
        }
        for (slot, leaf), value in world.storage.fixed.items():
            if value in by_number:
                self.held[slot, leaf].add(by_number[value])
        for channel in world.channels:
            self.held[channel.slot, channel.leaf].add(channel)
        self._flows = [flow for instance in world.instances for flow in self._statements(instance)]
        while self._spread():
            pass

    def of(self, expression: Expression, instance: Instance | None) -> set[Channel]:
        """The channels that the value of an expression may name."""
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

    def _statements(self, instance: Instance) -> Iterator[tuple[Instance, object]]:
        for edges in instance.automaton.edges.values():
            for edge in edges:
                if isinstance(edge.statement, DStep):
                    for node in edge.statement.nodes:
                        yield instance, node.statement
                else:
                    yield instance, edge.statement
                if run_of(edge) is not None:
                    yield instance, edge

    def _spread(self) -> bool:
        before = sum(map(len, self.held.values()))
        for instance, statement in self._flows:
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
            run = run_of(statement) if hasattr(statement, "identifier") else None  # type: ignore[arg-type]
            if run is not None:
                self._start(run, instance, statement.identifier)  # type: ignore[attr-defined]
        return sum(map(len, self.held.values())) > before

    def _flow(self, target: syntax.Reference, instance: Instance, channels: set[Channel]) -> None:
        for holder in self._holders(target, instance):
            self.held[holder] |= channels

    def _start(self, run: syntax.Run, instance: Instance, edge: int) -> None:
        slots = [s.slot for s in self.world.plan.starts if (s.creator, s.edge) == (instance.slot, edge)]
        parameters = self.world.proctypes[run.proctype].locals
        for slot in slots:
            for symbol, argument in zip(parameters, run.arguments, strict=False):
                if (slot, (symbol,)) not in self.world.storage.fixed:
                    self.held[slot, (symbol,)] |= self.of(argument, instance)
