"""The storage of a model's variables: every symbol as variables of the system, one for each field of a structure.

An array of structures becomes one array per field; `a[i].b[j]` is the element `i * length of b + j` of `a.b`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from scrimp.frontends.promela.program.syntax import Part, Proctype, Structure, Symbol, Unsigned
from scrimp.system.expressions import Binary, Conditional, Constant, Expression, Read, Undefined
from scrimp.system.system import Variable
from scrimp.system.types import BIT, BYTE, INT, SHORT, Range

_RANGES = {
    "bit": BIT,
    "bool": BIT,
    "byte": BYTE,
    "pid": BYTE,
    "mtype": BYTE,
    "chan": BYTE,
    "short": SHORT,
    "int": INT,
}
Leaf: TypeAlias = tuple[Symbol, ...]
"""A symbol, and the fields down to a value that is not a structure."""


def range_of(type_: object) -> Range:
    """The values of a basic type; of a value that does not fit, SPIN keeps the lowest bits."""
    if isinstance(type_, Unsigned):
        return Range(0, 2**type_.bits - 1)
    assert isinstance(type_, str)
    return _RANGES[type_]


def range_of_leaf(leaf: Leaf) -> Range:
    """The values of a leaf's elements. SPIN's verifier stores an array of bits as bytes."""
    declared = leaf[-1]
    return BYTE if declared.length is not None and declared.type in ("bit", "bool") else range_of(declared.type)


def leaves(symbol: Symbol) -> Iterator[Leaf]:
    """The values a symbol consists of, in the order of declaration."""
    if not isinstance(symbol.type, Structure):
        yield (symbol,)
        return
    for inner in symbol.type.fields:
        for leaf in leaves(inner):
            yield (symbol, *leaf)


def parameter_leaves(proctype: Proctype) -> tuple[Leaf, ...]:
    """The leaves that the arguments of a `run` are assigned to, one each: a structure is passed field by field."""
    return tuple(leaf for symbol in proctype.locals[: proctype.parameters] for leaf in leaves(symbol))


def extent(leaf: Leaf) -> int | None:
    """How many elements a leaf has; None for a single value."""
    lengths = [symbol.length for symbol in leaf if symbol.length is not None]
    if not lengths:
        return None
    total = 1
    for length in lengths:
        total *= length
    return total


def combined_index(leaf: Leaf, indices: list[Expression | None]) -> Expression | None:
    """The element of a leaf's variable that the indices of its parts select; None if it is a single value."""
    dimensions = [
        (index or Constant(0), part.length)
        for part, index in zip(leaf, indices, strict=True)
        if part.length is not None
    ]
    if not dimensions:
        return None
    result: Expression | None = None
    for index, length in dimensions:
        checked = index if len(dimensions) == 1 else _within(index, length, ".".join(part.name for part in leaf))
        result = checked if result is None else sum_of(product_of(result, length), checked)
    return result


def _within(index: Expression, length: int, name: str) -> Expression:
    outside = Undefined(f"an index of {name} is outside 0..{length - 1}")
    if isinstance(index, Constant):
        return index if 0 <= index.value < length else outside
    inside = Binary("&&", Binary(">=", index, Constant(0)), Binary("<", index, Constant(length)))
    return Conditional(inside, index, outside)


def product_of(value: Expression, factor: int) -> Expression:
    if isinstance(value, Constant):
        return Constant(INT.wrap(value.value * factor))
    return value if factor == 1 else Binary("*", value, Constant(factor))


def sum_of(left: Expression, right: Expression) -> Expression:
    if isinstance(left, Constant) and isinstance(right, Constant):
        return Constant(INT.wrap(left.value + right.value))
    if left == Constant(0):
        return right
    return left if right == Constant(0) else Binary("+", left, right)


@dataclass
class Storage:
    """The variables of the system, by the leaves of each slot's symbols and of global ones (slot None).

    A leaf in `fixed` has one value as long as its process lives: it needs no variable.
    """

    variables: list[Variable] = field(default_factory=list)
    fixed: dict[tuple[int | None, Leaf], int] = field(default_factory=dict)
    _numbers: dict[tuple[int | None, Leaf], int] = field(default_factory=dict)
    _named: Counter[tuple[int | None, str]] = field(default_factory=Counter)

    def add(self, name: str, type_: Range, initial: tuple[int, ...], length: int | None, owner: int | None) -> int:
        self.variables.append(Variable(name, type_, initial, length, owner))
        return len(self.variables) - 1

    def declare(self, slot: int | None, prefix: str, symbol: Symbol, initial: dict[Leaf, tuple[int, ...]]) -> None:
        """Give the leaves of a symbol their variables, except those that are fixed."""
        for leaf in leaves(symbol):
            if (slot, leaf) in self.fixed:
                continue
            name = self._own_name(slot, prefix + ".".join(part.name for part in leaf))
            length = extent(leaf)
            values = initial.get(leaf, (0,) * (length or 1))
            self._numbers[slot, leaf] = self.add(name, range_of_leaf(leaf), values, length, slot)

    def _own_name(self, slot: int | None, name: str) -> str:
        """The name, or `name#2` and so on: two blocks of a process may each declare a variable of that name."""
        self._named[slot, name] += 1
        count = self._named[slot, name]
        return name if count == 1 else f"{name}#{count}"

    def variable(self, slot: int | None, leaf: Leaf) -> int | None:
        """The variable of a leaf; None if it is fixed, or this slot does not have it."""
        return self._numbers.get((slot, leaf))

    def read(self, slot: int | None, leaf: Leaf, index: Expression | None) -> Expression:
        fixed = self.fixed.get((slot, leaf))
        return Constant(fixed) if fixed is not None else Read(self._numbers[slot, leaf], index)

    def locals_of(self, slot: int) -> list[int]:
        """The variables that belong to a slot, of all its proctypes."""
        return [number for (owner, _), number in self._numbers.items() if owner == slot]


def leaf_of(parts: tuple[Part, ...]) -> Leaf:
    return tuple(part.symbol for part in parts)
