"""Where choices come from: a seeded random number generator, or Hypothesis (`shrinking.py`)."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Protocol, TypeVar

from tests.random_systems.profiles import Bounds

T = TypeVar("T")


class Choices(Protocol):
    def number(self, low: int, high: int) -> int:
        """One of low…high; the lower, the simpler."""

    def chance(self, percent: int) -> bool:
        """True that often; False is simpler."""

    def some(self, bounds: Bounds, make: Callable[[int], T]) -> list[T]:
        """As many as `bounds` allow, each made from its number."""


class Seeded:
    def __init__(self, seed: int) -> None:
        self._random = Random(seed).random

    def number(self, low: int, high: int) -> int:
        return low + int(self._random() * (high - low + 1))

    def chance(self, percent: int) -> bool:
        return self._random() * 100 < percent

    def some(self, bounds: Bounds, make: Callable[[int], T]) -> list[T]:
        return [make(i) for i in range(self.number(*bounds))]
