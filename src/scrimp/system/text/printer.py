"""Printing a system: one line per declaration, one block per transition, no more parentheses than needed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from scrimp.system.expressions import (
    TRUE,
    At,
    Binary,
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
)
from scrimp.system.statements import OLDEST, Assert, Assign, Clear, Dequeue, Enqueue, If, Outgrow, Place, Statement
from scrimp.system.system import Channel, Invariant, Kind, Move, Position, Process, System, Transition, Variable
from scrimp.system.text.names import print_name, print_string
from scrimp.system.types import BIT, BYTE, INT, SHORT, Range
from scrimp.system.violations import ViolationKind

NAMED_TYPES = {"bit": BIT, "byte": BYTE, "short": SHORT, "int": INT}

CONDITIONAL = 0
UNARY = 11
LEVELS = ("||", "&&", "|", "^", "&", "== !=", "< <= > >=", "<< >>", "+ -", "* / %")
PRECEDENCE = {operator: level for level, operators in enumerate(LEVELS, start=1) for operator in operators.split()}
"""As in C: the higher the number, the tighter an operator binds."""


def print_system(system: System) -> str:
    """The text of a system; the names of its parts must differ, as `validate` demands."""
    return "\n".join(_Printer(system).lines()) + "\n"


def print_expression(system: System, expression: Expression) -> str:
    return _Printer(system).expression(expression)


class _Printer:
    def __init__(self, system: System) -> None:
        self.system = system
        self.processes = [print_name(process.name) for process in system.processes]
        self.locations = [[print_name(name) for name in process.locations] for process in system.processes]
        self.channels = [print_name(channel.name) for channel in system.channels]
        self.variables = [self.variable_name(variable) for variable in system.variables]

    def variable_name(self, variable: Variable) -> str:
        name = print_name(variable.name)
        return name if variable.owner is None else f"{self.processes[variable.owner]}.{name}"

    def lines(self) -> Iterator[str]:
        system = self.system
        yield f"system {print_name(system.name)};"
        yield from _section(self.process(i, process) for i, process in enumerate(system.processes))
        yield from _section(self.variable(i, variable) for i, variable in enumerate(system.variables))
        yield from _section(self.channel(i, channel) for i, channel in enumerate(system.channels))
        yield from _section(self.conditions())
        for transition in system.transitions:
            yield from _section(self.transition(transition))

    # Declarations

    def process(self, number: int, process: Process) -> str:
        marked = []
        for location, name in enumerate(self.locations[number]):
            initial = " initial" if location == process.initial != 0 else ""
            accepting = " accepting" if location in process.accepting else ""
            marked.append(name + initial + accepting)
        return f"process {self.processes[number]} {{ {', '.join(marked)} }}"

    def variable(self, number: int, variable: Variable) -> str:
        length = "" if variable.length is None else f"[{variable.length}]"
        initial = _values(variable.initial)
        return f"variable {self.variables[number]}{length}: {print_type(variable.type)} = {initial};"

    def channel(self, number: int, channel: Channel) -> str:
        fields = ", ".join(map(print_type, channel.fields))
        return f"channel {self.channels[number]}[{channel.capacity}]: {{{fields}}};"

    def conditions(self) -> Iterator[str]:
        system = self.system
        if system.claim is not None:
            yield f"claim {self.processes[system.claim]};"
        if system.committed is not None:
            yield f"committed {self.expression(system.committed)};"
        if system.valid_end is not None:
            yield f"valid_end {self.expression(system.valid_end)};"
        for process, test in system.offers:
            yield f"offer {self.processes[process]}: {self.expression(test)};"
        yield from map(self.invariant, system.invariants)

    def invariant(self, invariant: Invariant) -> str:
        position = "" if invariant.position is None else " " + _position(invariant.position)
        return f"invariant {print_name(invariant.name)}: {self.expression(invariant.test)}{position};"

    # Transitions

    def transition(self, transition: Transition) -> Iterator[str]:
        yield " ".join(["transition", *self.attributes(transition), "{"])
        for move in transition.moves:
            yield f"  {self.move(move)};"
        if transition.guard != TRUE:
            yield f"  when {self.expression(transition.guard)};"
        yield from self.block(transition.effect)
        yield "}"

    def attributes(self, transition: Transition) -> Iterator[str]:
        if transition.kind != Kind.OTHER:
            yield Kind(transition.kind).name.lower()
        if transition.urgent:
            yield "urgent"
        if transition.holder is not None:
            yield f"holder {self.processes[transition.holder]}"
        if transition.steps != 1:
            yield f"steps {transition.steps}"

    def move(self, move: Move) -> str:
        names = self.locations[move.process]
        way = f"{self.processes[move.process]}: {names[move.source]} -> {names[move.target]}"
        name = f" as {print_string(move.name)}" if move.name else ""
        return f"{way} {print_string(move.text)} {_position(move.position)}{name}"

    def block(self, statements: Sequence[Statement]) -> Iterator[str]:
        for statement in statements:
            for line in self.statement(statement):
                yield "  " + line

    def statement(self, statement: Statement) -> Iterator[str]:
        match statement:
            case Assign(place, value):
                yield f"{self.place(place)} = {self.expression(value)};"
            case Enqueue(channel, values, is_sorted):
                yield _message(self.channels[channel], "!!" if is_sorted else "!", map(self.expression, values))
            case Dequeue(channel, places, position):
                operator = "?" if position == OLDEST else f"?[{self.expression(position)}]"
                yield _message(self.channels[channel], operator, map(self.target, places))
            case Clear(channel):
                yield f"clear {self.channels[channel]};"
            case If():
                yield from self.conditional(statement)
            case Assert(test, text, fatal, kind):
                mark = " as assertion" if kind is ViolationKind.ASSERTION else ""
                yield f"{'assert' if fatal else 'expect'} {self.expression(test)}, {print_string(text)}{mark};"
            case Outgrow(need):
                yield f"outgrow {print_string(need)};"

    def conditional(self, statement: If) -> Iterator[str]:
        """If an `otherwise` consists of a single `If`, it is printed as `else if`. A loop, because such chains are
        long."""
        opening = "if"
        while True:
            yield f"{opening} {self.expression(statement.test)} {{"
            yield from self.block(statement.then)
            match statement.otherwise:
                case (If() as statement,):
                    opening = "} else if"
                case otherwise:
                    break
        if otherwise:
            yield "} else {"
            yield from self.block(otherwise)
        yield "}"

    def target(self, place: Place | None) -> str:
        return "_" if place is None else self.place(place)

    def place(self, place: Place | Read) -> str:
        name = self.variables[place.variable]
        return name if place.index is None else f"{name}[{self.expression(place.index)}]"

    # Expressions

    def expression(self, expression: Expression, level: int = CONDITIONAL) -> str:
        """The text of `expression` as an operand of an operator that binds as tightly as `level`."""
        match expression:
            case Constant(value):
                return str(value)
            case Read():
                return self.place(expression)
            case At(process, location):
                return f"{self.processes[process]}@{self.locations[process][location]}"
            case Length(channel):
                return f"len({self.channels[channel]})"
            case Message(channel, field, position):
                return f"message({self.channels[channel]}, {self.expression(position)}, {field})"
            case Find(channel, pattern):
                wanted = ("_" if part is None else self.expression(part) for part in pattern)
                return f"find({', '.join((self.channels[channel], *wanted))})"
            case Timeout():
                return "timeout"
            case Undefined(text):
                return f"undefined({print_string(text)})"
            case Unary(operator, operand):
                return operator + self.operand(operator, operand)
            case Binary(operator):
                return _parenthesised(self.binary(expression), PRECEDENCE[operator] < level)
            case Conditional(test, then, otherwise):
                parts = self.expression(test, CONDITIONAL + 1), self.expression(then), self.expression(otherwise)
                return _parenthesised("{} ? {} : {}".format(*parts), level > CONDITIONAL)

    def operand(self, operator: str, operand: Expression) -> str:
        """Parentheses distinguish the negation of 1 from the number -1, and `-(-x)` reads better than `--x`."""
        match operand:
            case Constant() | Unary("-"):
                return _parenthesised(self.expression(operand), operator == "-")
            case _:
                return self.expression(operand, UNARY)

    def binary(self, expression: Binary) -> str:
        """The left side is followed in a loop: a long conjunction is a deep tree."""
        tail = []
        left: Expression = expression
        while isinstance(left, Binary):
            level = PRECEDENCE[left.operator]
            tail.append(f" {left.operator} {self.expression(left.right, level + 1)}")
            left = left.left
            if isinstance(left, Binary) and PRECEDENCE[left.operator] < level:
                break
        return self.expression(left, level) + "".join(reversed(tail))


def print_type(type_: Range) -> str:
    plain = Range(type_.low, type_.high)
    bounds = next((name for name, named in NAMED_TYPES.items() if named == plain), f"{type_.low}..{type_.high}")
    return bounds if type_.wraps else f"{bounds} checked"


def _section(lines: Iterable[str]) -> Iterator[str]:
    """The lines after an empty one, if there are any."""
    for i, line in enumerate(lines):
        if i == 0:
            yield ""
        yield line


def _values(values: tuple[int, ...]) -> str:
    """All values in braces, or one if they are equal."""
    return str(values[0]) if len(set(values)) == 1 else f"{{{', '.join(map(str, values))}}}"


def _message(channel: str, operator: str, parts: Iterable[str]) -> str:
    return f"{channel} {operator} {', '.join(parts)}".rstrip() + ";"


def _position(position: Position) -> str:
    place = f"at {position.line}:{position.column}"
    return place if position.file is None else f"{place} in {print_string(position.file)}"


def _parenthesised(text: str, condition: bool) -> str:
    return f"({text})" if condition else text
