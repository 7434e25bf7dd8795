"""A place in a program: what is known there, and what expressions need that do more than compute."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, Self

from scrimp.errors import ModelError
from scrimp.frontends.python.algebra import (
    Algebra,
    forced,
)
from scrimp.frontends.python.program import Program
from scrimp.frontends.python.types import (
    BoolType,
    EnumType,
    IntType,
    TupleType,
)
from scrimp.frontends.python.values import (
    Value,
    present,
)
from scrimp.system.expressions import Expression


class Effects(Protocol):
    """What expressions need that do more than compute."""

    def read(self, name: str, node: ast.expr) -> Value | None:
        """The value of a local variable; None if the name is not local."""

    def spill(self, value: Value) -> Value:
        """Keep a value, so that later changes do not matter to it."""

    def is_stable(self, value: Value) -> bool:
        """Whether nothing that follows in the expression can change a value."""

    def impure(self, node: ast.expr) -> Value:
        """Evaluate an `await`, `choose`, an operation on a container, or a call that changes the state."""

    def branch_value(
        self, test: Expression, then: Callable[[], Value], otherwise: Callable[[], Value], node: ast.expr
    ) -> Value:
        """Evaluate one of two expressions that do more than compute."""


@dataclass(frozen=True)
class Place:
    """`names` are the values of names known here; `self_name` is that of the model; `calls` are the functions that are
    being evaluated."""

    program: Program
    names: Mapping[str, Value]
    self_name: str | None = None
    effects: Effects | None = None
    calls: tuple[str, ...] = ()
    bare_fields: bool = False

    @property
    def algebra(self) -> Algebra:
        return self.program.storage.algebra

    def error(self, node: ast.AST, message: str) -> ModelError:
        return self.program.source.error(node, message)

    def with_names(self, names: Mapping[str, Value]) -> Self:
        return replace(self, names={**self.names, **names})

    def is_impure(self, node: ast.AST) -> bool:
        return self.program.is_impure(node, self.self_name)

    def value(self, node: ast.expr) -> Value:
        """The value of an expression; raises ModelError."""
        raise NotImplementedError

    def condition(self, node: ast.expr) -> Expression:
        """Whether an expression is true, as for `if`."""
        raise NotImplementedError

    def operands(self, *nodes: ast.expr) -> list[Value]:
        """Values from left to right; one that a later operand might change is kept first."""
        found = []
        for number, node in enumerate(nodes):
            value = self.value(node)
            if any(map(self.is_impure, nodes[number + 1 :])):
                value = self.kept(value)
            found.append(value)
        return found

    def kept(self, value: Value) -> Value:
        return value if self.effects is None or self.effects.is_stable(value) else self.effects.spill(value)

    def _impure(self, node: ast.expr) -> Value:
        if self.effects is None:
            raise self.error(node, f"{self.program.source.excerpt(node)}: only a process or an action can do this")
        return self.effects.impure(node)

    def is_self(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Name) and node.id == self.self_name and node.id not in self.names

    def _is_class(self, name: str) -> bool:
        return name not in self.names and (name in self.program.enums or name in self.program.records)

    def _example(self, name: str) -> str:
        if name in self.program.enums:
            return f"{name}.{self.program.enums[name].members[0]}"
        return f"{name}(…)"

    def strictly(self, test: Expression, *operands: Value) -> Expression:
        """A test of operands, each of which is evaluated even if the test is decided without it."""
        if len(operands) == 2 and all(isinstance(each.type, IntType | BoolType | EnumType) for each in operands):
            return test
        for part in (part for each in reversed(operands) for part in reversed(each.parts)):
            if self.algebra.may_fault(part):
                test = forced(part, test)
        return test

    def kept_faults(self, value: Value, others: Sequence[Value]) -> Value:
        """One part of a record or tuple, after the others were evaluated for their faults."""
        risky = [part for each in others for part in each.parts if self.algebra.may_fault(part)]
        if not risky or not value.parts:
            return value
        head = value.parts[0]
        for part in reversed(risky):
            head = forced(part, head)
        return Value(value.type, (head, *value.parts[1:]))

    def unpacked(self, target: ast.expr, value: Value) -> dict[str, Value]:
        """The names that an assignment binds."""
        match target:
            case ast.Name(name):
                return {name: value}
            case ast.Tuple(targets) | ast.List(targets):
                value = present(value, "a tuple")
                items = list(value.items()) if isinstance(value.type, TupleType) else None
                if items is None or any(isinstance(each, ast.Starred) for each in targets):
                    raise self.error(target, f"found {value.type}, expected a tuple of {len(targets)}")
                if len(items) != len(targets):
                    raise self.error(target, f"found a tuple of {len(items)}, expected one of {len(targets)}")
                found: dict[str, Value] = {}
                for each, item in zip(targets, items, strict=True):
                    found |= self.unpacked(each, item)
                return found
            case _:
                raise self.error(target, "expected a name")


def with_article(noun: str) -> str:
    return f"{'an' if noun[0] in 'AEIOUaeio' else 'a'} {noun}"
