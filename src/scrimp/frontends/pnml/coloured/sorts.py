"""Sorts: the finite sets of colours that tokens are taken from.

A colour of a basic sort is a number; one of a product is the sequence of its parts' colours, flattened if products are
nested. So every colour is a tuple of numbers, and every sort a tuple of basic sorts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import TypeAlias

Colour: TypeAlias = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Basic:
    """The numbers `low`…`high`: a range of integers, or the elements of an enumeration, which have names."""

    low: int
    high: int
    names: tuple[str, ...] | None = None

    @property
    def size(self) -> int:
        return self.high - self.low + 1

    def name(self, number: int) -> str:
        return str(number) if self.names is None else self.names[number]

    def stepped(self, number: int, steps: int) -> int:
        """The element so many steps after a number; the last is followed by the first."""
        return self.low + (number - self.low + steps) % self.size


Sort: TypeAlias = tuple[Basic, ...]

DOT: Sort = (Basic(0, 0, ("dot",)),)
BOOL: Sort = (Basic(0, 1, ("false", "true")),)


def enumeration(names: tuple[str, ...]) -> Basic:
    return Basic(0, len(names) - 1, names)


def size(sort: Sort) -> int:
    return prod(basic.size for basic in sort)


def colours(sort: Sort) -> Iterator[Colour]:
    return product(*(range(basic.low, basic.high + 1) for basic in sort))


def contains(sort: Sort, colour: Colour) -> bool:
    return len(sort) == len(colour) and all(
        basic.low <= number <= basic.high for basic, number in zip(sort, colour, strict=True)
    )


def comparable(a: Sort, b: Sort) -> bool:
    """Whether colours of two sorts can be compared: those of any two ranges of integers can."""
    return len(a) == len(b) and all(x == y or (x.names is None and y.names is None) for x, y in zip(a, b, strict=True))


def colour_text(sort: Sort, colour: Colour) -> str:
    """A colour as written after the name of a place, as in `Fork(2)` or `Route(a,b)`; empty for the only colour of
    dot."""
    if sort == DOT:
        return ""
    return f"({','.join(basic.name(number) for basic, number in zip(sort, colour, strict=True))})"


def sort_text(sort: Sort) -> str:
    """A sort as messages show it."""
    parts = [_basic_text(basic) for basic in sort]
    return parts[0] if len(parts) == 1 else f"the product of {' and '.join(parts)}"


def _basic_text(basic: Basic) -> str:
    if basic.names is None:
        return f"{basic.low}..{basic.high}"
    shown = basic.names if len(basic.names) <= 3 else (*basic.names[:2], "…", basic.names[-1])
    return "{" + ", ".join(shown) + "}"
