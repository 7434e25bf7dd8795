"""Snapshots of levels (MW09): a breadth-first search that remembers some of its levels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from scrimp.errors import OptionError
from scrimp.strategies.stores import Store
from scrimp.strategies.streams import STREAM, CacheStream, stream
from scrimp.strategies.values import WholeNumber


@dataclass(frozen=True, kw_only=True)
class Snapshots(Store):
    """Some levels, each for a while: `caches` says which and how long, as a preset or as MW09 writes it; `caches=` may
    be left out. `backtracking` learns states that are met again and again. Some snapshots are `permanent`, so that the
    search ends; without them it needs a limit of its depth."""

    name = "snapshots"
    may_forget = True
    has_marks = False
    unnamed: ClassVar[str | None] = "caches"
    caches: Annotated[str, STREAM] = "frontier-safety-net"
    backtracking: bool = True
    permanent: bool = True
    seed: Annotated[int, WholeNumber(0)] = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.seed and not any(cache.leaving == "random" for cache in self.stream.caches):
            raise OptionError(f"{self._subject}: option 'seed' has an effect only with a cache of kind RND")

    @property
    def remembers_levels(self) -> bool:
        return True

    @property
    def ends_by_itself(self) -> bool:
        return self.permanent

    @property
    def stream(self) -> CacheStream:
        """The caches through which snapshots pass."""
        return stream(self.caches)
