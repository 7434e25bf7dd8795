"""Pseudo-root states (PY97): a state without unexplored predecessors is never visited again, and is evicted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Annotated, Any, Literal

from scrimp.errors import OptionError
from scrimp.numbers import amount, counted, duration
from scrimp.statistics import Statistics
from scrimp.strategies.reported import Reported
from scrimp.strategies.stores import Store, fuller_path
from scrimp.strategies.values import WholeNumber
from scrimp.verdict import Ending

COUNTING = ("by", "counters", "bits", "functions")


@dataclass(frozen=True, kw_only=True)
class Pseudoroot(Store):
    """Evicts a state once all its predecessors are explored; each state is visited once. The in-degree of a state
    comes from backward transitions (`source=inverse`), from an .aut model (`given`), or from a first search that counts
    edges (`counted`). That search stores every state, compressed with the method `by` as in store `full`, and counts in
    a table of `counters` with `bits` each; every state has one counter for each of the hash `functions`. `next=fewest`
    explores, within a level, states with the fewest unexplored predecessors first. Beyond `states` states, or beyond
    the memory limit, states are evicted early and may be visited again.

    Example:
        >>> import scrimp
        >>> scrimp.check("models/peterson.dve", store="pseudoroot").verdict
        <Verdict.PROVED: 'proved'>
    """

    name = "pseudoroot"
    may_forget = True
    has_marks = False
    forgets_for_good = True
    reports = (
        Reported("pseudoroot.kept"),
        Reported("pseudoroot.discarded"),
        Reported("pseudoroot.restarts"),
        Reported("pseudoroot.counted_states"),
        Reported("pseudoroot.counted_bytes"),
        Reported("pseudoroot.counted_seconds", 0.0, digits=6),
    )
    source: Literal["inverse", "given", "counted"] = "inverse"
    next: Literal["arrival", "fewest"] = "arrival"
    states: Annotated[int, WholeNumber(1)] | None = None
    by: Literal["none", "tree", "cleary"] = "cleary"
    counters: Annotated[int, WholeNumber(1)] = 2**24
    bits: Annotated[int, WholeNumber(2, 16)] = 4
    functions: Annotated[int, WholeNumber(1, 8)] = 2

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.bits not in (2, 4, 8, 16):
            raise OptionError(f"{self._subject}: option 'bits' takes 2, 4, 8 or 16, found '{self.bits}'")
        for option in fields(self):
            if option.name in COUNTING and getattr(self, option.name) != option.default and self.source != "counted":
                raise OptionError(f"{self._subject}: option '{option.name}' needs source=counted")

    @property
    def arranges_queue(self) -> bool:
        return self.next != "arrival"

    @property
    def uses_in_degrees(self) -> bool:
        return self.source != "counted"

    @property
    def needs_explicit_system(self) -> bool:
        return self.source == "given"

    @property
    def capacity(self) -> int | None:
        return self.states

    def has_forgotten(self, visits: int, report: Mapping[str, Any]) -> bool:
        return self.lost_its_levels(report)

    def lost_its_levels(self, report: Mapping[str, Any]) -> bool:
        return any(report.get(f"pseudoroot.{number}") for number in ("discarded", "restarts"))

    def rows(self, statistics: Statistics) -> Iterator[tuple[str, list[str]]]:
        kept, discarded, restarts, states, held, seconds = (statistics[each.name] for each in self.reports)
        parts = [f"edges counted first, in {duration(seconds)} and {amount(held)}"] if states else []
        parts.append(f"{counted(kept, 'state')} left at the end")
        if discarded:
            parts.append(f"{counted(discarded, 'state')} evicted early for lack of room")
        yield "references", [*parts, "restarted depth-first"] if restarts else parts

    def remedy(self, ending: Ending, statistics: Statistics) -> str:
        if ending is Ending.CACHE:
            return fuller_path(statistics, self, self.doubled())
        if ending is not Ending.MEMORY:
            return ""
        if statistics.entered:
            return "the search path alone needs more; try twice the memory"
        if self.source == "counted":
            return "the search that counts edges stores every state; source=inverse, if the model allows it, does not"
        return ""

    def doubled(self) -> Pseudoroot:
        """The store with twice the room; without `states` it already has all the memory there is."""
        return self if self.states is None else replace(self, states=2 * self.states)
