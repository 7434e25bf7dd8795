"""Expressions of Promela as expressions of the system, within one process or outside all of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, cast

from scrimp.frontends.promela.automata.automaton import Automaton
from scrimp.frontends.promela.lowering.aliases import Aliases
from scrimp.frontends.promela.lowering.problems import problem
from scrimp.frontends.promela.planning.channels import Channel, field_types
from scrimp.frontends.promela.planning.storage import combined_index, leaf_of, range_of, sum_of
from scrimp.frontends.promela.planning.world import Instance, World
from scrimp.frontends.promela.program import syntax
from scrimp.system.arithmetic import EvaluationFault, binary, unary
from scrimp.system.expressions import (
    FALSE,
    TRUE,
    At,
    Binary,
    BinaryOperator,
    Conditional,
    Constant,
    Expression,
    Find,
    Length,
    Message,
    Read,
    Timeout,
    Unary,
    Undefined,
    conjunction,
    disjunction,
)
from scrimp.system.statements import Place
from scrimp.system.types import Range

NO_CHANNEL = "the channel does not exist"
POLLED = "a rendezvous channel is polled"


class Candidate(NamedTuple):
    """A channel that an expression may refer to, and when it does."""

    test: Expression
    channel: Channel


class ExpressionLowering:
    """Lowers expressions in the body of `instance`'s proctype; `executable` says whether a process can move, for
    `enabled()`. `started` is the process that a `run` in the expression has created. `timed_out` makes the value of
    `timeout`."""

    def __init__(
        self,
        world: World,
        aliases: Aliases,
        instance: Instance | None,
        executable: Callable[[Instance], Expression],
        started: int | None = None,
        timed_out: Callable[[], Expression] = Timeout,
    ) -> None:
        self.world = world
        self.aliases = aliases
        self.instance = instance
        self.executable = executable
        self.started = started
        self.timed_out = timed_out
        # Whether the process is just being created: `_nr_pr` counts it, but its slot is still empty.
        self.creating = False

    def starting(self, slot: int) -> ExpressionLowering:
        return ExpressionLowering(self.world, self.aliases, self.instance, self.executable, slot, self.timed_out)

    def value(self, node: syntax.Expression) -> Expression:
        match node:
            case syntax.Number(value):
                return Constant(value)
            case syntax.Reference():
                return self._read(node)
            case syntax.Predefined():
                return self._predefined(node)
            case syntax.Prefix(operator, operand):
                return folded(Unary(operator, self.value(operand)))
            case syntax.Infix(operator, left, right):
                return folded(Binary(cast(BinaryOperator, operator), self.value(left), self.value(right)))
            case syntax.Choice(test, then, otherwise):
                return folded(Conditional(self.value(test), self.value(then), self.value(otherwise)))
            case syntax.ChannelTest(kind, channel):
                return self._over_channels(channel, lambda c: self._channel_test(kind, c))
            case syntax.Poll(channel, arguments, anywhere):
                return self._over_channels(channel, lambda c: self._poll(c, arguments, anywhere))
            case syntax.Run():
                assert self.started is not None
                return Constant(self.started)
            case syntax.RemoteLabel():
                return self._remote_label(node)
            case syntax.RemoteVariable():
                return self._remote_variable(node)
            case syntax.ProcessTest(kind, pid):
                if kind == "enabled":
                    return self._enabled(node)
                return self._pc_value(pid) if kind == "pc_value" else self._get_priority(pid)

    def place(self, target: syntax.Reference) -> Place:
        slot, leaf, index = self._location(target)
        variable = self.world.storage.variable(slot, leaf)
        assert variable is not None, f"{target.symbol.name} is assigned, but was considered fixed"
        return Place(variable, index)

    def candidates(self, node: syntax.Expression) -> tuple[list[Candidate], Expression]:
        """The channels that an expression may refer to, and when it refers to none of them."""
        fixed = self._fixed_channels(node)
        if fixed is not None:
            return fixed
        value = self.value(node)
        known = self.world.channels if self.world.plan.any_channel else self.aliases.of(node, self.instance)
        found = []
        for channel in sorted(known, key=self.world.channels.index):
            test = folded(Binary("==", value, self.world.number(channel)))
            if self.world.may_share_its_number(channel, known) or self._may_outlive(channel):
                test = conjunction(test, self.world.exists(channel))
            if test != FALSE:
                found.append(Candidate(test, channel))
        return found, folded(Unary("!", disjunction(*(test for test, _ in found)))) if found else TRUE

    def is_declared_channel(self, node: syntax.Expression) -> bool:
        """Whether an expression can only refer to a channel that its variable was declared with."""
        return self._fixed_channels(node) is not None

    def _may_outlive(self, channel: Channel) -> bool:
        """Whether this process may live longer than the channel's: the youngest die first."""
        return channel.slot is not None and (self.instance is None or channel.slot > self.instance.slot)

    def _fixed_channels(self, node: syntax.Expression) -> tuple[list[Candidate], Expression] | None:
        """The channels of a variable that always refers to the channels it was declared with, and when it refers to
        none of them; None for other variables."""
        if not isinstance(node, syntax.Reference):
            return None
        slot, leaf, index = self._location(node)
        if self.world.storage.variable(slot, leaf) is not None or (slot, leaf) in self.world.storage.fixed:
            return None
        count = len([c for c in self.world.channels if (c.slot, c.leaf) == (slot, leaf)])
        if count == 0:
            return None
        place = index or Constant(0)
        found = []
        for element in range(count):
            channel = self.world.channel(slot, leaf, element)
            test = folded(Binary("==", place, Constant(element)))
            if test != FALSE and channel is not None:
                found.append(Candidate(test, channel))
        return found, folded(Unary("!", disjunction(*(test for test, _ in found)))) if found else TRUE

    def _location(self, node: syntax.Reference) -> tuple[int | None, tuple[syntax.Symbol, ...], Expression | None]:
        leaf = leaf_of(node.parts)
        indices = [None if part.index is None else self.value(part.index) for part in node.parts]
        if leaf[0].owner is not None and self.instance is None:
            raise problem(node.position, f"'{leaf[0].name}' is local to {leaf[0].owner}")
        slot = None if leaf[0].owner is None or self.instance is None else self.instance.slot
        return slot, leaf, combined_index(leaf, indices)

    def _read(self, node: syntax.Reference) -> Expression:
        fixed = self._fixed_channels(node)
        if fixed is None:
            slot, leaf, index = self._location(node)
            return self.world.storage.read(slot, leaf, index)
        found, _ = fixed
        result: Expression = Undefined(NO_CHANNEL)
        for test, channel in reversed(found):
            result = folded(Conditional(test, self.world.number(channel), result))
        return result

    def _predefined(self, node: syntax.Predefined) -> Expression:
        match node.name:
            case "_pid":
                return Constant(0 if self.instance is None else self.instance.slot)
            case "_nr_pr":
                return sum_of(self.world.number_of_processes(), Constant(int(self.creating)))
            case "_last":
                if self.instance is None and self.world.last is None:
                    remedy = "put the formula into the model, as in 'ltl name { … }'"
                    raise problem(node.position, f"'_last' is no part of the states of this model: {remedy}")
                return Read(self.world.last_variable())
            case "_priority":
                return Constant(0) if self.instance is None else self.world.priorities[self.instance.slot]
            case "np_":
                return self.no_progress()
            case "timeout":
                return self.timed_out()
            case _:
                raise problem(node.position, "'_' can be written but not read")

    def no_progress(self) -> Expression:
        """Whether no process is at a progress label."""
        return Unary("!", disjunction(*self._at(lambda automaton: automaton.progress_states)))

    def accepting(self) -> Expression | None:
        """Whether some process is at an accept label; None if there are none."""
        return disjunction(*places) if (places := self._at(lambda automaton: automaton.accept_states)) else None

    def _at(self, states: Callable[[Automaton], frozenset[int]]) -> list[Expression]:
        """For each process, whether it is in one of some states."""
        return [
            At(instance.slot, location)
            for instance in self.world.instances
            for state, location in instance.locations.items()
            if state in states(instance.automaton)
        ]

    def _over_channels(self, node: syntax.Expression, of: Callable[[Channel], Expression]) -> Expression:
        """The value of `of` for the channel that an expression refers to."""
        found, none = self.candidates(node)
        result: Expression = Undefined(NO_CHANNEL)
        if none == FALSE and found:
            result = of(found.pop().channel)
        elif not self.is_declared_channel(node):
            found = [*found, *self._others(node, found)]
        for test, channel in reversed(found):
            result = folded(Conditional(test, of(channel), result))
        return result

    def _others(self, node: syntax.Expression, found: list[Candidate]) -> list[Candidate]:
        """The channels that the alias analysis did not find: the value may have been computed by arithmetic."""
        value = self.value(node)
        known = {channel for _, channel in found}
        return [
            Candidate(conjunction(Binary("==", value, self.world.number(c)), self.world.exists(c)), c)
            for c in self.world.channels
            if c not in known
        ]

    def _channel_test(self, kind: str, channel: Channel) -> Expression:
        length: Expression = Constant(0)
        capacity = 1
        if not channel.is_rendezvous:
            length, capacity = Length(self.world.buffered[channel]), channel.shape.capacity
        match kind:
            case "len":
                return length
            case "full":
                return folded(Binary(">=", length, Constant(capacity)))
            case "nfull":
                return folded(Binary("<", length, Constant(capacity)))
            case "empty":
                return folded(Binary("==", length, Constant(0)))
            case _:
                return folded(Binary(">", length, Constant(0)))

    def _poll(self, channel: Channel, arguments: tuple[syntax.Argument, ...], anywhere: bool) -> Expression:
        if channel.is_rendezvous:
            return Undefined(POLLED)
        return self.has_message(channel, arguments, anywhere)

    def has_message(self, channel: Channel, arguments: tuple[syntax.Argument, ...], anywhere: bool) -> Expression:
        """Whether the oldest message matches, or any message if `anywhere`."""
        number = self.world.buffered[channel]
        wanted = self.pattern(channel, arguments)
        if anywhere and any(value is not None for value in wanted):
            return Binary(">=", Find(number, wanted), Constant(0))
        tests = [
            Binary("==", Message(number, field, Constant(0)), value)
            for field, value in enumerate(wanted)
            if value is not None
        ]
        return conjunction(Binary(">", Length(number), Constant(0)), *tests)

    def pattern(self, channel: Channel, arguments: tuple[syntax.Argument, ...]) -> tuple[Expression | None, ...]:
        """The value that each field of a channel's message must have; None: any."""
        values = [self.value(a.value) if isinstance(a, syntax.Match) else None for a in arguments]
        fields = len(field_types(channel.shape))
        return tuple([*values, *[None] * fields][:fields])

    def _of_pid(self, proctype: str, pid: syntax.Expression | None, of: Callable[[Instance], Expression]) -> Expression:
        """The value of `of` for the instance of a proctype with a given number, or for the first one; 0 if there is
        none."""
        number = None if pid is None else self.value(pid)
        result: Expression = Constant(0)
        for instance in reversed(self.world.instances):
            if instance.name == proctype:
                same = TRUE if number is None else folded(Binary("==", number, Constant(instance.slot)))
                if same != FALSE:
                    result = Conditional(conjunction(same, self.world.runs(instance)), of(instance), result)
        return result

    def _remote_label(self, node: syntax.RemoteLabel) -> Expression:
        def at_label(instance: Instance) -> Expression:
            state = instance.automaton.labels.get(node.label)
            if state is None:
                raise problem(node.position, f"proctype {node.proctype} has no label '{node.label}'")
            if node.label in instance.automaton.jump_labels:
                # References in the model have made a state of it.
                remedy = f"write '{node.label}: skip; goto …', or put the formula into the model"
                raise problem(node.position, f"no process stops at '{node.label}', the label of a jump: {remedy}")
            return At(instance.slot, instance.locations[state]) if state in instance.locations else FALSE

        return self._of_pid(node.proctype, node.pid, at_label)

    def _remote_variable(self, node: syntax.RemoteVariable) -> Expression:
        def read(instance: Instance) -> Expression:
            other = ExpressionLowering(self.world, self.aliases, instance, self.executable)
            # Indices are evaluated in this process, the variable in the other one.
            indices = [None if part.index is None else self.value(part.index) for part in node.variable.parts]
            leaf = leaf_of(node.variable.parts)
            if self.world.channel(instance.slot, leaf, 0) is not None:
                return other.value(node.variable)
            return self.world.storage.read(instance.slot, leaf, combined_index(leaf, indices))

        return self._of_pid(node.proctype, node.pid, read)

    def _enabled(self, node: syntax.ProcessTest) -> Expression:
        number = self.value(node.pid)
        tests = []
        for instance in self.world.instances:
            if self.instance is None or instance.slot != self.instance.slot:
                same = folded(Binary("==", number, Constant(instance.slot)))
                if same != FALSE:
                    tests.append(conjunction(same, self.executable(instance)))
        return disjunction(*tests)

    def _pc_value(self, pid: syntax.Expression) -> Expression:
        number = self.value(pid)
        result: Expression = Constant(0)
        for instance in self.world.instances:
            same = folded(Binary("==", number, Constant(instance.slot)))
            for state, location in instance.locations.items() if same != FALSE else ():
                result = Conditional(conjunction(same, At(instance.slot, location)), Constant(state), result)
        return result

    def _get_priority(self, pid: syntax.Expression) -> Expression:
        """The priority of a process; 0 if no process has the number."""
        number = self.value(pid)
        result: Expression = Constant(0)
        for slot, priority in enumerate(self.world.priorities):
            same = folded(Binary("==", number, Constant(slot)))
            if same != FALSE:
                result = folded(Conditional(conjunction(same, self.world.is_present(slot)), priority, result))
        return result


