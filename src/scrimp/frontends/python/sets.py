"""Sets in expressions: one number, with a bit for each element of the domain."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from scrimp.frontends.python.algebra import (
    ZERO,
    comparison,
    conditional,
    conjoined,
)
from scrimp.frontends.python.iteration import Item, Iteration
from scrimp.frontends.python.types import (
    BoolType,
    EnumType,
    IntType,
    Plain,
    SetType,
)
from scrimp.frontends.python.values import (
    Mismatch,
    Value,
    bit,
)
from scrimp.system.expressions import Constant, Expression, Unary


class Sets(Iteration):
    """Expressions whose values are sets."""

    def with_domain(self, left: Value, node: ast.expr, *, must_fit: bool = True) -> Value:
        """The value of an expression beside another; the domain of a set of numbers is that of the other."""
        item = left.type.item if isinstance(left.type, SetType) else None
        found = self.set_over(item, node, must_fit=must_fit) if isinstance(item, IntType) else None
        return self.value(node) if found is None else found

    def set_over(self, item: Plain, node: ast.expr, *, must_fit: bool = True) -> Value | None:
        """The value of an expression that lists the elements of a set, over a known domain; None for others."""
        match node:
            case ast.Set(elements):
                found = self.gathered(item, [Item(value) for value in self.operands(*elements)], must_fit=must_fit)
                return Value(SetType(item, frozen=False), found.parts)
            case ast.Call(ast.Name(name), [argument], []) if self.program.meaning(name) in ("frozenset", "set"):
                type_ = SetType(item, frozen=self.program.meaning(name) == "frozenset")
                inner = self.set_over(item, argument, must_fit=must_fit)
                if inner is None:
                    items = [Item(value, test) for value, test in self._elements(argument)]
                    inner = self.gathered(item, items, must_fit=must_fit)
                return Value(type_, inner.parts)
            case _:
                return None

    def _display(self, node: ast.expr, elements: Sequence[Value]) -> Value:
        kinds = {element.type for element in elements}
        if len(kinds) == 1 and isinstance(next(iter(kinds)), BoolType | EnumType):
            found = self.gathered(next(iter(kinds)), [Item(element) for element in elements])
            return Value(SetType(next(iter(kinds)), frozen=False), found.parts)
        raise self.error(node, "the domain of this set is not known; join it with a field, as in self.group | {…}")

    def gathered(self, item: Plain, items: Sequence[Item], *, must_fit: bool = True) -> Value:
        """The set of some items."""
        mask: Expression = ZERO
        for each in items:
            one = bit(each.value, item, self.algebra, must_fit=must_fit)
            chosen = conditional(each.test, one, ZERO)
            mask = chosen if mask == ZERO else self.algebra.bitwise("|", mask, chosen)
        return Value(SetType(item), (mask,))

    def _sets(self, node: ast.AST, operator: ast.operator, left: Value, right: Value) -> Value:
        if not isinstance(left.type, SetType) or not isinstance(right.type, SetType):
            raise Mismatch(f"found {left.type} and {right.type}, expected two sets")
        item = left.type.item if left.type.item is not None else right.type.item
        if right.type.item not in (None, item):
            raise Mismatch(f"found {left.type} and {right.type}, expected sets over the same domain")
        a, b = left.parts[0], right.parts[0]
        match operator:
            case ast.BitOr() | ast.BitAnd() | ast.BitXor():
                symbol = {ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^"}[type(operator)]
                return Value(SetType(item, left.type.frozen), (self.algebra.bitwise(symbol, a, b),))  # type: ignore[arg-type]
            case ast.Sub():
                complement = Constant(~b.value) if isinstance(b, Constant) else Unary("~", b)
                return Value(SetType(item, left.type.frozen), (self.algebra.bitwise("&", a, complement),))
            case _:
                raise self.error(node, "sets have the operators |, &, - and ^")

    def _subset(self, operator: ast.cmpop, left: Value, right: Value) -> Expression:
        if isinstance(operator, ast.Gt | ast.GtE):
            left, right = right, left
        common = comparison("==", self.algebra.bitwise("&", left.parts[0], right.parts[0]), left.parts[0])
        if isinstance(operator, ast.LtE | ast.GtE):
            return common
        return conjoined(common, comparison("!=", left.parts[0], right.parts[0]))

    def _collected(self, argument: ast.expr) -> Value:
        if not isinstance(argument, ast.GeneratorExp):
            value = self.value(argument) if not isinstance(argument, ast.Name | ast.Tuple) else None
            if value is not None and isinstance(value.type, SetType):
                return value
        found = [Item(value, test) for value, test in self._elements(argument)]
        kinds = {item.value.type for item in found}
        if not found:
            return Value(SetType(None), (ZERO,))
        kind = next(iter(kinds))
        if len(kinds) == 1 and isinstance(kind, BoolType | EnumType):
            return self.gathered(kind, found)
        raise self.error(argument, "the domain of this set is not known; use an Enum for its elements")
