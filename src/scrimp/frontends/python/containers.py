"""Containers in expressions: fields and their elements."""

from __future__ import annotations

import ast
from collections.abc import Callable

from scrimp.frontends.python import refusals
from scrimp.frontends.python.algebra import (
    comparison,
    conditional,
)
from scrimp.frontends.python.place import Place, with_article
from scrimp.frontends.python.storage import Spot, decoded
from scrimp.frontends.python.types import (
    CONTAINERS,
    ArrayType,
    EventType,
    MapType,
    QueueType,
    TupleType,
)
from scrimp.frontends.python.values import (
    Mismatch,
    Value,
    as_number,
    converted,
    present,
)
from scrimp.system.expressions import Constant, Expression


class Containers(Place):
    """Expressions that name fields, elements and channels."""

    def spot(self, node: ast.expr) -> Spot | None:
        """The field, or its element, that an expression names; None if it names none."""
        match node:
            case ast.Attribute(owner, name) if self.is_self(owner):
                return self.program.fields.get(name)
            case ast.Name(name) if self.bare_fields and name not in self.names:
                return self.program.fields.get(name)
            case ast.Subscript(container, key):
                around = self.spot(container)
                if around is None or not isinstance(around.type, ArrayType | MapType):
                    return None
                return around.element(
                    self.algebra, self.key(around, key), around.type, self.program.source.excerpt(key)
                )
            case _:
                return None

    def key(self, around: Spot, node: ast.expr) -> Expression:
        """The index of an element."""
        if isinstance(node, ast.Slice):
            raise self.error(node, f"found a slice: {refusals.EXPRESSIONS[ast.Slice]}")
        value = self.value(node)
        try:
            if isinstance(around.type, MapType):
                return converted(value, around.type.key).parts[0]
            number = as_number(value)
        except Mismatch as mismatch:
            raise self.error(node, str(mismatch)) from None
        assert isinstance(around.type, ArrayType)
        if isinstance(number, Constant) and not 0 <= number.value < around.type.length:
            last = around.type.length - 1
            raise self.error(node, f"index {number.value} is outside {around.name}, whose indices are 0 to {last}")
        return number

    def of_channel(self, spot: Spot, expression: Callable[[int], Expression]) -> Expression:
        """An expression over the channel of a queue, which may be an element of an array."""
        if spot.index is None:
            return expression(spot.numbers[0])
        if isinstance(spot.index, Constant):
            return expression(spot.numbers[spot.index.value])
        *others, last = spot.numbers
        result = expression(last)
        for place, channel in reversed(list(enumerate(others))):
            result = conditional(comparison("==", spot.index, Constant(place)), expression(channel), result)
        return result

    def _field(self, node: ast.expr, name: str) -> Value:
        if name in self.program.model_constants:
            return self.program.model_constants[name]
        spot = self.program.fields[name]
        if isinstance(spot.type, CONTAINERS):
            raise self.error(node, f"{name} is {with_article(str(spot.type))}, which is no value; {use_of(spot)}")
        return decoded(spot.type, spot.reads)

    def _subscript(self, node: ast.Subscript) -> Value:
        spot = self.spot(node)
        if spot is not None:
            if isinstance(spot.type, CONTAINERS):
                raise self.error(
                    node, f"{spot.name} is {with_article(str(spot.type))}, which is no value; {use_of(spot)}"
                )
            return decoded(spot.type, spot.reads)
        if isinstance(node.slice, ast.Slice):
            raise self.error(node.slice, f"found a slice: {refusals.EXPRESSIONS[ast.Slice]}")
        around = self.spot(node.value)
        if around is not None and isinstance(around.type, QueueType):
            raise self.error(node, "a queue has no indices; use get(), or any(… for item in queue)")
        owner = present(self.value(node.value), "a tuple")
        index = self.value(node.slice).number
        if not isinstance(owner.type, TupleType):
            raise self.error(node, f"a value of {owner.type} has no elements")
        if index is None:
            raise self.error(node.slice, "expected a constant index of a tuple")
        items = list(owner.items())
        if not -len(items) <= index < len(items):
            raise self.error(node.slice, f"index {index} is outside the tuple, which has {len(items)} items")
        return self.kept_faults(items[index], [item for item in items if item is not items[index]])


def use_of(spot: Spot) -> str:
    match spot.type:
        case ArrayType() | MapType():
            return f"name an element, as in {spot.name}[…]"
        case QueueType():
            return "use its operations, such as get() and put(…)"
        case _:
            return "use its operations, such as acquire()" if not isinstance(spot.type, EventType) else "use is_set()"