def folded(expression: Expression) -> Expression:
    """An expression with constant parts evaluated, unless that faults."""
    match expression:
        case Unary(operator, Constant(value)):
            return Constant(unary(operator, value))
        case Binary("&&", Constant(value), right):
            return truth_of(right) if value else FALSE
        case Binary("||", Constant(value), right):
            return TRUE if value else truth_of(right)
        case Binary(binary_operator, Constant(left), Constant(right_value)):
            try:
                return Constant(binary(binary_operator, left, right_value))
            except EvaluationFault:
                return expression
        case Conditional(Constant(value), then, otherwise):
            return then if value else otherwise
    return expression


def truth_of(expression: Expression) -> Expression:
    """1 or 0 for any value."""
    match expression:
        case Constant(value):
            return Constant(int(value != 0))
        case At() | Timeout() | Unary("!") | Binary("==" | "!=" | "<" | "<=" | ">" | ">=" | "&&" | "||"):
            return expression
    return Binary("!=", expression, Constant(0))


def brought_into(type_: Range, value: Expression) -> Expression:
    """A value after conversion to a type."""
    if isinstance(value, Constant):
        return Constant(type_.wrap(value.value))
    if type_.size == 2**32 or isinstance(value, (At, Timeout)) or (isinstance(value, Unary) and value.operator == "!"):
        return value
    kept = Binary("&", value, Constant(type_.size - 1))
    if type_.low == 0:
        return kept
    half = Constant(type_.size // 2)
    return Binary("-", Binary("^", kept, half), half)


def field_range(channel: Channel, field: int) -> Range:
    return range_of(field_types(channel.shape)[field])
