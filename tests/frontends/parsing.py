"""Programs, statements and values from short texts, for tests of the Promela parser."""

from __future__ import annotations

from scrimp.frontends.promela.program import syntax
from scrimp.frontends.promela.program.parse import parse_model
from scrimp.frontends.promela.program.syntax import (
    Assign,
    Choice,
    Infix,
    Match,
    Number,
    Predefined,
    Prefix,
    Proctype,
    Program,
    Reference,
    Statement,
    Symbol,
)

# Declarations with structures, arrays of them and a channel for them.
STRUCTURES = "typedef E { byte e }; typedef T { byte f; E g; bit h[2] }; T t; T u[2]; chan c = [1] of { T, byte };"


def program(text: str, **defines: str) -> Program:
    return parse_model("model.pml", text, defines)


def proctype(text: str, declarations: str = "") -> Proctype:
    """The only process, whose body is given."""
    (found,) = program(f"{declarations}\nactive proctype P() {{ {text} }}").proctypes
    return found


def body(text: str, declarations: str = "byte x, y; byte a[3]; chan c = [2] of { byte, byte };") -> list[Statement]:
    return list(proctype(text, declarations).body)


def only(text: str) -> Statement:
    (statement,) = body(text)
    return statement


def value(text: str) -> syntax.Expression:
    statement = only(f"x = {text}")
    assert isinstance(statement, Assign)
    return statement.value


def shown(expression: object) -> str:
    """An expression with all its parentheses."""
    match expression:
        case Number(_, text, _):
            return text
        case Reference(parts, _):
            return ".".join(
                part.symbol.name + ("" if part.index is None else f"[{shown(part.index)}]") for part in parts
            )
        case Prefix(operator, operand, _):
            return f"{operator}{shown(operand)}"
        case Infix(operator, left, right, _):
            return f"({shown(left)} {operator} {shown(right)})"
        case Choice(test, then, otherwise, _):
            return f"({shown(test)} -> {shown(then)} : {shown(otherwise)})"
        case Predefined(name, _):
            return name
        case Match(inner):
            return f"={shown(inner)}"
    return type(expression).__name__


def texts(statements: list[Statement] | tuple[Statement, ...]) -> list[str]:
    return [getattr(statement, "text", type(statement).__name__) for statement in statements]


def symbols(text: str) -> dict[str, Symbol]:
    return {symbol.name: symbol for symbol in program(f"{text}\ninit {{ skip }}").globals}
