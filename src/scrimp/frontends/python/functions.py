"""Functions that only compute: their body is evaluated symbolically, and a call becomes a value."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, replace

from scrimp.frontends.python import refusals
from scrimp.frontends.python.algebra import forced, size
from scrimp.frontends.python.expressions import Expressions
from scrimp.frontends.python.program import Function, first_parameter
from scrimp.frontends.python.values import NOTHING, Mismatch, Value, either
from scrimp.numbers import counted
from scrimp.system.expressions import TRUE, Constant, Expression

MOST_NODES = 20_000
MOST_CALLS = 30
MOST_ROUNDS = 100


def bound(place: Expressions, call: ast.Call, function: Function) -> dict[str, Value]:
    """The parameters of a call with their values, which are evaluated from left to right."""
    arguments = function.args
    if arguments.vararg or arguments.kwarg or arguments.kwonlyargs or arguments.posonlyargs:
        raise place.error(function, f"{function.name}: expected plain parameters, without *, ** or /")
    names = [argument.arg for argument in arguments.args]
    if isinstance(call.func, ast.Attribute):
        names = names[1:]
    given: dict[str, ast.expr] = {}
    if len(call.args) > len(names):
        raise place.error(call, f"{function.name} takes {counted(len(names), 'argument')}, found {len(call.args)}")
    for name, argument in zip(names, call.args, strict=False):
        if isinstance(argument, ast.Starred):
            raise place.error(argument, f"found *, {refusals.EXPRESSIONS[ast.Starred]}")
        given[name] = argument
    for keyword in call.keywords:
        if keyword.arg not in names or keyword.arg in given:
            raise place.error(keyword, f"{function.name} has no other parameter '{keyword.arg or '**'}'")
        given[keyword.arg] = keyword.value
    values = dict(zip(given, place.operands(*given.values()), strict=True))
    outside = Expressions(place.program, {})
    defaults = dict(zip(names[len(names) - len(arguments.defaults) :], arguments.defaults, strict=True))
    for name in names:
        if name not in values:
            if name not in defaults:
                raise place.error(call, f"{function.name} needs a value for its parameter '{name}'")
            values[name] = outside.value(defaults[name])
    return values


def entered(place: Expressions, node: ast.AST, function: Function) -> tuple[str, ...]:
    """The functions that are being evaluated inside a call; a recursive one is refused."""
    if function.name in place.calls:
        raise place.error(node, f"{function.name} calls itself; recursion is not supported, use a loop")
    if len(place.calls) >= MOST_CALLS:
        raise place.error(node, f"calls nest more than {MOST_CALLS} deep")
    return (*place.calls, function.name)


def evaluated(place: Expressions, call: ast.Call, function: Function) -> Value:
    """The value of a call of a function that only computes."""
    names = bound(place, call, function)
    self_name = None if isinstance(call.func, ast.Name) else first_parameter(function)
    inside = Expressions(place.program, names, self_name, calls=entered(place, call, function))
    value = result(inside, function)
    for argument in names.values():
        for part in argument.parts:
            if value.parts and inside.algebra.may_fault(part):
                value = Value(value.type, (forced(part, value.parts[0]), *value.parts[1:]))
    return value


def result(inside: Expressions, function: Function) -> Value:
    """The value that a function returns. Symbolic values make no statements."""
    value = _block(inside, function.body)
    found = NOTHING if value is None else value
    if sum(size(part) for part in found.parts) > MOST_NODES:
        raise inside.error(
            function, f"{function.name} becomes an expression of more than {MOST_NODES:,} parts; simplify it"
        )
    return found


@dataclass(frozen=True)
class _Rounds:
    """The rounds of a loop that are left, after a round of it."""

    target: ast.expr
    items: Sequence[Value]
    body: Sequence[ast.stmt]


def _block(inside: Expressions, body: Sequence[ast.stmt | _Rounds]) -> Value | None:
    """The value that statements return; None if they return none."""
    for number, statement in enumerate(body):
        rest = body[number + 1 :]
        match statement:
            case ast.Return(value):
                return NOTHING if value is None else inside.value(value)
            case ast.If(test, then, otherwise) if _returns(statement):
                condition = inside.condition(test)
                if isinstance(condition, Constant):
                    return _block(inside, [*(then if condition.value else otherwise), *rest])
                one = _block(inside, [*then, *rest])
                other = _block(inside, [*otherwise, *rest])
                return _either(inside, statement, condition, one, other)
            case ast.For(target, iterable, inner, otherwise) if _returns(statement):
                rounds = _Rounds(target, _rounds(inside, iterable), inner)
                return _block(inside, [rounds, *otherwise, *rest])
            case _Rounds(target, items, inner):
                if items:
                    bound_now = inside.with_names(inside.unpacked(target, items[0]))
                    return _block(bound_now, [*inner, _Rounds(target, items[1:], inner), *rest])
            case ast.stmt():
                before = inside
                inside = _executed(inside, statement)
                risky = [
                    part
                    for name, value in inside.names.items()
                    if before.names.get(name) is not value
                    for part in value.parts
                    if inside.algebra.may_fault(part)
                ]
                if risky:
                    following = _block(inside, rest)
                    return None if following is None else _after(risky, following)
    return None


def _returns(statement: ast.stmt) -> bool:
    return any(isinstance(node, ast.Return) for node in ast.walk(statement))


def _rounds(inside: Expressions, iterable: ast.expr) -> list[Value]:
    items = inside.items(iterable)
    if any(item.test != TRUE for item in items):
        raise inside.error(iterable, "expected a loop over constants here; use any, all or sum")
    if len(items) > MOST_ROUNDS:
        raise inside.error(
            iterable, f"a loop in a function that only computes has at most {MOST_ROUNDS} rounds; use any or all"
        )
    return [item.value for item in items]


def _executed(inside: Expressions, statement: ast.stmt) -> Expressions:
    """The names after a statement that does not return."""
    match statement:
        case ast.Pass() | ast.Expr(ast.Constant()) | ast.AnnAssign(value=None):
            return inside
        case ast.Assign(targets, node):
            value = inside.value(node)
            for target in targets:
                inside = inside.with_names(inside.unpacked(target, value))
            return inside
        case ast.AnnAssign(ast.Name(name), _, ast.expr() as node):
            return inside.with_names({name: inside.value(node)})
        case ast.AugAssign(ast.Name(name) as target, operator, node):
            left = inside.value(ast.copy_location(ast.Name(name, ast.Load()), target))
            return inside.with_names({name: _augmented(inside, statement, operator, left, node)})
        case ast.If(test, then, otherwise):
            return _merged(inside, statement, inside.condition(test), then, otherwise)
        case ast.For(target, iterable, inner, otherwise):
            for item in _rounds(inside, iterable):
                inside = _all_executed(inside.with_names(inside.unpacked(target, item)), inner)
            return _all_executed(inside, otherwise)
        case ast.Expr():
            raise inside.error(statement, "this statement has no effect")
    hint = refusals.STATEMENTS.get(type(statement), "only a process or an action can do this")
    raise inside.error(statement, f"found {refusals.article(statement)}: {hint}")


def _all_executed(inside: Expressions, body: Sequence[ast.stmt]) -> Expressions:
    for statement in body:
        inside = _executed(inside, statement)
    return inside


def _merged(
    inside: Expressions, node: ast.stmt, test: Expression, then: Sequence[ast.stmt], otherwise: Sequence[ast.stmt]
) -> Expressions:
    """The names after one branch or the other; a name that only one of them binds is not known afterwards."""
    if isinstance(test, Constant):
        return _all_executed(inside, then if test.value else otherwise)
    one, other = _all_executed(inside, then).names, _all_executed(inside, otherwise).names
    merged = {}
    for name in one.keys() & other.keys():
        value = one[name] if one[name] is other[name] else _either(inside, node, test, one[name], other[name])
        merged[name] = value or NOTHING
    return replace(inside, names=merged)


def _after(risky: Sequence[Expression], following: Value) -> Value:
    """A value that is returned after others were evaluated, which may fault."""
    if not following.parts:
        return following
    head = following.parts[0]
    for part in reversed(risky):
        head = forced(part, head)
    return Value(following.type, (head, *following.parts[1:]))


def _augmented(
    inside: Expressions, statement: ast.AugAssign, operator: ast.operator, left: Value, node: ast.expr
) -> Value:
    try:
        return inside.binary(statement, operator, left, inside.value(node))
    except Mismatch as mismatch:
        raise inside.error(statement, str(mismatch)) from None


def _either(
    inside: Expressions, node: ast.stmt, test: Expression, one: Value | None, other: Value | None
) -> Value | None:
    if one is None and other is None:
        return None
    one, other = one or NOTHING, other or NOTHING
    try:
        return either(test, one, other)
    except Mismatch as mismatch:
        raise inside.error(node, str(mismatch)) from None
