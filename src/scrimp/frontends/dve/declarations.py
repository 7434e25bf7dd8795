"""From the declarations of a model to the variables, channels and processes of the system, and their names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from scrimp.errors import OptionError
from scrimp.frontends.dve import syntax
from scrimp.frontends.dve.expressions import ExpressionLowering
from scrimp.frontends.dve.names import (
    Meaning,
    NamedChannel,
    NamedConstant,
    NamedProcess,
    NamedState,
    NamedVariable,
    Names,
    kind_of,
)
from scrimp.frontends.dve.source import Source
from scrimp.frontends.dve.syntax import Channels, Declarator, Identifier, Node, Values, Variables
from scrimp.frontends.dve.tokens import shortened
from scrimp.system.system import Channel, Variable
from scrimp.system.types import BYTE, SHORT, Range

TYPES = {"byte": BYTE, "int": SHORT}
# A state has room for all elements, and for all messages that channels may hold: more is a mistake, not a model.
MOST_ELEMENTS = 65_535


@dataclass
class Declarations:
    """Collects declarations. `overrides` are values that replace those of constants, by name; `overridden` are the
    names of the constants that were replaced."""

    source: Source
    overrides: Mapping[str, int] = field(default_factory=dict)
    overridden: set[str] = field(default_factory=set)
    variables: list[Variable] = field(default_factory=list)
    channels: list[Channel] = field(default_factory=list)
    everywhere: dict[str, Meaning] = field(default_factory=dict)
    _places: dict[tuple[int | None, str], int] = field(default_factory=dict)

    def declare(self, declaration: syntax.Declaration, process: NamedProcess | None = None) -> None:
        """Declare something in a process, or outside all of them."""
        match declaration:
            case Variables():
                self._declare_variables(declaration, process)
            case Channels():
                self._declare_channels(declaration, process)

    def declare_process(self, name: Identifier, index: int, observable: bool) -> NamedProcess:
        process = NamedProcess(name.name, index, observable)
        self._name(name, process, None)
        return process

    def declare_inside(self, process: syntax.Process, named: NamedProcess) -> None:
        """Declare the variables, channels and states of a process."""
        for declaration in process.declarations:
            self.declare(declaration, named)
        for index, state in enumerate(process.states):
            self._name(state, NamedState(index), named)

    def _declare_variables(self, declaration: Variables, process: NamedProcess | None) -> None:
        for declarator in declaration.declarators:
            self._declare_variable(declarator, TYPES[declaration.type], declaration.constant, process)

    def _declare_variable(
        self, declarator: Declarator, type_: Range, constant: bool, process: NamedProcess | None
    ) -> None:
        lowering = ExpressionLowering(self.source, Names(self.everywhere, process))
        name = declarator.name.name
        if constant and declarator.initial is None:
            raise self.source.error(
                declarator.name.offset, f"the constant '{shortened(name)}' has no value, expected '='"
            )
        length = None if declarator.size is None else self._size(lowering, declarator.size, "an array's length", 1)
        values = self._values(lowering, declarator, length, type_)
        if constant and length is None:
            self._name(declarator.name, NamedConstant(self._override(declarator.name, values[0], type_)), process)
            return
        meaning = NamedVariable(len(self.variables), type_, length, values if constant else None)
        self._name(declarator.name, meaning, process)
        owner = process.index if process is not None else None
        self.variables.append(Variable(name, type_, values, length, owner))

    def _values(
        self, lowering: ExpressionLowering, declarator: Declarator, length: int | None, type_: Range
    ) -> tuple[int, ...]:
        """The initial values; missing ones are 0, those beyond an array's end are ignored."""
        name = shortened(declarator.name.name)
        match declarator.initial:
            case None:
                return (0,) * (length or 1)
            case Values(values) if length is not None:
                given = tuple(self._value(lowering, value, type_) for value in values)
                return (given + (0,) * (length - len(given)))[:length]
            case Values():
                raise self.source.error(declarator.name.offset, f"'{name}' is not an array, expected one initial value")
            case value if length is None:
                return (self._value(lowering, value, type_),)
        raise self.source.error(
            declarator.name.offset, f"'{name}' is an array, expected initial values in '{{' and '}}'"
        )

    def _value(self, lowering: ExpressionLowering, node: Node, type_: Range) -> int:
        value = lowering.constant(node)
        if not type_.contains(value):
            raise self.source.error(node.offset, f"the value {value} is outside {_described(type_)}")
        return value

    def _override(self, name: Identifier, value: int, type_: Range) -> int:
        if name.name not in self.overrides:
            return value
        self.overridden.add(name.name)
        value = self.overrides[name.name]
        if not type_.contains(value):
            raise OptionError(f"-D {name.name}={value}: the value is outside {_described(type_)}")
        return value

    def _declare_channels(self, declaration: Channels, process: NamedProcess | None) -> None:
        lowering = ExpressionLowering(self.source, Names(self.everywhere, process))
        for name, size in declaration.channels:
            capacity = 0 if size is None else self._size(lowering, size, "a channel's capacity", 0)
            fields = _fields(declaration.types, capacity)
            full_name = name.name if process is None else f"{process.name}->{name.name}"
            buffer = len(self.channels) if fields is not None and capacity else None
            self._name(name, NamedChannel(full_name, fields, buffer, capacity), process)
            if fields is not None and capacity:
                self.channels.append(Channel(full_name, capacity, fields))

    def _size(self, lowering: ExpressionLowering, node: Node, what: str, least: int) -> int:
        size = lowering.constant(node)
        if not least <= size <= MOST_ELEMENTS:
            raise self.source.error(node.offset, f"found {size} as {what}, expected {least} to {MOST_ELEMENTS}")
        return size

    def _name(self, identifier: Identifier, meaning: Meaning, process: NamedProcess | None) -> None:
        """Give an identifier its meaning; raises ModelError if it already has one in the same scope."""
        name = identifier.name
        owner, names = (None, self.everywhere) if process is None else (process.index, process.names)
        if name in names:
            earlier = self.source.position(self._places[owner, name])
            what = f"{kind_of(names[name])}, declared at {earlier.line}:{earlier.column}"
            raise self.source.error(identifier.offset, f"'{shortened(name)}' is already {what}")
        names[name] = meaning
        self._places[owner, name] = identifier.offset


def _fields(types: tuple[str, ...] | None, capacity: int) -> tuple[Range, ...] | None:
    """The types of a channel's values: one int if it is untyped and has a buffer; None for untyped rendezvous."""
    if types is None:
        return (TYPES["int"],) if capacity else None
    return tuple(TYPES[type_] for type_ in types)


def _described(type_: Range) -> str:
    name = next(name for name, known in TYPES.items() if known == type_)
    return f"the range of {name}, {type_.low} to {type_.high}"
