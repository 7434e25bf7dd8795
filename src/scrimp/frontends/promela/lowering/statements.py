"""The statements of one process, each as a list of alternatives: guards with effects.

A statement has several alternatives if it depends on something that a transition must fix: which channel a variable
refers to, which slot a started process gets. For rendezvous see handshakes.py.
"""

from __future__ import annotations

from typing import NamedTuple

from scrimp.frontends.old_values import variables_of
from scrimp.frontends.promela.automata.automaton import Basic, DStep, Edge, End, Jump
from scrimp.frontends.promela.lowering.expressions import NO_CHANNEL, POLLED, ExpressionLowering, folded, truth_of
from scrimp.frontends.promela.planning.channels import Channel, field_types
from scrimp.frontends.promela.planning.plan import MOST_PROCESSES, Start, run_of
from scrimp.frontends.promela.planning.storage import extent, leaves, parameter_leaves
from scrimp.frontends.promela.planning.world import ABSENT, Instance
from scrimp.frontends.promela.program import syntax
from scrimp.system.expressions import (
    FALSE,
    TRUE,
    At,
    Binary,
    Constant,
    Expression,
    Find,
    Length,
    Message,
    Read,
    Unary,
    conjunction,
)
from scrimp.system.faults import may_fault
from scrimp.system.statements import Assert, Assign, Clear, Dequeue, Enqueue, If, Outgrow, Place, Statement
from scrimp.system.system import Kind, Move
from scrimp.system.violations import ViolationKind

STARTED = "-start-"


class Alternative(NamedTuple):
    """One way to execute a statement. `other` is the move of a second process, such as one that is started."""

    guard: Expression
    effect: tuple[Statement, ...] = ()
    kind: Kind = Kind.CONTROL
    other: Move | None = None


