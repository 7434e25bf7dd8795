"""Random systems by Hypothesis, which shrinks them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import TypeVar

from hypothesis import strategies as st
from tests.random_systems.generator import Generator
from tests.random_systems.profiles import SHRINKABLE, Bounds, Profile

from scrimp.system.system import System

T = TypeVar("T")


class Drawn:
    def __init__(self, draw: st.DrawFn) -> None:
        self._draw = draw

    def number(self, low: int, high: int) -> int:
        return self._draw(st.integers(low, high)) if low < high else low

    def chance(self, percent: int) -> bool:
        return percent > 0 and self._draw(st.integers(0, 99)) >= 100 - percent

    def some(self, bounds: Bounds, make: Callable[[int], T]) -> list[T]:
        """A list of parts rather than a loop, so that Hypothesis knows which choices belong together."""
        low, high = bounds
        numbers = count()
        return self._draw(st.lists(st.builds(lambda: make(next(numbers))), min_size=low, max_size=high))


@st.composite
def systems(draw: st.DrawFn, profile: Profile = SHRINKABLE) -> System:
    """Systems that shrink: fewer parts, simpler expressions, smaller numbers."""
    return Generator(Drawn(draw), profile).system()
