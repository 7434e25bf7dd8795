"""Stores that trust a hash: a state may be taken for another, so that nothing is proved; what they refute is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Annotated

from scrimp.numbers import estimate
from scrimp.statistics import Statistics
from scrimp.strategies.orders import Order
from scrimp.strategies.reductions import Reduction
from scrimp.strategies.reported import Reported
from scrimp.strategies.stores import Store
from scrimp.strategies.values import AmountOfMemory, WholeNumber
from scrimp.verdict import Verdict

_LARGEST_BY_ITSELF = 2**28


@dataclass(frozen=True, kw_only=True)
class Hashing(Store):
    """What stores that trust a hash have in common: they say how many states they expect to have taken for others."""

    may_forget = False
    exact = False
    has_marks = False
    reports = (Reported("expected_omissions", 0.0),)

    def remarks(self, verdict: Verdict, reduction: Reduction, statistics: Statistics) -> Iterator[tuple[str, str]]:
        if expected := statistics["expected_omissions"]:
            yield "omissions", f"{estimate(expected)} states expected, as far as hashes tell"

    def doubt(self, statistics: Statistics) -> str:
        expected = statistics["expected_omissions"]
        if not expected:
            return super().doubt(statistics)
        number = "fewer than 0.001"
        if expected >= 0.001:
            number = f"about {expected:.1g}" if expected < 1 else f"about {expected:,.0f}"
        behind = ", and what only those lead to was met by nobody" if expected >= 1 else ""
        return f"states may be missing: the store is expected to have taken {number} of them for others{behind}"


@dataclass(frozen=True, kw_only=True)
class Compact(Hashing):
    """Hash compaction: of each state `hash` bits of a hash. Inexact: never PROVED."""

    name = "compact"
    hash: Annotated[int, WholeNumber(1, 64)] = 64


@dataclass(frozen=True, kw_only=True)
class Bitstate(Hashing):
    """A table of bits, of which each state sets as many as there are `functions`; without `bytes` it takes three
    quarters of what the memory limit leaves, and 256 MiB at the most where there is none. Inexact: never PROVED."""

    name = "bitstate"
    bytes: Annotated[int, AmountOfMemory()] | None = None
    functions: Annotated[int, WholeNumber(1, 28)] = 3

    @property
    def table_bytes(self) -> int | None:
        return self.bytes

    def sized(self, order: Order, room: int) -> Bitstate:
        """Pages of a larger table would take longer to clear than most searches do."""
        return self if self.bytes is not None else replace(self, bytes=min(_LARGEST_BY_ITSELF, room // 4 * 3))
