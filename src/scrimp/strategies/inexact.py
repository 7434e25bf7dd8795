"""Stores that rely on hashes alone. A collision loses a state, so they prove nothing, but violations that they find are
real."""

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
    """The common part of stores that rely on hashes: they estimate how many states were lost to hash collisions."""

    may_forget = False
    exact = False
    has_marks = False
    has_shards = True
    reports = (Reported("expected_omissions", 0.0),)

    def remarks(self, verdict: Verdict, reduction: Reduction, statistics: Statistics) -> Iterator[tuple[str, str]]:
        if expected := statistics["expected_omissions"]:
            yield "omissions", f"about {estimate(expected)} states lost to hash collisions, by estimate"

    def doubt(self, statistics: Statistics) -> str:
        expected = statistics["expected_omissions"]
        if not expected:
            return super().doubt(statistics)
        if expected >= 0.95:
            number = f"{expected:,.0f} state{'' if expected < 1.5 else 's'}"
            verb = "was" if expected < 1.5 else "were"
            return (
                f"about {number} {verb} probably lost to hash collisions, with everything reachable only through them"
            )
        number = "fewer than 0.001" if expected < 0.001 else f"about {expected:.1g}"
        return f"states may have been lost to hash collisions; {number} are expected"


@dataclass(frozen=True, kw_only=True)
class Compact(Hashing):
    """Hash compaction: stores `hash` bits of a hash of each state. Inexact: never PROVED.

    Example:
        >>> import scrimp
        >>> scrimp.check("models/peterson.dve", store=scrimp.Compact(hash=40)).verdict
        <Verdict.UNDETERMINED: 'undetermined'>
    """

    name = "compact"
    hash: Annotated[int, WholeNumber(1, 64)] = 64


@dataclass(frozen=True, kw_only=True)
class Bitstate(Hashing):
    """A Bloom filter: each state sets one bit for each of the hash `functions`. Without `bytes`, the table takes three
    quarters of the memory that the limit leaves or, without a limit, at most 256 MiB. Inexact: never PROVED.

    Example:
        >>> import scrimp
        >>> scrimp.check("models/broken_lock.dve", store="bitstate:functions=2").verdict
        <Verdict.REFUTED: 'refuted'>
    """

    name = "bitstate"
    bytes: Annotated[int, AmountOfMemory()] | None = None
    functions: Annotated[int, WholeNumber(1, 28)] = 3

    @property
    def table_bytes(self) -> int | None:
        return self.bytes

    def sized(self, order: Order, room: int) -> Bitstate:
        """Clearing the pages of a larger table would take longer than most searches do."""
        return self if self.bytes is not None else replace(self, bytes=min(_LARGEST_BY_ITSELF, room // 4 * 3))