class StatementLowering:
    """The statements of one instance."""

    def __init__(self, lowering: ExpressionLowering, instance: Instance) -> None:
        self.lowering = lowering
        self.world = lowering.world
        self.instance = instance

    def is_provided(self) -> Expression:
        """Whether the process may run at all."""
        provided = self.instance.proctype.provided
        return TRUE if provided is None else truth_of(self.lowering.value(provided))

    def of_edge(self, edge: Edge) -> list[Alternative]:
        """The alternatives of an edge that is not a `d_step`, except for rendezvous."""
        assert not isinstance(edge.statement, DStep)
        run = run_of(edge)
        if run is not None:
            return self._starts(edge, run)
        return self.of(edge.statement)

    def of(self, statement: Basic) -> list[Alternative]:
        value = self.lowering.value
        match statement:
            case syntax.Condition(test):
                return [Alternative(truth_of(value(test)))]
            case syntax.Assign(target, assigned):
                return [Alternative(TRUE, self._assignment(target, value(assigned)), Kind.ASSIGN)]
            case syntax.Assert(test, _, text):
                message = f"assertion violated: {text}"
                kind = ViolationKind.NEVER if self.instance is self.world.claim else ViolationKind.ASSERTION
                checked = Assert(truth_of(value(test)), message, fatal=False, kind=kind)
                return [Alternative(TRUE, (checked,), Kind.OTHER)]
            case syntax.SetPriority(pid, priority):
                return [Alternative(TRUE, self._set_priority(value(pid), value(priority)), Kind.OTHER)]
            case syntax.Send():
                return self._sends(statement)
            case syntax.Receive():
                return self._receives(statement)
            case End():
                return [self._end()]
            case syntax.Print(_, _, values):
                computed = [expression for expression in map(value, values) if may_fault(expression)]
                return [Alternative(TRUE, tuple(map(_evaluation, computed)))]
            case Jump() | syntax.Else():
                return [Alternative(TRUE)]

    def in_d_step(self, statement: Basic) -> list[Alternative]:
        """The alternatives of a statement within a `d_step`, where offering a handshake is a fault."""
        result = self.of(statement)
        if isinstance(statement, syntax.Send):
            fault = (Assert(FALSE, "a rendezvous is attempted inside a d_step"),)
            found, _ = self.lowering.candidates(statement.channel)
            result += [Alternative(test, fault, Kind.SEND) for test, channel in found if channel.is_rendezvous]
        return result

    def _assignment(self, target: syntax.Reference | syntax.Predefined, value: Expression) -> tuple[Statement, ...]:
        if isinstance(target, syntax.Predefined) or target.parts[0].symbol in self.world.unread:
            return ()
        return (Assign(self.lowering.place(target), value),)

    def _set_priority(self, pid: Expression, value: Expression) -> tuple[Statement, ...]:
        """Does nothing if no process has the number."""
        in_range = Binary("&&", Binary(">=", value, Constant(1)), Binary("<=", value, Constant(255)))
        checked = Assert(folded(in_range), "a priority is outside 1..255")
        result: list[Statement] = []
        for slot in reversed(range(len(self.world.slots))):
            test = folded(Binary("==", pid, Constant(slot)))
            if test != FALSE:
                there = conjunction(test, self.world.is_present(slot))
                result = [If(there, (checked, *self._given_priority(slot, value)), tuple(result))]
        return tuple(result)

    def _given_priority(self, slot: int, value: Expression) -> list[Statement]:
        """Store the priority of a slot's process, unless it is fixed."""
        kept = self.world.priorities[slot] if self.world.priorities else None
        return [Assign(Place(kept.variable), value)] if isinstance(kept, Read) else []

    def _sends(self, statement: syntax.Send) -> list[Alternative]:
        found, none = self.lowering.candidates(statement.channel)
        values = tuple(self.lowering.value(value) for value in statement.values)
        result = [self._send(test, c, values, statement.sorted) for test, c in found if not c.is_rendezvous]
        return [*result, *self._no_channel(statement.channel, none, Kind.SEND)]

    def _send(self, test: Expression, channel: Channel, values: tuple[Expression, ...], in_order: bool) -> Alternative:
        number = self.world.buffered[channel]
        fields = len(field_types(channel.shape))
        given = tuple([*values, *[Constant(0)] * fields][:fields])
        wrong = wrong_count(len(values), fields, "sent on")
        room = Binary("<", Length(number), Constant(channel.shape.capacity))
        event = self.world.observed("send", channel, given)
        return Alternative(conjunction(test, room), (*wrong, *event, Enqueue(number, given, in_order)), Kind.SEND)

    def _receives(self, statement: syntax.Receive) -> list[Alternative]:
        found, none = self.lowering.candidates(statement.channel)
        result = [self._receive(test, c, statement) for test, c in found if not c.is_rendezvous]
        if statement.keeps:
            polled = (Assert(FALSE, POLLED),)
            result += [Alternative(test, polled, Kind.RECEIVE) for test, channel in found if channel.is_rendezvous]
        return [*result, *self._no_channel(statement.channel, none, Kind.RECEIVE)]

    def _receive(self, test: Expression, channel: Channel, statement: syntax.Receive) -> Alternative:
        number = self.world.buffered[channel]
        fields = len(field_types(channel.shape))
        guard = conjunction(test, self.lowering.has_message(channel, statement.arguments, statement.anywhere))
        wanted = self.lowering.pattern(channel, statement.arguments)
        searched = statement.anywhere and any(value is not None for value in wanted)
        position: Expression = Find(number, wanted) if searched else Constant(0)
        places = tuple([*(self.target(a) for a in statement.arguments), *[None] * fields][:fields])
        message = tuple(Message(number, field, position) for field in range(fields))
        event = self.world.observed("receive", channel, message)
        effect: tuple[Statement, ...] = (*event, Dequeue(number, places, position))
        if statement.keeps:
            effect = _copies(number, places, position, channel.shape.capacity)
        wrong = wrong_count(len(statement.arguments), fields, "received from")
        return Alternative(guard, (*wrong, *effect), Kind.RECEIVE)

    def target(self, argument: syntax.Argument) -> Place | None:
        """The place that a received field is written to."""
        if isinstance(argument, syntax.Reference) and argument.parts[0].symbol not in self.world.unread:
            return self.lowering.place(argument)
        return None

    def _no_channel(self, node: syntax.Expression, none: Expression, kind: Kind) -> list[Alternative]:
        """The alternatives for an expression that refers to none of its candidate channels."""
        if none == FALSE:
            return []
        fault = Alternative(none, (Assert(FALSE, NO_CHANNEL),), kind)
        value = self.lowering.value(node)
        if self.world.plan.any_channel or self.lowering.is_declared_channel(node):
            return [fault]
        is_zero = folded(Binary("==", value, Constant(0)))
        fault = fault._replace(guard=conjunction(none, is_zero))
        unknown = Alternative(conjunction(none, folded(Unary("!", is_zero))), (Outgrow("channel"),), kind)
        return [alternative for alternative in (fault, unknown) if alternative.guard != FALSE]

    def _starts(self, edge: Edge, run: syntax.Run) -> list[Alternative]:
        creator = self.instance.slot
        starts = sorted(s for s in self.world.plan.starts if (s.creator, s.edge) == (creator, edge.identifier))
        result = [self._start(edge, run, start) for start in starts]
        others = conjunction(*(Unary("!", alternative.guard) for alternative in result))
        beyond: tuple[Statement, ...] = (Outgrow(f"run {creator} {edge.identifier}"),)
        if len(self.world.slots) >= MOST_PROCESSES:
            full = self.world.is_present(MOST_PROCESSES - 1)
            beyond = (If(full, (Assert(FALSE, f"more than {MOST_PROCESSES} processes"),), beyond),)
        return [*result, Alternative(others, beyond, Kind.OTHER)]

    def _start(self, edge: Edge, run: syntax.Run, start: Start) -> Alternative:
        """The alternative in which the new process gets the slot of `start`, if that is the lowest free one."""
        slot = start.slot
        child = next(instance for instance in self.world.slots[slot] if instance.name == run.proctype)
        guard: Expression = At(slot, ABSENT)
        if slot - 1 != self.instance.slot:
            guard = Binary("&&", self.world.is_present(slot - 1), guard)
        lowering = self.lowering.starting(slot)
        effect = [*self._arguments(run, start, child), *_initialisations(self.lowering, child)]
        effect += self._given_priority(slot, Constant(run.priority))
        statement = edge.statement
        if isinstance(statement, syntax.Assign):
            effect += self._assignment(statement.target, lowering.value(statement.value))
        first = child.locations[child.automaton.initial]
        move = Move(slot, ABSENT, first, STARTED, child.proctype.position, child.display_name)
        return Alternative(guard, tuple(effect), Kind.OTHER, move)

    def _arguments(self, run: syntax.Run, start: Start, child: Instance) -> list[Statement]:
        storage = self.world.storage
        result: list[Statement] = []
        for leaf, argument in zip(parameter_leaves(child.proctype), run.arguments, strict=False):
            value = self.lowering.value(argument)
            variable = storage.variable(start.slot, leaf)
            fixed = storage.fixed.get((start.slot, leaf))
            if variable is not None:
                result.append(Assign(Place(variable), value))
            elif fixed is not None:
                differs = folded(Binary("!=", value, Constant(fixed)))
                if differs != FALSE:
                    result.append(If(differs, (Outgrow(f"run {start.creator} {start.edge}"),)))
        return result

    def _end(self) -> Alternative:
        """The process dies if it is the youngest; its variables and channels are reset."""
        slot = self.instance.slot
        following = slot + 1 < len(self.world.slots)
        storage = self.world.storage
        effect = self._given_priority(slot, Constant(0))
        for number in storage.locals_of(slot):
            variable = storage.variables[number]
            if variable.length is None:
                effect.append(Assign(Place(number), Constant(0)))
            else:
                effect += [Assign(Place(number, Constant(i)), Constant(0)) for i in range(variable.length)]
        for channel, buffer in self.world.buffered.items():
            if (channel.slot, channel.proctype) == (slot, self.instance.name):
                effect.append(Clear(buffer))
        return Alternative(At(slot + 1, ABSENT) if following else TRUE, tuple(effect), Kind.OTHER)


