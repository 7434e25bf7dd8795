"""The ComBack method (EWK09): for each state, a hash and the event that led to it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Annotated, Literal

from scrimp.errors import OptionError
from scrimp.numbers import counted
from scrimp.statistics import Statistics
from scrimp.strategies.capacities import Room, read_capacity
from scrimp.strategies.keeping import STRATEGY, Kept, kept
from scrimp.strategies.orders import Order
from scrimp.strategies.reported import Reported
from scrimp.strategies.stores import Store
from scrimp.strategies.values import WholeNumber

# Shares of the states seen so far. Depth-first, states are rebuilt along long paths, so a larger cache pays.
CACHE_BREADTH_FIRST, CACHE_DEPTH_FIRST = "2%", "10%"


@dataclass(frozen=True, kw_only=True)
class Comback(Store):
    """Stores a hash of each state and the event that led to it; if two hashes are equal, the states are rebuilt and
    compared. `strategy` says which full states are cached to rebuild others from, and `cache` how many (a share is a
    share of the states seen so far). `delay` collects `candidates` and compares them together. A queue of `numbers`
    rebuilds a `group` of states together. Shares for `candidates` and `group` are shares of the cache. Without sizes, a
    quarter of the memory that the limit leaves is split as EWK09 recommends; without a limit the cache is small.
    `mode=paper` caches and compares as printed, without comparing at the end of each level: levels and depths may be
    wrong.

    Example:
        >>> import scrimp
        >>> scrimp.check("models/peterson.dve", store=scrimp.Comback(hash=32)).verdict
        <Verdict.PROVED: 'proved'>
    """

    name = "comback"
    may_forget = False
    has_marks = False
    rebuilds_states = True
    reports = tuple(Reported(f"reconstructions.{number}") for number in ("states", "events", "detections"))
    hash: Annotated[int, WholeNumber(1, 56)] | None = None
    cache: Room | None = None
    strategy: Annotated[str, STRATEGY] = "F80-D20"
    k: Annotated[int, WholeNumber(1, 1_000_000)] = 5
    delay: bool = True
    candidates: Room | None = None
    queue: Literal["numbers", "states"] = "numbers"
    group: Room | None = None
    mode: Literal["exact", "paper"] = "exact"
    seed: Annotated[int, WholeNumber(0)] = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        keeping = {part.keeping for part in self.parts}
        for option, is_changed, is_used, users in (
            ("cache", self.cache is not None, bool(keeping), "a strategy"),
            ("k", self.k != 5, bool(keeping & {"fifo", "distance", "level"}), "the strategy F, D or L"),
            ("seed", self.seed != 0, "random" in keeping, "the strategy R"),
            ("candidates", self.candidates is not None, self.delay, "delay=true"),
            ("group", self.group is not None, self.queue == "numbers", "queue=numbers"),
        ):
            if is_changed and not is_used:
                raise OptionError(f"{self._subject}: option '{option}' needs {users}")
        for option, room in (("candidates", self.candidates), ("group", self.group)):
            if room is not None and read_capacity(room).share and self.cache is None:
                raise OptionError(
                    f"{self._subject}: option '{option}' is a share of the cache and needs the option 'cache'"
                )

    @property
    def exact(self) -> bool:
        return self.mode == "exact"

    @property
    def arranges_queue(self) -> bool:
        return self.queue != "numbers" or self.group is not None

    @property
    def parts(self) -> tuple[Kept, ...]:
        """The caches of full states."""
        return kept(self.strategy)

    def rows(self, statistics: Statistics) -> Iterator[tuple[str, list[str]]]:
        states, events, detections = (statistics[each.name] for each in self.reports)
        if states:
            parts = [counted(states, "state"), f"by {counted(events, 'event')}"]
            parts.append(f"{statistics.events_per_transition:.2f} events per transition")
            yield "rebuilt", parts + ([counted(detections, "detection")] if detections else [])

    def sized(self, order: Order, room: int) -> Comback:
        if self.cache is not None or not self.parts:
            return self
        return replace(self, cache=CACHE_DEPTH_FIRST if order.keeps_stack else CACHE_BREADTH_FIRST)
