"""Stores that trust a hash: a state may be taken for another, so that nothing is proved; what they refute is wrong."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated

from scrimp.strategies.orders import Order
from scrimp.strategies.stores import Store
from scrimp.strategies.values import AmountOfMemory, WholeNumber

_LARGEST_BY_ITSELF = 2**28


@dataclass(frozen=True, kw_only=True)
class Compact(Store):
    """Hash compaction: of each state `hash` bits of a hash. Inexact: never PROVED."""

    name = "compact"
    may_forget = False
    exact = False
    has_marks = False
    hash: Annotated[int, WholeNumber(1, 64)] = 64


@dataclass(frozen=True, kw_only=True)
class Bitstate(Store):
    """A table of bits, of which each state sets as many as there are `functions`; without `bytes` it takes three
    quarters of what the memory limit leaves, and 256 MiB at the most where there is none. Inexact: never PROVED."""

    name = "bitstate"
    may_forget = False
    exact = False
    has_marks = False
    bytes: Annotated[int, AmountOfMemory()] | None = None
    functions: Annotated[int, WholeNumber(1, 28)] = 3

    @property
    def table_bytes(self) -> int | None:
        return self.bytes

    def sized(self, order: Order, room: int) -> Bitstate:
        """Pages of a larger table would take longer to clear than most searches do."""
        return self if self.bytes is not None else replace(self, bytes=min(_LARGEST_BY_ITSELF, room // 4 * 3))
