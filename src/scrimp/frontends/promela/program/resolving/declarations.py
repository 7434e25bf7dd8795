"""Declarations: variables, parameters, channels, structures and mtype constants."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, cast

from scrimp.frontends.promela.program import nodes, syntax
from scrimp.frontends.promela.program.resolving.expressions import ExpressionResolver
from scrimp.frontends.promela.program.resolving.names import MtypeConstant, Names
from scrimp.frontends.promela.program.syntax import Expression, Structure, Symbol, Type
from scrimp.frontends.promela.text.source import Source
from scrimp.frontends.promela.text.tokens import NAME, STRUCTURE_NAME, Token, shortened

Kind = Literal["global", "field", "parameter", "first", "later"]
"""Of a declaration. Locals declared before the first statement of a body get their values when the process starts,
later ones when the declaration is executed."""

_MOST_BITS = 31
_MOST_CONSTANTS = 255
_MOST_MESSAGES = 65_535
_LONGEST_ARRAY = 1_000_000


@dataclass
class DeclarationResolver:
    source: Source
    names: Names
    expressions: ExpressionResolver

    def declare(self, declaration: nodes.Declaration, kind: Kind, owner: str | None) -> Iterator[Symbol]:
        """Declare the variables of a declaration, one after the other; raises ModelError."""
        type_, mtype = self._type(declaration.type)
        hidden = declaration.visibility is not None and declaration.visibility.type == "HIDDEN"
        if hidden and type_ in ("bit", "bool"):
            raise self._error(cast(Token, declaration.visibility), "a bit or bool cannot be hidden")
        if hidden and owner is not None:
            raise self._error(cast(Token, declaration.visibility), "only a global variable can be hidden")
        for variable in declaration.variables:
            if variable.name.type != NAME:
                self.names.check_new(variable.name)
            symbol = self._symbol(variable, type_, kind, owner, hidden, mtype)
            self.names.declare(variable.name, symbol)
            yield symbol

    def define_structure(self, typedef: nodes.Typedef) -> None:
        token = typedef.name
        self.names.check_new(token)
        inner = Names(self.source)
        fields: list[Symbol] = []
        for declaration in typedef.declarations:
            type_, mtype = self._type(declaration.type)
            for variable in declaration.variables:
                inner.check_new(variable.name)
                fields.append(self._symbol(variable, type_, "field", None, False, mtype))
                inner.declare(variable.name, fields[-1])
        self.names.declare(token, Structure(token.text, tuple(fields)))

    def define_constants(self, constants: nodes.Constants) -> None:
        """SPIN numbers the names of one declaration from the last to the first, after those of earlier declarations."""
        if constants.type.text != "mtype":
            raise self._error(
                constants.type, f"found names in braces after '{constants.type.text}', expected a variable"
            )
        name = constants.set.text if constants.set is not None else ""
        numbered = self.names.mtypes.setdefault(name, [])
        for token in reversed(constants.names):
            if token.text in numbered:
                raise self._error(token, f"'{shortened(token.text)}' is already declared as an mtype constant")
            self.names.declare(token, MtypeConstant(token.text, name))
            numbered.append(token.text)
        if len(numbered) > _MOST_CONSTANTS:
            raise self._error(constants.names[0], f"found {len(numbered)} mtype constants, expected at most 255")

    def size(self, node: nodes.Node, what: str) -> int:
        """The value of a constant expression, or the initial value of a variable; raises ModelError."""
        value = _constant_or_initial(self.expressions.value(node))
        if value is None:
            raise self._error(nodes.start_of(node), f"found an expression that is not constant, expected {what}")
        return value

    def _type(self, node: nodes.Type) -> tuple[Type, str | None]:
        if node.name.type == STRUCTURE_NAME:
            structure = self.names.everywhere.get(node.name.text)
            if not isinstance(structure, Structure):
                raise self._error(node.name, f"the typedef '{shortened(node.name.text)}' is not complete here")
            return structure, None
        basic = cast(syntax.BasicType, node.name.text)
        if node.set is None:
            return basic, None
        if basic != "mtype":
            raise self._error(node.set, f"found a name after '{basic}:', which only 'mtype:' takes")
        return basic, node.set.text

    def _symbol(
        self,
        variable: nodes.Variable,
        type_: Type,
        kind: Kind,
        owner: str | None,
        hidden: bool,
        mtype: str | None,
    ) -> Symbol:
        name = variable.name
        type_ = self._with_bits(variable, type_)
        length = None if variable.length is None else self._length(variable.length)
        if kind == "parameter" and (length is not None or variable.initial is not None):
            what = "is an array" if length is not None else "has an initial value"
            raise self._error(name, f"the parameter '{shortened(name.text)}' {what}, expected only a name")
        if kind == "parameter" and _has_array(type_):
            raise self._error(name, f"the parameter '{shortened(name.text)}' has an array among its fields")
        initial = self._initial(variable, type_, length, kind)
        position = self.source.position(name.offset)
        return Symbol(name.text, type_, length, initial, owner, position, hidden, mtype, kind != "later")

    def _with_bits(self, variable: nodes.Variable, type_: Type) -> Type:
        name, bits = variable.name, variable.bits
        if type_ != "unsigned":
            if bits is not None:
                raise self._error(bits, "found a number of bits, which only 'unsigned' takes")
            return type_
        if bits is None:
            raise self._error(name, f"'{shortened(name.text)}' is unsigned, expected its number of bits after ':'")
        if not 1 <= bits.value <= _MOST_BITS:
            raise self._error(bits, f"found {bits.value} bits, expected from 1 to {_MOST_BITS}")
        return syntax.Unsigned(bits.value)

    def _length(self, node: nodes.Node) -> int:
        value = self.size(node, "an array's length")
        if not 1 <= value <= _LONGEST_ARRAY:
            raise self._error(
                nodes.start_of(node), f"found {value} as an array's length, expected 1 to {_LONGEST_ARRAY:,}"
            )
        return value

    def _initial(
        self, variable: nodes.Variable, type_: Type, length: int | None, kind: Kind
    ) -> Expression | syntax.Values | syntax.ChannelShape | None:
        initial, name = variable.initial, variable.name
        if initial is None:
            return None
        if isinstance(initial, nodes.Channel):
            if type_ != "chan":
                raise self._error(name, f"'{shortened(name.text)}' is not a channel, expected a value")
            if kind == "later":
                raise self._error(
                    name,
                    f"the channel '{shortened(name.text)}' is declared after a statement, "
                    "expected it at the start of the proctype",
                )
            return self._shape(initial)
        if isinstance(initial, nodes.Values):
            return self._values(name, initial, length, kind)
        value = self.expressions.value(initial)
        # SPIN accepts an initial value for a structure, but ignores it.
        return None if isinstance(type_, Structure) else value

    def _values(self, name: Token, initial: nodes.Values, length: int | None, kind: Kind) -> syntax.Values:
        if length is None:
            raise self._error(name, f"'{shortened(name.text)}' is not an array, expected one value")
        if kind == "later":
            raise self._error(
                name, f"the array '{shortened(name.text)}' is declared after a statement, expected no list of values"
            )
        return syntax.Values(tuple(self.expressions.value(value) for value in initial.values)[:length])

    def _shape(self, channel: nodes.Channel) -> syntax.ChannelShape:
        capacity = self.size(channel.capacity, "a channel's capacity")
        if not 0 <= capacity <= _MOST_MESSAGES:
            start = nodes.start_of(channel.capacity)
            raise self._error(start, f"found {capacity} as a channel's capacity, expected 0 to {_MOST_MESSAGES}")
        fields: list[Type] = []
        for field in channel.fields:
            if field.name.text == "unsigned":
                raise self._error(field.name, "found 'unsigned' as the type of a message field, expected another type")
            fields.append(self._type(field)[0])
        return syntax.ChannelShape(capacity, tuple(fields))

    def _error(self, token: Token, message: str) -> Exception:
        return self.source.error(token.offset, message)


def _has_array(type_: Type) -> bool:
    if not isinstance(type_, Structure):
        return False
    return any(field.length is not None or _has_array(field.type) for field in type_.fields)


def _constant_or_initial(expression: Expression) -> int | None:
    """The value of a constant; as in SPIN, also of a variable with a constant initial value."""
    if isinstance(expression, syntax.Reference) and len(expression.parts) == 1:
        initial = expression.symbol.initial
        if isinstance(initial, syntax.Values):
            index = expression.parts[0].index
            listed = isinstance(index, syntax.Number) and initial.values[index.value : index.value + 1]
            initial = listed[0] if listed else None
        return initial.value if isinstance(initial, syntax.Number) else None
    return _constant(expression)


def _constant(expression: Expression) -> int | None:
    match expression:
        case syntax.Number(value, _, _):
            return value
        case syntax.Prefix("-", operand, _):
            negated = _constant(operand)
            return None if negated is None else -negated
        case syntax.Infix(operator, left, right, _):
            first, second = _constant(left), _constant(right)
            if first is None or second is None:
                return None
            return _computed(operator, first, second)
    return None


def _computed(operator: str, left: int, right: int) -> int | None:
    match operator:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "/" | "%" if right != 0:
            quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
            return quotient if operator == "/" else left - quotient * right
    return None
