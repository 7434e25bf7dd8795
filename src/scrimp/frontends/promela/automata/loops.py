"""The expansion of `for` and `select` into other statements."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from scrimp.frontends.promela.program import syntax
from scrimp.system.system import Position


class Loop(NamedTuple):
    """`start` is executed once, `before` and `after` around the body in each round; `before` begins with the condition
    of the loop."""

    start: syntax.Assign
    before: tuple[syntax.Statement, ...]
    after: syntax.Assign


def range_loop(statement: syntax.ForRange) -> Loop:
    return _counting(statement.variable, statement.first, "<=", statement.last, statement.position)


def count_up(statement: syntax.Select) -> Loop:
    return _counting(statement.variable, statement.first, "<", statement.last, statement.position)


def message_loop(statement: syntax.ForMessages) -> Loop:
    """Each round receives a message and sends it again, so that each message is received once."""
    position, channel = statement.position, statement.channel
    zero = syntax.Number(0, "0", position)
    length = syntax.ChannelTest("len", channel, position)
    loop = _counting(statement.counter, zero, "<", length, position)
    fields = tuple(_fields(statement.variable))
    names = f"{_show(channel)}{{}}{_show(statement.variable)}"
    receive = syntax.Receive(channel, fields, False, False, position, names.format("?"))
    send = syntax.Send(channel, fields, False, position, names.format("!"))
    return loop._replace(before=(*loop.before, receive, send))


def _counting(
    variable: syntax.Reference,
    first: syntax.Expression,
    operator: str,
    last: syntax.Expression,
    position: Position,
) -> Loop:
    name = _show(variable)
    condition = syntax.Infix(operator, variable, last, position)
    successor = syntax.Infix("+", variable, syntax.Number(1, "1", position), position)
    return Loop(
        syntax.Assign(variable, first, position, f"{name} = {_show(first)}"),
        (syntax.Condition(condition, position, _show(condition)),),
        syntax.Assign(variable, successor, position, f"{name}++"),
    )


def _fields(reference: syntax.Reference) -> Iterator[syntax.Reference]:
    """The variables that a structure represents in a message, in order."""
    structure = reference.symbol.type
    if not isinstance(structure, syntax.Structure):
        yield reference
        return
    for symbol in structure.fields:
        for index in range(symbol.length) if symbol.length is not None else (None,):
            number = None if index is None else syntax.Number(index, str(index), reference.position)
            parts = (*reference.parts, syntax.Part(symbol, number))
            yield from _fields(syntax.Reference(parts, reference.position))


def _show(expression: syntax.Expression) -> str:
    match expression:
        case syntax.Number():
            return expression.text
        case syntax.Reference():
            return ".".join(_show_part(part) for part in expression.parts)
        case syntax.Predefined():
            return expression.name
        case syntax.Prefix():
            return f"{expression.operator}{_show(expression.operand)}"
        case syntax.Infix():
            return f"{_show(expression.left)} {expression.operator} {_show(expression.right)}"
        case syntax.ChannelTest():
            return f"{expression.kind}({_show(expression.channel)})"
        case _:
            return "(…)"


def _show_part(part: syntax.Part) -> str:
    return part.symbol.name if part.index is None else f"{part.symbol.name}[{_show(part.index)}]"
