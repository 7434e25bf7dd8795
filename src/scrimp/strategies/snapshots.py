"""Snapshots of levels (MW09): a breadth-first search that stores some of its levels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

from scrimp.errors import OptionError
from scrimp.numbers import count, counted, part
from scrimp.statistics import Statistics
from scrimp.strategies.reported import Reported
from scrimp.strategies.stores import Store
from scrimp.strategies.streams import STREAM, CacheStream, stream
from scrimp.strategies.values import WholeNumber


@dataclass(frozen=True, kw_only=True)
class Snapshots(Store):
    """Keeps some levels, each for a while: `caches` says which and for how long, as a preset or as MW09 writes it;
    `caches=` may be left out. `backtracking` also stores states that are visited again and again. Some snapshots are
    `permanent`, so that the search finishes; without them it needs --depth.

    Example:
        >>> import scrimp
        >>> scrimp.check("models/peterson.dve", store="snapshots").verdict
        <Verdict.PROVED: 'proved'>
    """

    name = "snapshots"
    may_forget = True
    has_marks = False
    remembers_levels = True
    reports = (
        Reported("snapshots.taken"),
        Reported("snapshots.kept"),
        Reported("snapshots.backtracking"),
        Reported("snapshots.hits_by_cache", ()),
        Reported("snapshots.hits_by_open"),
        Reported("snapshots.hits_by_kept"),
        Reported("snapshots.hits_by_backtracking"),
        Reported("snapshots.hits_by_distance", ()),
    )
    unnamed: ClassVar[str | None] = "caches"
    caches: Annotated[str, STREAM] = "frontier-safety-net"
    backtracking: bool = True
    permanent: bool = True
    seed: Annotated[int, WholeNumber(0)] = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.seed and not any(cache.leaving == "random" for cache in self.stream.caches):
            raise OptionError(f"{self._subject}: option 'seed' needs a cache of kind RND")

    @property
    def ends_by_itself(self) -> bool:
        return self.permanent

    @property
    def stream(self) -> CacheStream:
        """The caches that snapshots pass through."""
        return stream(self.caches)

    def rows(self, statistics: Statistics) -> Iterator[tuple[str, list[str]]]:
        if not statistics["snapshots.taken"]:
            return
        parts = [f"{count(statistics['snapshots.taken'])} taken"]
        parts.append(f"{count(statistics['snapshots.kept'])} permanent")
        if learnt := statistics["snapshots.backtracking"]:
            parts.append(f"{counted(learnt, 'state')} learnt")
        yield "snapshots", [*parts, f"each state was visited {statistics.visits_per_state:.1f} times on average"]
        hits = {f"cache {number}": hits for number, hits in enumerate(statistics["snapshots.hits_by_cache"], 1)}
        hits["the open level"] = statistics["snapshots.hits_by_open"]
        hits["permanent snapshots"] = statistics["snapshots.hits_by_kept"]
        hits["learnt states"] = statistics["snapshots.hits_by_backtracking"]
        yield "matched in", _shares(hits)
        yield "levels back", _shares(_distances(statistics["snapshots.hits_by_distance"]))


def _shares(hits: Mapping[str, int]) -> list[str]:
    """The places where visited states were recognised, with the share of each."""
    return [f"{name} {part(number, sum(hits.values()))}" for name, number in hits.items() if number]


def _distances(hits: Sequence[int]) -> dict[str, int]:
    """The numbers of visited states that were recognised, by how many levels back they were stored."""
    ranges = [(2**power, 2 ** (power + 1) - 1) for power in range(len(hits))]
    names = [f"{least}:" if least == most else f"{least} to {most}:" for least, most in ranges]
    return dict(zip(names, hits, strict=True))
