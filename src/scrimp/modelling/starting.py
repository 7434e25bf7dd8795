"""Where a process begins: at its first `await`, if nothing but local constants comes before it; otherwise before its
first statement, which then belongs to a step of its own.

Both implementations of the language, the scheduler here and the compiler, decide this by the text alone.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence


def starts_at_await(
    body: Sequence[ast.stmt], conditions: frozenset[str], assigned: frozenset[str] = frozenset()
) -> bool:
    """Whether a process with this body begins at its first `await`. `conditions` are the fields whose `wait` does
    something before it waits; `assigned` are the names assigned before the `await`."""
    for statement in body:
        match statement:
            case ast.Expr(ast.Constant()) | ast.Pass():
                continue
            case (
                ast.Assign([ast.Name(name)], ast.Constant())
                | ast.AnnAssign(target=ast.Name(name), value=ast.Constant())
            ):
                assigned |= {name}
            case ast.While(ast.Constant(True), inner):
                return starts_at_await(inner, conditions, assigned)
            case ast.Try(inner, [], []):
                return starts_at_await(inner, conditions, assigned)
            case ast.Expr(ast.Await(call)) | ast.Assign(value=ast.Await(call)) | ast.AnnAssign(value=ast.Await(call)):
                return _waits_at_once(call, conditions, assigned)
            case ast.AsyncWith([ast.withitem(context_expr=place)]):
                return _is_place(place, assigned)
            case _:
                return False
    return False


def _waits_at_once(call: ast.expr, conditions: frozenset[str], assigned: frozenset[str]) -> bool:
    """Whether nothing of the state is read before the process waits."""
    match call:
        case ast.Call(ast.Name("step" | "until"), arguments, []):
            return all(isinstance(argument, ast.Lambda) for argument in arguments)
        case ast.Call(ast.Name("join")):
            return True
        case ast.Call(ast.Attribute(ast.Attribute(_, name), "wait")) if name in conditions:
            return False
        case ast.Call(ast.Attribute(place, "get" | "put" | "acquire" | "wait"), arguments, []):
            return _is_place(place, assigned) and all(isinstance(each, ast.Constant | ast.Name) for each in arguments)
        case _:
            return False


def _is_place(place: ast.expr, assigned: frozenset[str]) -> bool:
    """Whether an expression names a field, or an element by a constant or the number of the process."""
    match place:
        case ast.Attribute(ast.Name("self")):
            return True
        case ast.Subscript(ast.Attribute(ast.Name("self")), ast.Constant()):
            return True
        case ast.Subscript(ast.Attribute(ast.Name("self")), ast.Name(name)):
            return name not in assigned
        case _:
            return False
