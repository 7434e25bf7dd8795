"""Parsing the text form. Everything is declared before it is used, so one pass over the syntax tree builds the
system."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TypeAlias, cast

from lark import Lark, Token, UnexpectedInput, v_args
from lark.exceptions import VisitError
from lark.visitors import Transformer_NonRecursive

from scrimp.errors import ModelError
from scrimp.system.expressions import (
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
    UnaryOperator,
    Undefined,
)
from scrimp.system.statements import OLDEST, Assert, Assign, Clear, Dequeue, Enqueue, If, Outgrow, Place, Statement
from scrimp.system.system import Channel, Invariant, Kind, Move, Position, Process, System, Transition, Variable
from scrimp.system.text.expectations import syntax_error
from scrimp.system.text.names import print_name
from scrimp.system.text.printer import NAMED_TYPES
from scrimp.system.text.symbols import Located, Symbols
from scrimp.system.types import INT, Range
from scrimp.system.validate import InvalidSystem, validate
from scrimp.system.violations import ViolationKind

Name: TypeAlias = Located[str]
Number: TypeAlias = Located[int]
NOWHERE = Place(-1)
"""The place that stands for `_` while a message is read."""
TWICE = {
    "kind": "of two kinds",
    "urgent": "marked urgent by two words",
    "holder": "with two holders",
    "steps": "with two numbers of steps",
}
MOST_DIGITS = 10
"""A number with more digits does not fit in 32 bits."""


@dataclass(frozen=True, slots=True)
class Attribute:
    """A word before a transition's moves, and its value: a process, a number of steps or a kind."""

    name: str
    value: int


def parse_system(text: str, file: str) -> System:
    builder = _Builder(Symbols(file))
    system = cast(System, builder.build("start", text))
    try:
        validate(system)
    except InvalidSystem as invalid:
        raise builder.locate(invalid) from None
    return system


def parse_expression(system: System, text: str, file: str) -> Expression:
    builder = _Builder(Symbols.of(system, file))
    expression = cast(Expression, builder.build("only_expression", text))
    try:
        validate(replace(system, valid_end=expression))
    except InvalidSystem as invalid:
        raise ModelError(file, 1, 1, invalid.message) from None
    return expression


@cache
def _parser() -> Lark:
    grammar = Path(__file__).with_name("grammar.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", maybe_placeholders=True, start=["start", "only_expression"])


