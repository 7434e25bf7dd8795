"""Operators: arithmetic, comparisons and logic, as CPython evaluates them."""

from __future__ import annotations

import ast

from scrimp.frontends.python.algebra import (
    ZERO,
    comparison,
    conjoined,
    disjoined,
    negated,
)
from scrimp.frontends.python.sets import Sets
from scrimp.frontends.python.storage import Spot, encoded
from scrimp.frontends.python.types import (
    BOOL,
    ArrayType,
    BoolType,
    EnumType,
    NoneOnly,
    OptionalType,
    QueueType,
    SetType,
    TupleType,
)
from scrimp.frontends.python.values import (
    NOTHING,
    Value,
    as_number,
    boolean,
    either,
    equality,
    integer,
    is_none,
    less,
    truth_of,
    tuple_of,
)
from scrimp.system.expressions import FALSE, TRUE, Constant, Expression, Find, Unary


class Operators(Sets):
    """Expressions with operators."""

    def binary(self, node: ast.AST, operator: ast.operator, left: Value, right: Value) -> Value:
        """The result of an arithmetic operator, or of one of sets."""
        if isinstance(left.type, SetType) or isinstance(right.type, SetType):
            return self._sets(node, operator, left, right)
        if isinstance(left.type, TupleType) and isinstance(right.type, TupleType) and isinstance(operator, ast.Add):
            return tuple_of([*left.items(), *right.items()])
        a, b = as_number(left), as_number(right)
        algebra = self.algebra
        match operator:
            case ast.Add():
                return integer(algebra.sum(a, b))
            case ast.Sub():
                return integer(algebra.difference(a, b))
            case ast.Mult():
                return integer(algebra.product(a, b))
            case ast.FloorDiv():
                return integer(algebra.quotient(a, b))
            case ast.Mod():
                return integer(algebra.remainder(a, b))
            case ast.LShift():
                return integer(algebra.shifted_left(a, b))
            case ast.RShift():
                return integer(algebra.shifted_right(a, b))
            case ast.Pow():
                return self._power(node, a, b)
            case ast.BitAnd() | ast.BitOr() | ast.BitXor():
                result = algebra.bitwise({ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^"}[type(operator)], a, b)  # type: ignore[arg-type]
                both = isinstance(left.type, BoolType) and isinstance(right.type, BoolType)
                return Value(BOOL, (result,)) if both else integer(result)
            case ast.Div():
                raise self.error(node, "found /, which makes fractions: models have whole numbers only; use //")
            case _:
                raise self.error(node, "found @: matrices are not part of the language")

    def _power(self, node: ast.AST, base: Expression, exponent: Expression) -> Value:
        if not isinstance(exponent, Constant) or not 0 <= exponent.value <= 31:
            raise self.error(node, "expected a constant exponent from 0 to 31")
        result: Expression = Constant(1)
        for _ in range(exponent.value):
            result = self.algebra.product(result, base)
        return integer(result)

    def _unary(self, node: ast.UnaryOp, operator: ast.unaryop, operand: ast.expr) -> Value:
        match operator:
            case ast.Not():
                return boolean(negated(self.condition(operand)))
            case ast.USub():
                return integer(self.algebra.negation(as_number(self.value(operand))))
            case ast.UAdd():
                return integer(as_number(self.value(operand)))
            case _:
                number = as_number(self.value(operand))
                return integer(Constant(~number.value) if isinstance(number, Constant) else Unary("~", number))

    def _bool(self, node: ast.BoolOp) -> Value:
        """`and` and `or` have the value of the operand that decides."""
        first, *rest = node.values
        left = self.value(first)
        for following in rest:
            left = self._and_or(node, left, following)
        return left

    def _and_or(self, node: ast.BoolOp, left: Value, right: ast.expr) -> Value:
        is_and = isinstance(node.op, ast.And)
        if self.is_impure(right):
            assert self.effects is not None or self._impure(right)
            assert self.effects is not None
            left = self.kept(left)
            test = truth_of(left) if is_and else negated(truth_of(left))
            return self.effects.branch_value(test, lambda: self.value(right), lambda: left, node)
        test = truth_of(left)
        other = self.value(right)
        if isinstance(left.type, BoolType) and isinstance(other.type, BoolType):
            return boolean((conjoined if is_and else disjoined)(test, other.parts[0]))
        return either(test, other, left) if is_and else either(test, left, other)

    def _either(self, node: ast.IfExp, test: ast.expr, then: ast.expr, otherwise: ast.expr) -> Value:
        condition = self.condition(test)
        if self.is_impure(then) or self.is_impure(otherwise):
            if self.effects is None:
                self._impure(then if self.is_impure(then) else otherwise)
            assert self.effects is not None
            return self.effects.branch_value(condition, lambda: self.value(then), lambda: self.value(otherwise), node)
        if isinstance(condition, Constant):
            return self.value(then if condition.value else otherwise)
        return either(condition, self.value(then), self.value(otherwise))

    def _comparison(self, node: ast.Compare) -> Expression:
        """A chain of comparisons; each operand is evaluated once, and only if those before it hold."""
        if any(map(self.is_impure, node.comparators[1:])):
            raise self.error(
                node, "await, choose and calls that change the state cannot be inside a chain; assign them first"
            )
        left = self.value(node.left)
        if self.is_impure(node.comparators[0]):
            left = self.kept(left)
        result: Expression = TRUE
        for operator, right_node in zip(node.ops, node.comparators, strict=True):
            if isinstance(operator, ast.In | ast.NotIn):
                test = self.strictly(self._membership(left, right_node), left)
                test = negated(test) if isinstance(operator, ast.NotIn) else test
                right = NOTHING
                if operator is not node.ops[-1]:
                    raise self.error(node, "in cannot be inside a chain of comparisons; use and")
            else:
                right = self.with_domain(left, right_node)
                test = self.strictly(self._compared(node, operator, left, right), left, right)
            result = test if result == TRUE else conjoined(result, test)
            left = right
        return result

    def _compared(self, node: ast.AST, operator: ast.cmpop, left: Value, right: Value) -> Expression:
        match operator:
            case ast.Eq():
                return equality(left, right)
            case ast.NotEq():
                return negated(equality(left, right))
            case ast.Is():
                return self._identity(node, left, right)
            case ast.IsNot():
                return negated(self._identity(node, left, right))
        if isinstance(left.type, SetType) and isinstance(right.type, SetType):
            return self._subset(operator, left, right)
        match operator:
            case ast.Lt():
                return less(left, right, or_equal=False)
            case ast.LtE():
                return less(left, right, or_equal=True)
            case ast.Gt():
                return less(right, left, or_equal=False)
            case _:
                return less(right, left, or_equal=True)

    def _identity(self, node: ast.AST, left: Value, right: Value) -> Expression:
        if isinstance(left.type, NoneOnly) or isinstance(right.type, NoneOnly):
            return is_none(right) if isinstance(left.type, NoneOnly) else is_none(left)
        kinds = [type_.item if isinstance(type_, OptionalType) else type_ for type_ in (left.type, right.type)]
        if not all(isinstance(kind, EnumType | BoolType) for kind in kinds) or kinds[0] != kinds[1]:
            raise self.error(node, "is compares objects; use == for numbers, records and tuples")
        return equality(left, right)

    def _membership(self, element: Value, node: ast.expr) -> Expression:
        spot = self.spot(node)
        if spot is not None and isinstance(spot.type, QueueType):
            return self._queued(spot, element)
        if isinstance(node, ast.Tuple | ast.Set | ast.List):
            options = [self.value(item) for item in node.elts]
            result: Expression = FALSE
            for option in options:
                result = disjoined(result, equality(element, option)) if result != FALSE else equality(element, option)
            return self.strictly(result, *options)
        if isinstance(node, ast.Call) or spot is not None or (isinstance(node, ast.Name) and self._is_class(node.id)):
            found = self._range_test(element, node)
            if found is not None:
                return found
            if not isinstance(node, ast.Call) and (spot is None or isinstance(spot.type, ArrayType)):
                result = FALSE
                for item in self.items(node):
                    same = (
                        conjoined(item.test, equality(element, item.value))
                        if item.test != TRUE
                        else equality(element, item.value)
                    )
                    result = disjoined(result, same) if result != FALSE else same
                return result
        group = self.value(node)
        match group.type:
            case SetType(None):
                return FALSE
            case SetType(kind):
                assert kind is not None
                if isinstance(element.type, OptionalType):
                    inner = Value(element.type.item, element.parts[1:])
                    return conjoined(element.parts[0], self._has(group, inner, kind))
                return self._has(group, element, kind)
            case TupleType():
                result = FALSE
                for item_ in group.items():
                    result = (
                        disjoined(result, equality(element, item_)) if result != FALSE else equality(element, item_)
                    )
                return result
        raise self.error(
            node, f"found {group.type}, expected a set, a tuple, a range, an Enum, an Array or a Queue after 'in'"
        )

    def _range_test(self, element: Value, node: ast.expr) -> Expression | None:
        match node:
            case ast.Call(ast.Name(name), arguments, []) if (
                self.program.meaning(name) == "range" and len(arguments) < 3
            ):
                bounds = [as_number(each) for each in self.operands(*arguments)]
                low, high = (ZERO, bounds[0]) if len(bounds) == 1 else (bounds[0], bounds[1])
                number = as_number(element)
                test = conjoined(comparison(">=", number, low), comparison("<", number, high))
                return self.strictly(test, integer(low), integer(high))
            case _:
                return None

    def _queued(self, spot: Spot, element: Value) -> Expression:
        assert isinstance(spot.type, QueueType)
        pattern = encoded(element, spot.type.item)
        return self.of_channel(spot, lambda channel: comparison(">=", Find(channel, pattern), ZERO))
