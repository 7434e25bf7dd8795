"""The levels of a breadth-first search. There may be as many levels as states, so their numbers stay packed."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from operator import eq
from typing import Any, SupportsIndex, overload


class Levels(Sequence[tuple[int, int]]):
    """States and transitions of each level; equal to any sequence of such pairs."""

    __slots__ = ("_numbers",)

    def __init__(self, numbers: Sequence[int]) -> None:
        """`numbers` holds one pair after the other. They are not copied, and must not change."""
        self._numbers = numbers

    def __len__(self) -> int:
        return len(self._numbers) // 2

    @overload
    def __getitem__(self, index: SupportsIndex) -> tuple[int, int]: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[tuple[int, int], ...]: ...
    def __getitem__(self, index: SupportsIndex | slice) -> tuple[int, int] | tuple[tuple[int, int], ...]:
        places = range(len(self))[index]
        if isinstance(places, range):
            return tuple(map(self._level, places))
        return self._level(places)

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return map(self._level, range(len(self)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence):
            return NotImplemented
        return len(self) == len(other) and all(map(eq, self, other))

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"<{len(self)} levels>"

    def __reduce__(self) -> tuple[Any, ...]:
        return Levels, (array("Q", self._numbers),)

    def _level(self, place: int) -> tuple[int, int]:
        return self._numbers[2 * place], self._numbers[2 * place + 1]
