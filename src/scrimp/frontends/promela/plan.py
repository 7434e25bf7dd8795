"""A plan: which proctypes may run in which slot, and which `run` starts what where.

A process has the slot of its number (`_pid`). A system has room for the runs of its plan and no others: where the model
does something else, the search learns of it (see Outgrow) and goes on with a larger plan. `first_plan` follows each
process that starts others, alone, with the values it knows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from scrimp.frontends.promela import syntax
from scrimp.frontends.promela.edges import Automaton, DStep, Edge
from scrimp.frontends.promela.numbering import Numbering
from scrimp.frontends.promela.syntax import Expression, Program, Symbol
from scrimp.system.arithmetic import EvaluationFault, binary, unary

MOST_PROCESSES = 255
_MOST_STEPS = 4_000
_MOST_GUESSES = 8


@dataclass(frozen=True, order=True)
class Start:
    """A `run` by the process in slot `creator`, named by its edge, that starts a process in slot `slot`."""

    creator: int
    edge: int
    slot: int


@dataclass(frozen=True)
class Plan:
    """`slots` lists the proctypes of each slot. `starts` gives the arguments where they are foreseen; a start with
    other ones makes the plan too small, too. `any_channel`: a channel may be known by any number, however computed."""

    slots: tuple[tuple[str, ...], ...]
    starts: Mapping[Start, tuple[int | None, ...]]
    any_channel: bool = False

    def with_start(self, start: Start, proctype: str, arguments: tuple[int | None, ...]) -> Plan:
        slots = [list(names) for names in self.slots]
        while len(slots) <= start.slot:
            slots.append([])
        if proctype not in slots[start.slot]:
            slots[start.slot].append(proctype)
        known = self.starts.get(start)
        merged = (
            arguments if known is None else tuple(a if a == b else None for a, b in zip(arguments, known, strict=True))
        )
        return replace(self, slots=tuple(map(tuple, slots)), starts={**self.starts, start: merged})


def run_of(edge: Edge) -> syntax.Run | None:
    """The `run` in an edge's statement."""
    match edge.statement:
        case syntax.Condition(value) | syntax.Assign(_, value):
            return next((node for node in within(value) if isinstance(node, syntax.Run)), None)
    return None


def within(expression: Expression) -> Iterator[Expression]:
    """An expression and those it is made of, arguments of `run` aside."""
    yield expression
    match expression:
        case syntax.Prefix(_, operand):
            yield from within(operand)
        case syntax.Infix(_, left, right):
            yield from within(left)
            yield from within(right)
        case syntax.Choice(test, then, otherwise):
            for part in (test, then, otherwise):
                yield from within(part)


def first_plan(program: Program, automata: Mapping[str, Automaton]) -> Plan:
    """The processes that are there at first, and what those are foreseen to start."""
    slots = tuple((p.name,) for p in program.proctypes if p.kind != "claim" for _ in range(p.active))
    plan = Plan(slots, {})
    forecast = _Forecast(program, automata, plan)
    for slot, (name,) in enumerate(slots):
        forecast.follow(slot, name, ())
    return forecast.plan


def grown(program: Program, automata: Mapping[str, Automaton], plan: Plan, start: Start, name: str) -> Plan:
    """A plan with one more start, of a process of the proctype `name`, and what that is foreseen to start in turn."""
    parameters = next(p.parameters for p in program.proctypes if p.name == name)
    forecast = _Forecast(program, automata, plan.with_start(start, name, (None,) * parameters))
    forecast.follow(start.slot, name, (None,) * parameters)
    return forecast.plan


Values = dict[tuple[Symbol, int], int]


