"""Validation: checks that a system is well formed, between the front ends and everything else.

A system that fails was built wrongly, by a front end or by hand; the message says where in the data structure.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TypeAlias, get_args

from scrimp.errors import ScrimpError
from scrimp.system.expressions import (
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
    UnaryOperator,
)
from scrimp.system.statements import Assert, Assign, Clear, Dequeue, Enqueue, If, Place, Statement
from scrimp.system.system import Channel, Invariant, Position, Process, System, Transition, Variable
from scrimp.system.traverse import subexpressions
from scrimp.system.types import INT, Range

UNARY_OPERATORS = frozenset(get_args(UnaryOperator))
BINARY_OPERATORS = frozenset(get_args(BinaryOperator))
MOST_NESTED_EXPRESSIONS = 500
MOST_NESTED_STATEMENTS = 100
"""Beyond these depths, functions that follow the nesting by recursion might overflow the stack."""


class InvalidSystem(ScrimpError):
    """A system that breaks a rule of the intermediate representation, at `path`, such as `transitions[3].guard`."""

    def __init__(self, path: str, message: str) -> None:
        super().__init__(f"{path}: {message}")
        self.path = path
        self.message = message


def validate(system: System) -> None:
    """Raise InvalidSystem if anything in `system` is out of place."""
    _Validator(system).check()


Path: TypeAlias = "tuple[Path | None, str]"
"""The path to a part of a system, innermost step first: it is turned into text only if something is wrong there."""


def _text(path: Path) -> str:
    steps = []
    rest: Path | None = path
    while rest is not None:
        rest, step = rest
        steps.append(step)
    return "".join(reversed(steps)).removeprefix(".")


def _require(condition: bool, path: Path, message: str) -> None:
    if not condition:
        raise InvalidSystem(_text(path), message)


class _Validator:
    def __init__(self, system: System) -> None:
        self.system = system

    def check(self) -> None:
        system = self.system
        _require(bool(system.processes), (None, "processes"), "a system needs a process")
        for i, process in enumerate(system.processes):
            self.process(process, (None, f"processes[{i}]"))
        if system.claim is not None:
            self.exists(system.claim, system.processes, "process", (None, "claim"))
        for i, variable in enumerate(system.variables):
            self.variable(variable, (None, f"variables[{i}]"))
        for i, channel in enumerate(system.channels):
            self.channel(channel, (None, f"channels[{i}]"))
        self.names()
        for i, transition in enumerate(system.transitions):
            self.transition(transition, (None, f"transitions[{i}]"))
        for i, invariant in enumerate(system.invariants):
            self.invariant(invariant, (None, f"invariants[{i}]"))
        for name, test in (("committed", system.committed), ("valid_end", system.valid_end)):
            if test is not None:
                self.condition(test, (None, name))
        for i, (process_, test) in enumerate(system.offers):
            self.exists(process_, system.processes, "process", (None, f"offers[{i}]"))
            self.expression(test, (None, f"offers[{i}]"))

    def names(self) -> None:
        system = self.system
        _require_different(((p.name, p.name) for p in system.processes), "processes")
        _require_different((((v.owner, v.name), v.name) for v in system.variables), "variables")
        _require_different(((c.name, c.name) for c in system.channels), "channels")

    def process(self, process: Process, path: Path) -> None:
        count = len(process.locations)
        _require(count > 0, path, "a process needs a location")
        _require(0 <= process.initial < count, (path, ".initial"), f"location {process.initial} does not exist")
        for location in process.accepting:
            _require(0 <= location < count, (path, ".accepting"), f"location {location} does not exist")
        _require_different(((name, name) for name in process.locations), _text((path, ".locations")))

    def variable(self, variable: Variable, path: Path) -> None:
        self.range(variable.type, (path, ".type"))
        length, count = variable.length, len(variable.initial)
        _require(length is None or length > 0, (path, ".length"), "an array needs an element")
        wanted = 1 if length is None else length
        _require(count == wanted, (path, ".initial"), f"{count} values for {wanted} {_plural('element', wanted)}")
        for i, value in enumerate(variable.initial):
            fits = variable.type.contains(value)
            bounds = f"{variable.type.low}..{variable.type.high}"
            _require(fits, (path, f".initial[{i}]"), f"value {value} is outside the variable's range {bounds}")
        if variable.owner is not None:
            self.exists(variable.owner, self.system.processes, "process", (path, ".owner"))

    def channel(self, channel: Channel, path: Path) -> None:
        _require(channel.capacity > 0, (path, ".capacity"), "a channel needs room for a message")
        for i, field in enumerate(channel.fields):
            self.range(field, (path, f".fields[{i}]"))

    def range(self, type_: Range, path: Path) -> None:
        _require(type_.low <= type_.high, path, f"the range {type_.low}..{type_.high} is empty")
        inside = INT.contains(type_.low) and INT.contains(type_.high)
        _require(inside, path, f"the range {type_.low}..{type_.high} does not fit in 32 bits")

    def transition(self, transition: Transition, path: Path) -> None:
        _require(bool(transition.moves), (path, ".moves"), "a transition needs a move")
        movers = set()
        for i, move in enumerate(transition.moves):
            here = (path, f".moves[{i}]")
            self.exists(move.process, self.system.processes, "process", (here, ".process"))
            locations = self.system.processes[move.process].locations
            self.exists(move.source, locations, "location", (here, ".source"))
            self.exists(move.target, locations, "location", (here, ".target"))
            self.position(move.position, (here, ".position"))
            _require(
                move.process not in movers, here, f"process {self.system.processes[move.process].name} moves twice"
            )
            movers.add(move.process)
        self.turn(transition, path)
        _require(0 <= transition.steps <= 255, (path, ".steps"), "a transition counts as 0 to 255 steps")
        self.expression(transition.guard, (path, ".guard"))
        self.statements(transition.effect, (path, ".effect"), MOST_NESTED_STATEMENTS)

    def turn(self, transition: Transition, path: Path) -> None:
        holder, claim = transition.holder, self.system.claim
        if holder is not None:
            self.exists(holder, self.system.processes, "process", (path, ".holder"))
            leader = transition.moves[0].process
            mixed = claim in (holder, leader) and holder != leader
            _require(
                not mixed, (path, ".holder"), "a claim continues alone only after its own moves, and nobody else does"
            )

    def invariant(self, invariant: Invariant, path: Path) -> None:
        self.condition(invariant.test, (path, ".test"))
        if invariant.position is not None:
            self.position(invariant.position, (path, ".position"))

    def position(self, position: Position, path: Path) -> None:
        _require(position.line > 0 and position.column > 0, path, "lines and columns count from 1")

    def statements(self, statements: Sequence[Statement], path: Path, depth_left: int) -> None:
        _require(depth_left > 0, path, f"statements nest more than {MOST_NESTED_STATEMENTS} deep")
        for i, statement in enumerate(statements):
            self.statement(statement, (path, f"[{i}]"), depth_left)

    def statement(self, statement: Statement, path: Path, depth_left: int) -> None:
        match statement:
            case Assign(place, value):
                self.place(place, (path, ".place"))
                self.expression(value, (path, ".value"))
            case Enqueue(channel, values, _):
                self.message(channel, values, path)
                for i, value in enumerate(values):
                    self.expression(value, (path, f".values[{i}]"))
            case Dequeue(channel, places, position):
                self.message(channel, places, path)
                self.expression(position, (path, ".position"))
                for i, target in enumerate(places):
                    if target is not None:
                        self.place(target, (path, f".places[{i}]"))
            case Clear(channel):
                self.exists(channel, self.system.channels, "channel", (path, ".channel"))
            case If(test, then, otherwise):
                self.expression(test, (path, ".test"))
                self.statements(then, (path, ".then"), depth_left - 1)
                self.statements(otherwise, (path, ".otherwise"), depth_left - 1)
            case Assert(test):
                self.expression(test, (path, ".test"))

    def message(self, channel: int, parts: Collection[object], path: Path) -> None:
        self.exists(channel, self.system.channels, "channel", (path, ".channel"))
        fields = len(self.system.channels[channel].fields)
        wanted = f"{fields} {_plural('field', fields)}"
        _require(len(parts) == fields, path, f"a message of {len(parts)} for a channel of {wanted}")

    def place(self, place: Place, path: Path) -> None:
        self.element(place.variable, place.index, path)
        if place.index is not None:
            self.expression(place.index, (path, ".index"))

    def element(self, variable: int, index: Expression | None, path: Path) -> None:
        self.exists(variable, self.system.variables, "variable", path)
        declared = self.system.variables[variable]
        is_array = declared.length is not None
        _require(is_array or index is None, path, f"variable {variable} ({declared.name}) is not an array")
        _require(not is_array or index is not None, path, f"array {variable} ({declared.name}) needs an index")

    def condition(self, test: Expression, path: Path) -> None:
        """An expression that is not part of a transition."""
        self.expression(test, path)
        timed = any(isinstance(part, Timeout) for part in subexpressions(test))
        _require(not timed, path, "`timeout` is allowed only in transitions")

    def expression(self, expression: Expression, path: Path) -> None:
        """A loop, not a recursion, so that an expression nested too deeply is reported and overflows no stack."""
        todo = [(expression, path, MOST_NESTED_EXPRESSIONS)]
        while todo:
            part, here, depth_left = todo.pop()
            _require(depth_left > 0, path, f"the expression nests more than {MOST_NESTED_EXPRESSIONS} deep")
            todo += [(child, (here, step), depth_left - 1) for step, child in self.children(part, here)]

    def children(self, part: Expression, path: Path) -> tuple[tuple[str, Expression], ...]:
        """Check the expression itself, and return its operands."""
        match part:
            case Constant(value):
                _require(INT.contains(value), path, f"the constant {value} does not fit in 32 bits")
            case Read(variable, index):
                self.element(variable, index, path)
                return () if index is None else ((".index", index),)
            case At(process, location):
                self.exists(process, self.system.processes, "process", path)
                self.exists(location, self.system.processes[process].locations, "location", path)
            case Length(channel):
                self.exists(channel, self.system.channels, "channel", path)
            case Message(channel, field, position):
                self.exists(channel, self.system.channels, "channel", path)
                self.exists(field, self.system.channels[channel].fields, "field", path)
                return ((".position", position),)
            case Find(channel, pattern):
                self.message(channel, pattern, path)
                return tuple((f".pattern[{i}]", part) for i, part in enumerate(pattern) if part is not None)
            case Unary(operator, operand):
                _require(operator in UNARY_OPERATORS, path, f"unknown unary operator {operator}")
                return ((".operand", operand),)
            case Binary(operator, left, right):
                _require(operator in BINARY_OPERATORS, path, f"unknown binary operator {operator}")
                return (".left", left), (".right", right)
            case Conditional(test, then, otherwise):
                return (".test", test), (".then", then), (".otherwise", otherwise)
        return ()

    def exists(self, index: int, things: Sequence[object], what: str, path: Path) -> None:
        _require(0 <= index < len(things), path, f"{what} {index} does not exist")


def _require_different(keys_and_names: Iterable[tuple[object, str]], path: str) -> None:
    seen = set()
    for i, (key, name) in enumerate(keys_and_names):
        _require(key not in seen, (None, f"{path}[{i}]"), f"the name {name} is already declared")
        seen.add(key)


def _plural(noun: str, count: int) -> str:
    return noun if count == 1 else noun + "s"
