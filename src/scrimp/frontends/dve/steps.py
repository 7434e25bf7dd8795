"""Steps: the transitions of single processes, before they are composed into transitions of the system."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from scrimp.frontends.dve import syntax
from scrimp.frontends.dve.expressions import FIRST, ExpressionLowering
from scrimp.frontends.dve.names import NamedChannel, NamedVariable, Names, StateNames, wrong_kind
from scrimp.frontends.dve.source import Source
from scrimp.frontends.dve.syntax import ForeignChannel, Identifier, Probabilistic
from scrimp.frontends.dve.tokens import shortened
from scrimp.system.expressions import TRUE, Expression
from scrimp.system.statements import Assign, Place
from scrimp.system.system import Move


@dataclass(frozen=True, slots=True)
class Sending:
    channel: NamedChannel
    values: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Receiving:
    channel: NamedChannel
    places: tuple[Place, ...]


Communication: TypeAlias = Sending | Receiving


@dataclass(frozen=True, slots=True)
class Step:
    """One transition of one process, as written. `committed`: its source is a committed state."""

    move: Move
    guard: Expression
    communication: Communication | None
    effect: tuple[Assign, ...]
    committed: bool
    offset: int


@dataclass
class ChannelUse:
    """How many values every untyped channel carries: its first use determines that."""

    source: Source
    _first: dict[str, tuple[int, int]] = field(default_factory=dict)

    def check(self, channel: NamedChannel, count: int, offset: int) -> None:
        name = shortened(channel.name)
        if channel.fields is not None:
            if len(channel.fields) != count:
                message = f"channel '{name}' carries {_values(len(channel.fields))}, found {_values(count)}"
                raise self.source.error(offset, message)
            return
        expected, place = self._first.setdefault(channel.name, (count, offset))
        if expected != count:
            position = self.source.position(place)
            where = f"{position.line}:{position.column}"
            message = f"channel '{name}' carries {_values(expected)} at {where}, found {_values(count)}"
            raise self.source.error(offset, message)


def _values(count: int) -> str:
    return f"{count or 'no'} value{'' if count == 1 else 's'}"


@dataclass(frozen=True)
class StepLowering:
    """Makes the steps of one process."""

    source: Source
    names: Names
    process: int
    states: StateNames
    committed: frozenset[int]
    channel_use: ChannelUse

    @property
    def _expressions(self) -> ExpressionLowering:
        return ExpressionLowering(self.source, self.names)

    def steps(self, transitions: tuple[syntax.Transition | Probabilistic, ...]) -> Iterator[Step]:
        origin: Identifier | None = None
        for transition in transitions:
            if isinstance(transition, Probabilistic):
                raise self.source.error(
                    transition.source.offset, "probabilistic transitions ('=>') are not supported, expected '->'"
                )
            origin = transition.source or origin
            if origin is None:
                raise self.source.error(
                    transition.start, "found '->', expected the source state of the first transition"
                )
            yield self._step(transition, origin)

    def _step(self, transition: syntax.Transition, origin: Identifier) -> Step:
        lower = self._expressions.lower
        start = self.states.index(origin)
        communication = self._communication(transition.communication)
        return Step(
            move=Move(
                self.process,
                start,
                self.states.index(transition.target),
                self._text(transition, origin),
                self.source.position(transition.start),
            ),
            guard=TRUE if transition.guard is None else lower(transition.guard),
            communication=communication,
            effect=tuple(Assign(self._place(target), lower(value)) for target, value in transition.effect),
            committed=start in self.committed,
            offset=transition.start,
        )

    def _text(self, transition: syntax.Transition, origin: Identifier) -> str:
        excerpt = self.source.excerpt(transition.start, transition.end)
        return excerpt if transition.source is not None else f"{origin.name} {excerpt}"

    def _communication(self, communication: syntax.Send | syntax.Receive | None) -> Communication | None:
        match communication:
            case None:
                return None
            case syntax.Send(channel, values):
                named = self._channel(channel, len(values))
                return Sending(named, tuple(self._expressions.lower(value) for value in values))
            case syntax.Receive(channel, targets):
                named = self._channel(channel, len(targets))
                return Receiving(named, tuple(self._place(target) for target in targets))

    def _channel(self, name: syntax.ChannelName, values: int) -> NamedChannel:
        names, identifier = self.names, name
        if isinstance(identifier, ForeignChannel):
            names, identifier = Names({}, names.find_process(self.source, identifier.process)), identifier.channel
        meaning = names.find(self.source, identifier, "a channel")
        if not isinstance(meaning, NamedChannel):
            raise wrong_kind(self.source, identifier, meaning, "a channel")
        self.channel_use.check(meaning, values, identifier.offset)
        return meaning

    def _place(self, target: syntax.Target) -> Place:
        identifier = target if isinstance(target, Identifier) else target.array
        expected = f"{'a variable' if isinstance(target, Identifier) else 'an array'} to assign to"
        meaning = self.names.find(self.source, identifier, expected)
        if not isinstance(meaning, NamedVariable) or meaning.constants is not None:
            raise wrong_kind(self.source, identifier, meaning, expected)
        if isinstance(target, Identifier):
            return Place(meaning.index, None if meaning.length is None else FIRST)
        if meaning.length is None:
            raise wrong_kind(self.source, identifier, meaning, expected)
        return Place(meaning.index, self._expressions.lower(target.subscript))