@dataclass
class _Forecast:
    program: Program
    automata: Mapping[str, Automaton]
    plan: Plan
    steps: int = 0
    numbering: Numbering = field(init=False)

    def __post_init__(self) -> None:
        self.proctypes = {p.name: p for p in self.program.proctypes}
        self.numbering = Numbering(self.program)
        self.globals = self.numbering.global_channels()
        for symbol in self.program.globals:
            self._initialise(self.globals, symbol)

    def _initialise(self, values: Values, symbol: Symbol) -> None:
        if isinstance(symbol.type, syntax.Structure) or isinstance(symbol.initial, syntax.ChannelShape):
            return
        if isinstance(symbol.initial, syntax.Values):
            for index, expression in enumerate(symbol.initial.values):
                self._set(values, symbol, index, self._value(expression, values))
            return
        start = 0 if symbol.initial is None else self._value(symbol.initial, values)
        for index in range(symbol.length or 1):
            self._set(values, symbol, index, start)

    def follow(self, slot: int, name: str, arguments: tuple[int | None, ...], above: tuple[str, ...] = ()) -> None:
        """Walk through a process alone, and through those it starts once it is known what it starts. Recursion is not
        followed: how far it goes mostly depends on messages."""
        automaton = self.automata[name]
        if not any(run_of(edge) for edges in automaton.edges.values() for edge in edges):
            return
        proctype = self.proctypes[name]
        values = dict(self.globals)
        for symbol, argument in zip(proctype.locals[: proctype.parameters], arguments, strict=False):
            self._set(values, symbol, 0, argument)
        values |= self.numbering.local_channels(self.plan.slots, slot, name)
        for symbol in proctype.locals[proctype.parameters :]:
            if symbol.at_creation:
                self._initialise(values, symbol)
        children: list[tuple[int, str, tuple[int | None, ...]]] = []
        seen: set[tuple[int, int, frozenset[object]]] = set()
        waiting = [(automaton.initial, values, len(self.plan.slots), 0)]
        while waiting and self.steps < _MOST_STEPS:
            state, values, alive, guesses = waiting.pop()
            key = (state, alive, frozenset(values.items()))
            if key in seen or alive >= MOST_PROCESSES or guesses > _MOST_GUESSES:
                continue
            seen.add(key)
            self.steps += 1
            ways = self._ways(automaton.edges.get(state, ()), values, alive)
            guessed = len(ways) > 1 or any(self._is_doubtful(edge, values, alive) for edge in ways)
            for edge in reversed(ways):
                after, count = dict(values), alive
                run = run_of(edge)
                if run is not None:
                    given = tuple(self._value(argument, values) for argument in run.arguments)
                    self.plan = self.plan.with_start(Start(slot, edge.identifier, alive), run.proctype, given)
                    children.append((alive, run.proctype, given))
                    count += 1
                self._execute(edge, after, alive)
                waiting.append((edge.target, after, count, guesses + guessed))
        for child in dict.fromkeys(children):
            if self.steps < _MOST_STEPS and child[1] not in (*above, name):
                self.follow(*child, (*above, name))

    def _is_doubtful(self, edge: Edge, values: Values, alive: int) -> bool:
        test = edge.statement
        return isinstance(test, syntax.Condition) and not run_of(edge) and self._value(test.test, values, alive) is None

    def _ways(self, edges: tuple[Edge, ...], values: Values, alive: int) -> list[Edge]:
        """The edges that may be executable, as far as is known."""
        possible: list[Edge] = []
        certain = False
        for edge in edges:
            truth: int | None = None
            match edge.statement:
                case syntax.Condition(test):
                    truth = 1 if run_of(edge) else self._value(test, values, alive)
                case syntax.Else():
                    truth = 0 if certain else None
                case syntax.Assign() | syntax.Assert() | syntax.Print():
                    truth = 1
            if truth != 0:
                possible.append(edge)
            certain = certain or bool(truth)
        return possible

    def _execute(self, edge: Edge, values: Values, started: int) -> None:
        match edge.statement:
            case syntax.Assign(target, value) if isinstance(target, syntax.Reference):
                result = started if isinstance(value, syntax.Run) else self._value(value, values)
                self._assign(target, result, values)
            case syntax.Receive(_, arguments):
                for argument in arguments:
                    if isinstance(argument, syntax.Reference):
                        self._assign(argument, None, values)
            case DStep(_, nodes):
                for node in nodes:
                    if isinstance(node.statement, syntax.Assign) and isinstance(
                        node.statement.target, syntax.Reference
                    ):
                        self._assign(node.statement.target, None, values)

    def _assign(self, target: syntax.Reference, value: int | None, values: Values) -> None:
        root = target.parts[0]
        if len(target.parts) > 1:
            return
        index = 0 if root.index is None else self._value(root.index, values)
        if index is None:
            for element in range(root.symbol.length or 1):
                self._set(values, root.symbol, element, None)
        else:
            self._set(values, root.symbol, index, value)

    @staticmethod
    def _set(values: Values, symbol: Symbol, index: int, value: int | None) -> None:
        if value is None:
            values.pop((symbol, index), None)
        else:
            values[symbol, index] = value

    def _value(self, expression: Expression, values: Values, alive: int | None = None) -> int | None:
        """The value of an expression, None where it is not known; `alive` is the number of processes, if it is."""
        match expression:
            case syntax.Predefined("_nr_pr"):
                return alive
            case syntax.Number(value):
                return value
            case syntax.Reference(parts) if len(parts) == 1:
                index = 0 if parts[0].index is None else self._value(parts[0].index, values)
                return None if index is None else values.get((parts[0].symbol, index))
            case syntax.Prefix(operator, operand):
                inner = self._value(operand, values, alive)
                return None if inner is None else unary(operator, inner)
            case syntax.Infix(operator, left, right):
                return self._infix(operator, self._value(left, values, alive), self._value(right, values, alive))
            case syntax.Choice(test, then, otherwise):
                truth = self._value(test, values)
                return None if truth is None else self._value(then if truth else otherwise, values)
        return None

    def _infix(self, operator: str, left: int | None, right: int | None) -> int | None:
        if operator == "&&" and (left == 0 or right == 0):
            return 0
        if left is None or right is None:
            return None
        if operator in ("&&", "||"):
            return int(bool(left) and bool(right)) if operator == "&&" else int(bool(left) or bool(right))
        try:
            return binary(operator, left, right)
        except EvaluationFault:
            return None
