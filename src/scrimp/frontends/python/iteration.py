"""Iteration: the items of what loops and comprehensions go over."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Self

from scrimp.frontends.python import refusals
from scrimp.frontends.python.algebra import (
    ZERO,
    comparison,
    conjoined,
)
from scrimp.frontends.python.containers import Containers
from scrimp.frontends.python.storage import Spot, decoded
from scrimp.frontends.python.types import (
    CONTAINERS,
    ArrayType,
    Plain,
    QueueType,
    SetType,
    TupleType,
)
from scrimp.frontends.python.values import (
    Value,
    as_number,
    bit,
    constant,
    domain_members,
    tuple_of,
)
from scrimp.system.expressions import FALSE, TRUE, Constant, Expression, Length, Message

MOST_ITEMS = 10_000


@dataclass(frozen=True)
class Item:
    """An item that an iterable has if `test` holds."""

    value: Value
    test: Expression = TRUE


class Iteration(Containers):
    """Expressions that are iterated over. The number of items is known; whether each is there may not be."""

    def items(self, node: ast.expr) -> list[Item]:
        """The items of something to iterate over, in order; each may depend on a test."""
        found = self._items(node)
        if len(found) > MOST_ITEMS:
            raise self.error(node, f"found {len(found):,} items, expected at most {MOST_ITEMS:,}")
        return found

    def _items(self, node: ast.expr) -> list[Item]:
        spot = self.spot(node)
        if spot is not None and isinstance(spot.type, ArrayType):
            return [Item(self._element(node, spot, index)) for index in range(spot.type.length)]
        if spot is not None and isinstance(spot.type, QueueType):
            return self._queue_items(spot)
        match node:
            case ast.Tuple(elements) | ast.Set(elements) | ast.List(elements):
                return [Item(value) for value in self.operands(*elements)]
            case ast.Name(name) if name not in self.names and name in self.program.enums:
                return [Item(value) for value in domain_members(self.program.enums[name])]
            case ast.Call(ast.Name(name), arguments, []):
                match self.program.meaning(name):
                    case "range":
                        return self._range_items(node, arguments)
                    case "reversed" if len(arguments) == 1:
                        return self.items(arguments[0])[::-1]
                    case "enumerate" if len(arguments) == 1:
                        items = self.items(arguments[0])
                        if any(item.test != TRUE for item in items):
                            raise self.error(node, "enumerate needs a range, a tuple, an Enum or an Array")
                        return [Item(tuple_of([constant(i), item.value])) for i, item in enumerate(items)]
        value = self.value(node)
        match value.type:
            case TupleType():
                return [Item(each) for each in value.items()]
            case SetType(item) if item is not None:
                return [Item(each, self._has(value, each, item)) for each in domain_members(item)]
            case SetType():
                return []
        raise self.error(
            node, f"cannot iterate over {value.type}; expected a range, a tuple, a set, an Enum, an Array or a Queue"
        )

    def _element(self, node: ast.expr, spot: Spot, index: int) -> Value:
        assert isinstance(spot.type, ArrayType)
        element = spot.element(self.algebra, Constant(index), spot.type, str(index))
        if isinstance(element.type, CONTAINERS):
            raise self.error(
                node, f"the elements of {spot.name} are no values; iterate over range(len({ast.unparse(node)[:40]}))"
            )
        return decoded(element.type, element.reads)

    def _queue_items(self, spot: Spot) -> list[Item]:
        assert isinstance(spot.type, QueueType)
        length = self.of_channel(spot, Length)
        found = []
        for position in range(spot.type.capacity):
            numbers = [
                self.of_channel(spot, lambda channel, field=field, at=position: Message(channel, field, Constant(at)))  # type: ignore[misc]
                for field in range(len(self.program.storage.channels[spot.numbers[0]].fields))
            ]
            found.append(Item(decoded(spot.type.item, numbers), comparison(">", length, Constant(position))))
        return found

    def _range_items(self, node: ast.Call, arguments: Sequence[ast.expr]) -> list[Item]:
        bounds = [as_number(value) for value in self.operands(*arguments)]
        if not 1 <= len(bounds) <= 3:
            raise self.error(node, "range takes one to three arguments")
        start, stop, step = {1: (ZERO, *bounds, Constant(1)), 2: (*bounds, Constant(1)), 3: tuple(bounds)}[len(bounds)]
        if not isinstance(start, Constant) or not isinstance(step, Constant) or step.value == 0:
            raise self.error(
                node, "expected constants as the first and the third argument of range here, and no step 0"
            )
        if isinstance(stop, Constant):
            numbers = range(start.value, stop.value, step.value)
            if len(numbers) > MOST_ITEMS:
                raise self.error(node, f"found {len(numbers):,} items, expected at most {MOST_ITEMS:,}")
            return [Item(constant(number)) for number in numbers]
        low, high = self.algebra.interval(stop)
        last = high if step.value > 0 else low
        numbers = range(start.value, last, step.value)
        if len(numbers) > MOST_ITEMS // 10:
            raise self.error(
                node, "the end of this range is not known; give it a small range, as in Annotated[int, Range(0, 7)]"
            )
        operator = "<" if step.value > 0 else ">"
        return [Item(constant(number), comparison(operator, Constant(number), stop)) for number in numbers]  # type: ignore[arg-type]

    def comprehension(self, generators: Sequence[ast.comprehension]) -> Iterator[tuple[Self, Expression]]:
        """The places in which the element of a comprehension is evaluated, each with the test under which it is."""
        if not generators:
            yield self, TRUE
            return
        first, *rest = generators
        if first.is_async:
            raise self.error(first.iter, "async for is not supported")
        if self.is_impure(first.iter) or any(map(self.is_impure, first.ifs)):
            raise self.error(
                first.iter, "await, choose and calls that change the state cannot be inside a comprehension"
            )
        for item in self.items(first.iter):
            inner = self.with_names(self.unpacked(first.target, item.value))
            test = item.test
            for condition in first.ifs:
                held = inner.condition(condition)
                test = held if test == TRUE else conjoined(test, held)
            if test == FALSE:
                continue
            for place, further in inner.comprehension(rest):
                yield place, further if test == TRUE else conjoined(test, further) if further != TRUE else test

    def _elements(self, argument: ast.expr) -> Iterator[tuple[Value, Expression]]:
        if isinstance(argument, ast.GeneratorExp | ast.ListComp | ast.SetComp):
            if self.is_impure(argument.elt):
                raise self.error(
                    argument.elt, "await, choose and calls that change the state cannot be inside a comprehension"
                )
            if isinstance(argument, ast.SetComp):
                raise self.error(argument, f"found a set comprehension: {refusals.EXPRESSIONS[ast.SetComp]}")
            for place, test in self.comprehension(argument.generators):
                yield place.value(argument.elt), test
            return
        for item in self.items(argument):
            yield item.value, item.test

    def _has(self, group: Value, element: Value, item: Plain) -> Expression:
        return comparison(
            "!=", self.algebra.bitwise("&", group.parts[0], bit(element, item, self.algebra, must_fit=False)), ZERO
        )