def _initialisations(parent: ExpressionLowering, child: Instance) -> list[Statement]:
    """Give the locals of a new process their initial values, except those that are 0."""
    lowering = ExpressionLowering(parent.world, parent.aliases, child, parent.executable)
    lowering.creating = True
    result: list[Statement] = []
    for symbol in child.proctype.locals[child.proctype.parameters :]:
        for leaf in leaves(symbol):
            variable = parent.world.storage.variable(child.slot, leaf)
            if variable is None:
                continue
            for element, value in enumerate(_initial_values(lowering, child.slot, symbol, leaf)):
                if value != Constant(0):
                    index = None if extent(leaf) is None else Constant(element)
                    result.append(Assign(Place(variable, index), value))
    return result


def _initial_values(
    lowering: ExpressionLowering, slot: int | None, symbol: syntax.Symbol, leaf: tuple[syntax.Symbol, ...]
) -> list[Expression]:
    """The initial values of a leaf's elements."""
    count = extent(leaf) or 1
    declared = leaf[-1]
    if isinstance(declared.initial, syntax.ChannelShape):
        channels = [lowering.world.channel(slot, leaf, element) for element in range(count)]
        return [Constant(0) if channel is None else lowering.world.number(channel) for channel in channels]
    if declared.initial is None or (slot is not None and not symbol.at_creation):
        return [Constant(0)] * count
    if isinstance(declared.initial, syntax.Values):
        given = [lowering.value(value) for value in declared.initial.values]
        return [*given, *[given[-1] if given else Constant(0)] * count][:count]
    return [lowering.value(declared.initial)] * count


def initial_values(
    lowering: ExpressionLowering, instance: Instance | None, symbol: syntax.Symbol
) -> dict[tuple[syntax.Symbol, ...], list[Expression]]:
    """The initial values of a symbol's leaves."""
    slot = None if instance is None else instance.slot
    return {leaf: _initial_values(lowering, slot, symbol, leaf) for leaf in leaves(symbol)}


def _evaluation(value: Expression) -> Statement:
    """Compute a value, only to fault if that is impossible."""
    return Assert(Binary("||", truth_of(value), TRUE), "")


def _copies(
    channel: int, places: tuple[Place | None, ...], position: Expression, capacity: int
) -> tuple[Statement, ...]:
    """Copy the fields of a message that stays in the channel. Its position is computed once, before a place that it
    depends on is written."""
    if variables_of(position).isdisjoint(place.variable for place in places if place is not None):
        return tuple(
            Assign(place, Message(channel, field, position)) for field, place in enumerate(places) if place is not None
        )
    result: tuple[Statement, ...] = ()
    for candidate in reversed(range(capacity)):
        here = Binary("==", position, Constant(candidate))
        result = (If(here, _copies(channel, places, Constant(candidate), capacity), result),)
    return result


def wrong_count(given: int, wanted: int, what: str) -> tuple[Statement, ...]:
    if given == wanted:
        return ()
    few = "few" if given < wanted else "many"
    return (Assert(FALSE, f"too {few} values are {what} a channel: {given} instead of {wanted}", fatal=False),)