@v_args(inline=True)
class _Builder(Transformer_NonRecursive[Token, System | Expression]):
    """One method per rule of the grammar, called in the order of the text; a declaration is remembered at once.

    Errors that can be found here are reported with their exact position; the others are left to `validate`."""

    def __init__(self, symbols: Symbols) -> None:
        super().__init__()
        self.symbols = symbols
        self.transitions: list[Transition] = []
        self.invariants: list[Invariant] = []
        self.conditions: dict[str, Expression] = {}
        self.offers: list[tuple[int, Expression]] = []
        self.claimed: int | None = None
        self.declarations: dict[str, Position] = {}

    def build(self, rule: str, text: str) -> System | Expression:
        """The system or expression that a text of that rule of the grammar describes."""
        parser = _parser()
        try:
            tree = parser.parse(text, start=rule)
        except UnexpectedInput as unexpected:
            raise syntax_error(unexpected, parser, text, self.symbols.file) from None
        try:
            return self.transform(tree)
        except VisitError as error:
            raise error.orig_exc from None

    def locate(self, invalid: InvalidSystem) -> ModelError:
        """An error of validation, at the position of the innermost declaration that contains it."""
        around = max((path for path in self.declarations if invalid.path.startswith(path)), key=len, default=None)
        position = Position(1, 1) if around is None else self.declarations[around]
        return ModelError(self.symbols.file, position.line, position.column, invalid.message)

    def start(self, name: Name, *_: None) -> System:
        symbols = self.symbols
        return System(
            name.value,
            tuple(symbols.variables),
            tuple(symbols.channels),
            tuple(symbols.processes),
            tuple(self.transitions),
            tuple(self.invariants),
            self.conditions.get("committed"),
            self.conditions.get("valid_end"),
            tuple(self.offers),
            self.claimed,
        )

    # Names, numbers, texts

    def name(self, token: Token) -> Name:
        return self.string(token) if token.type == "STRING" else Located(str(token), _position(token))

    def string(self, token: Token) -> Name:
        try:
            return Located(str(json.loads(token, strict=False)), _position(token))
        except ValueError:
            self.symbols.fail(_position(token), f"found {token}, expected a text with the escapes of JSON")

    def positive_number(self, token: Token) -> Number:
        return self.number("", token)

    def negative_number(self, minus: Token, token: Token) -> Number:
        return self.number("-", token, minus)

    def number(self, sign: str, digits: Token, start: Token | None = None) -> Number:
        position = _position(start or digits)
        value = int(sign + digits) if len(digits) <= MOST_DIGITS else INT.high + 1
        if not INT.contains(value):
            self.symbols.fail(position, f"the number {sign}{digits} does not fit in 32 bits")
        return Located(value, position)

    def position(self, line: Number, column: Number, file: Name | None) -> Position:
        return Position(line.value, column.value, None if file is None else file.value)

    # Declarations

    def location(self, name: Name, *marks: Token) -> tuple[Name, frozenset[str]]:
        return name, frozenset(map(str, marks))

    def process(self, name: Name, *locations: tuple[Name, frozenset[str]]) -> None:
        self.declarations[f"processes[{len(self.symbols.processes)}]"] = name.position
        initial = [i for i, (_, marks) in enumerate(locations) if "initial" in marks]
        if len(initial) > 1:
            self.symbols.fail(locations[initial[1]][0].position, "found a second initial location, expected one")
        names = tuple(location.value for location, _ in locations)
        accepting = frozenset(i for i, (_, marks) in enumerate(locations) if "accepting" in marks)
        process = Process(name.value, names, initial[0] if initial else 0, accepting)
        self.symbols.declare_process(name, [location for location, _ in locations], process)

    def variable(
        self,
        name: tuple[int | None, Name],
        length: Number | None,
        type_: Range,
        initial: Number | tuple[int, ...] | None = None,
    ) -> None:
        """Without an initial value it is 0; a single value is that of all elements."""
        owner, local_name = name
        self.declarations[f"variables[{len(self.symbols.variables)}]"] = local_name.position
        size = None if length is None else length.value
        if not isinstance(initial, tuple):
            initial = (initial.value if initial else 0,) * (1 if size is None else size)
        self.symbols.declare_variable(local_name, Variable(local_name.value, type_, initial, size, owner))

    def variable_name(self, owner: Name | None, name: Name) -> tuple[int | None, Name]:
        return None if owner is None else self.symbols.process(owner), name

    def values(self, *values: Number) -> tuple[int, ...]:
        return tuple(number.value for number in values)

    def channel(self, name: Name, capacity: Number, fields: tuple[Range, ...]) -> None:
        self.declarations[f"channels[{len(self.symbols.channels)}]"] = name.position
        self.symbols.declare_channel(name, Channel(name.value, capacity.value, fields))

    def fields(self, *types: Range | None) -> tuple[Range, ...]:
        return tuple(type_ for type_ in types if type_ is not None)

    def type(self, bounds: Range, checked: Token | None) -> Range:
        return Range(bounds.low, bounds.high, wraps=checked is None)

    def named_type(self, name: Token) -> Range:
        return NAMED_TYPES[name]

    def interval(self, low: Number, high: Number) -> Range:
        return Range(low.value, high.value)

    def claim(self, keyword: Token, process: Name) -> None:
        if self.claimed is not None:
            self.symbols.fail(_position(keyword), "found a second `claim`, expected one")
        self.declarations["claim"] = _position(keyword)
        self.claimed = self.symbols.process(process)

    def condition(self, keyword: Token, test: Expression) -> None:
        if keyword in self.conditions:
            self.symbols.fail(_position(keyword), f"found a second `{keyword}`, expected one")
        self.declarations[str(keyword)] = _position(keyword)
        self.conditions[str(keyword)] = test

    def offer(self, keyword: Token, process: Name, test: Expression) -> None:
        self.declarations[f"offers[{len(self.offers)}]"] = _position(keyword)
        self.offers.append((self.symbols.process(process), test))

    def invariant(self, name: Name, test: Expression, position: Position | None) -> None:
        self.declarations[f"invariants[{len(self.invariants)}]"] = name.position
        self.invariants.append(Invariant(name.value, test, position))

    # Transitions

    def transition(self, keyword: Token, *parts: Attribute | Located[Move] | Expression | Statement | None) -> None:
        """The parts come in the order of the text: attributes, moves, the guard or None, statements."""
        path = f"transitions[{len(self.transitions)}]"
        self.declarations[path] = _position(keyword)
        attributes = [part for part in parts if isinstance(part, Attribute)]
        moves = [part for part in parts if isinstance(part, Located)]
        for i, move in enumerate(moves):
            self.declarations[f"{path}.moves[{i}]"] = move.position
        guard, *effect = parts[len(attributes) + len(moves) :]
        given = self.given(keyword, attributes)
        self.transitions.append(
            Transition(
                tuple(move.value for move in moves),
                TRUE if guard is None else cast(Expression, guard),
                cast(tuple[Statement, ...], tuple(effect)),
                kind=Kind(given.get("kind", Kind.OTHER)),
                urgent="urgent" in given,
                holder=given.get("holder"),
                steps=given.get("steps", 1),
            )
        )

    def given(self, keyword: Token, attributes: list[Attribute]) -> dict[str, int]:
        """The values of a transition's attributes, by name."""
        given: dict[str, int] = {}
        for attribute in attributes:
            if attribute.name in given:
                self.symbols.fail(
                    _position(keyword), f"found a transition {TWICE[attribute.name]}, expected one at most"
                )
            given[attribute.name] = attribute.value
        return given

    def attribute(self, word: Token, argument: Name | Number | None = None) -> Attribute:
        match argument:
            case Located(value=str()):
                return Attribute("holder", self.symbols.process(cast(Name, argument)))
            case Located(value=int() as steps):
                return Attribute("steps", steps)
            case _:
                return Attribute("urgent", 1) if word == "urgent" else Attribute("kind", Kind[word.upper()])

    def move(
        self,
        process: Name,
        source: Name,
        target: Name,
        text: Name | None,
        position: Position | None,
        name: Name | None,
    ) -> Located[Move]:
        number = self.symbols.process(process)
        move = Move(
            number,
            self.symbols.location(number, source),
            self.symbols.location(number, target),
            f"{source.value} -> {target.value}" if text is None else text.value,
            position or process.position,
            "" if name is None else name.value,
        )
        return Located(move, process.position)

    # Statements

    def assign(self, place: Place, value: Expression) -> Assign:
        return Assign(place, value)

    def enqueue(self, channel: Name, *values: Expression | None) -> Enqueue:
        message = tuple(value for value in values if value is not None)
        return Enqueue(self.channel_for(channel, len(message)), message)

    def enqueue_sorted(self, channel: Name, *values: Expression | None) -> Enqueue:
        return replace(self.enqueue(channel, *values), sorted=True)

    def dequeue(self, channel: Name, position: Expression | None, *places: Place | None) -> Dequeue:
        message = tuple(None if place is NOWHERE else place for place in places if place is not None)
        return Dequeue(self.channel_for(channel, len(message)), message, OLDEST if position is None else position)

    def clear(self, channel: Name) -> Clear:
        return Clear(self.symbols.channel(channel))

    def channel_for(self, name: Name, fields: int) -> int:
        channel = self.symbols.channel(name)
        declared = len(self.symbols.channels[channel].fields)
        if fields != declared:
            self.symbols.fail(name.position, f"found a message of {fields} values, expected {declared}")
        return channel

    def nowhere(self) -> Place:
        return NOWHERE

    def choice(self, test: Expression, then: tuple[Statement, ...], rest: tuple[Statement, ...] | If = ()) -> If:
        return If(test, then, (rest,) if isinstance(rest, If) else rest)

    def block(self, *statements: Statement) -> tuple[Statement, ...]:
        return statements

    def assertion(self, test: Expression, text: Name | None, asserted: Token | None) -> Assert:
        kind = ViolationKind.FAULT if asserted is None else ViolationKind.ASSERTION
        return Assert(test, "" if text is None else text.value, kind=kind)

    def expectation(self, test: Expression, text: Name | None, asserted: Token | None) -> Assert:
        return replace(self.assertion(test, text, asserted), fatal=False)

    def outgrow(self, need: Name) -> Outgrow:
        return Outgrow(need.value)

    def place(self, variable: Number, index: Expression | None) -> Place:
        self.check_index(variable, index)
        return Place(variable.value, index)

    # Expressions

    def variable_use(self, owner: Name | None, name: Name) -> Number:
        process = None if owner is None else self.symbols.process(owner)
        return Located(self.symbols.variable(process, name), name.position)

    def check_index(self, variable: Number, index: Expression | None) -> None:
        declared = self.symbols.variables[variable.value]
        name = print_name(declared.name)
        if declared.length is None and index is not None:
            self.symbols.fail(variable.position, f"found an index after {name}, expected none: it is not an array")
        if declared.length is not None and index is None:
            self.symbols.fail(variable.position, f"found {name}, expected an index after it: it is an array")

    def read(self, variable: Number, index: Expression | None) -> Read:
        self.check_index(variable, index)
        return Read(variable.value, index)

    def presence(self, process: Name, location: Name) -> At:
        number = self.symbols.process(process)
        return At(number, self.symbols.location(number, location))

    def length(self, channel: Name) -> Length:
        return Length(self.symbols.channel(channel))

    def message(self, channel: Name, position: Expression, field: Number) -> Message:
        number = self.symbols.channel(channel)
        if not 0 <= field.value < len(self.symbols.channels[number].fields):
            owner = print_name(channel.value)
            self.symbols.fail(field.position, f"found {field.value}, expected the number of a field of {owner}")
        return Message(number, field.value, position)

    def find(self, channel: Name, *wanted: Expression | Place) -> Find:
        pattern = tuple(None if isinstance(part, Place) else part for part in wanted)
        return Find(self.channel_for(channel, len(pattern)), pattern)

    def timeout(self) -> Timeout:
        return Timeout()

    def undefined(self, text: Name) -> Undefined:
        return Undefined(text.value)

    def constant(self, number: Number) -> Constant:
        return Constant(number.value)

    def unary(self, operator: Token, operand: Expression) -> Unary:
        return Unary(cast(UnaryOperator, str(operator)), operand)

    def binary(self, left: Expression, operator: Token, right: Expression) -> Binary:
        return Binary(cast(BinaryOperator, str(operator)), left, right)

    def conditional(self, test: Expression, then: Expression, otherwise: Expression) -> Conditional:
        return Conditional(test, then, otherwise)


def _position(token: Token) -> Position:
    return Position(token.line or 1, token.column or 1)
