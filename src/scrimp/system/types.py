"""Types of the intermediate representation: bounded integers and what happens outside their range."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Range:
    """The integers `low`…`high`. A value outside wraps around if `wraps` is true, and is a fault otherwise."""

    low: int
    high: int
    wraps: bool = True

    @property
    def size(self) -> int:
        return self.high - self.low + 1

    def contains(self, value: int) -> bool:
        return self.low <= value <= self.high

    def wrap(self, value: int) -> int:
        return self.low + (value - self.low) % self.size


BIT = Range(0, 1)
BYTE = Range(0, 255)
SHORT = Range(-(2**15), 2**15 - 1)
INT = Range(-(2**31), 2**31 - 1)
