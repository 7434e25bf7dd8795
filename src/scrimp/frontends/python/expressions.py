"""Expressions: from Python's to values over the system's variables, evaluated in CPython's order.

An expression that only computes becomes a value. One that waits, chooses or changes the state also needs statements:
those are the business of `Effects`, which a process or an action has and a property has not.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from scrimp.errors import did_you_mean
from scrimp.frontends.python import refusals
from scrimp.frontends.python.algebra import (
    comparison,
    conditional,
    conjoined,
    disjoined,
    negated,
)
from scrimp.frontends.python.calls import Calls
from scrimp.frontends.python.source import shown
from scrimp.frontends.python.types import (
    EnumType,
    RecordType,
)
from scrimp.frontends.python.values import (
    NOTHING,
    Mismatch,
    Value,
    boolean,
    constant,
    integer,
    member,
    present,
    truth_of,
    tuple_of,
)
from scrimp.system.expressions import Constant, Expression
from scrimp.system.types import INT


@dataclass(frozen=True)
class Expressions(Calls):
    """Expressions in one place of the program."""

    def value(self, node: ast.expr) -> Value:
        """The value of an expression; raises ModelError."""
        try:
            return self._value(node)
        except Mismatch as mismatch:
            raise self.error(node, str(mismatch)) from None

    def _value(self, node: ast.expr) -> Value:
        match node:
            case ast.Constant(value):
                return self._constant(node, value)
            case ast.Name(name):
                return self._name(node, name)
            case ast.Attribute():
                return self._attribute(node)
            case ast.Subscript():
                return self._subscript(node)
            case ast.BinOp(left, operator, right):
                first = self.value(left)
                if self.is_impure(right):
                    first = self.kept(first)
                second = self.with_domain(first, right, must_fit=not isinstance(operator, ast.BitAnd | ast.Sub))
                return self.binary(node, operator, first, second)
            case ast.UnaryOp(operator, operand):
                return self._unary(node, operator, operand)
            case ast.BoolOp():
                return self._bool(node)
            case ast.Compare():
                return boolean(self._comparison(node))
            case ast.IfExp(test, then, otherwise):
                return self._either(node, test, then, otherwise)
            case ast.Tuple(items):
                if any(isinstance(item, ast.Starred) for item in items):
                    raise self.error(node, f"found *, {refusals.EXPRESSIONS[ast.Starred]}")
                return tuple_of(self.operands(*items))
            case ast.Set(items):
                return self._display(node, self.operands(*items))
            case ast.Call():
                return self._call(node)
            case ast.Await():
                return self._impure(node)
        hint = refusals.EXPRESSIONS.get(type(node), "it is not part of the language")
        raise self.error(node, f"found {refusals.article(node)}: {hint}")

    def condition(self, node: ast.expr) -> Expression:
        """Whether an expression is true, as for `if`."""
        try:
            match node:
                case ast.BoolOp(operator, operands) if not any(map(self.is_impure, operands)):
                    tests = [self.condition(each) for each in operands]
                    joined = tests[-1]
                    for test in reversed(tests[:-1]):
                        joined = conjoined(test, joined) if isinstance(operator, ast.And) else disjoined(test, joined)
                    return joined
                case ast.UnaryOp(ast.Not(), operand):
                    return negated(self.condition(operand))
                case _:
                    return truth_of(self.value(node))
        except Mismatch as mismatch:
            raise self.error(node, str(mismatch)) from None

    def _constant(self, node: ast.expr, value: object) -> Value:
        if value is None:
            return NOTHING
        if isinstance(value, bool):
            return constant(value)
        if isinstance(value, int):
            if not INT.contains(value):
                raise self.error(node, f"the number {str(value)[:20]} does not fit in 32 bits")
            return constant(value)
        kind = {str: "a text", float: "a fraction", bytes: "bytes", complex: "a complex number"}.get(type(value), "…")
        hint = "use an Enum" if isinstance(value, str) else "models have whole numbers only"
        raise self.error(node, f"found {kind}, expected a value of a model; {hint}")

    def _name(self, node: ast.Name, name: str) -> Value:
        if name in self.names:
            return self.names[name]
        if self.effects is not None and (local := self.effects.read(name, node)) is not None:
            return local
        if name in self.program.constants:
            return self.program.constants[name]
        if self.bare_fields and (name in self.program.fields or name in self.program.model_constants):
            return self._field(node, name)
        if name == self.self_name:
            raise self.error(node, f"the model itself is no value; name a field, as in {name}.field")
        if name in self.program.enums or name in self.program.records:
            raise self.error(node, f"{name} is a class; expected a value, such as {self._example(name)}")
        if name in self.program.functions or self.program.meaning(name):
            raise self.error(node, f"{shown(name)} is a function; call it")
        if name in refusals.NAMES:
            raise self.error(node, f"{name} is not part of the language: {refusals.NAMES[name]}")
        known = [*self.names, *self.program.known_names()]
        hint = did_you_mean(name, known)
        if name in self.program.fields:
            hint = f" (did you mean '{self.self_name or 'self'}.{name}'?)"
        raise self.error(node, f"unknown name '{shown(name)}'{self.program.import_hint(name) or hint}")

    def _attribute(self, node: ast.Attribute) -> Value:
        name = node.attr
        if self.is_self(node.value):
            if name in self.program.fields or name in self.program.model_constants:
                return self._field(node, name)
            if name in self.program.methods:
                raise self.error(node, f"{name} is a method; call it")
            known = [*self.program.fields, *self.program.model_constants, *self.program.methods]
            hint = did_you_mean(name, known)
            raise self.error(node, f"the model has no field '{shown(name)}'{hint}; fields are annotated in its class")
        if isinstance(node.value, ast.Name) and self._is_class(node.value.id):
            return self._of_class(node, node.value.id)
        owner = self.value(node.value)
        owner = present(owner, f"a value with the attribute {name}")
        match owner.type:
            case RecordType(_, fields):
                place = owner.type.place(name)
                if place is None:
                    hint = did_you_mean(name, [each for each, _ in fields])
                    raise self.error(node, f"{owner.type} has no field '{shown(name)}'{hint}")
                items = list(owner.items())
                return self.kept_faults(items[place], [*items[:place], *items[place + 1 :]])
            case EnumType() if name == "value":
                return self._number_of(node, owner)
        raise self.error(node, f"a value of {owner.type} has no attribute '{shown(name)}'")

    def _of_class(self, node: ast.Attribute, name: str) -> Value:
        if name in self.program.enums:
            enum = self.program.enums[name]
            if node.attr not in enum.members:
                hint = did_you_mean(node.attr, enum.members)
                raise self.error(node, f"{name} has no member '{shown(node.attr)}'{hint}")
            return member(enum, enum.members.index(node.attr))
        raise self.error(node, f"{name} is a class; expected a value, such as {name}(…)")

    def _number_of(self, node: ast.expr, owner: Value) -> Value:
        assert isinstance(owner.type, EnumType)
        if None in owner.type.numbers:
            raise self.error(node, f"the members of {owner.type} are not all whole numbers")
        *others, last = enumerate(owner.type.numbers)
        result: Expression = Constant(last[1] or 0)
        for number, value in reversed(others):
            result = conditional(comparison("==", owner.parts[0], Constant(number)), Constant(value or 0), result)
        return integer(result)
