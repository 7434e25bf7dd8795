"""Pseudo-root states (PY97): what nothing unexplored leads to is forgotten for good."""

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
    """A state is forgotten once everything that leads to it was explored; each is visited once. How much leads to it
    comes from backward transitions (`source=inverse`), from the LTS that the model is (`given`), or from a search that
    comes before (`counted`). That one stores all states, compressed as by `full` with what `by` says, and fills so many
    `counters` of some `bits`, of which each state has as many as there are `functions`. Of a level, `next=fewest`
    explores those states first to which least leads that is unexplored. With more than `states`, or beyond the memory
    limit, states are visited again."""

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
                raise OptionError(f"{self._subject}: option '{option.name}' has an effect only with source=counted")

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
        parts = [f"counted before, in {duration(seconds)} and {amount(held)}"] if states else []
        parts.append(f"{counted(kept, 'state')} left at the end")
        if discarded:
            parts.append(f"{counted(discarded, 'state')} discarded for lack of room")
        yield "references", [*parts, "begun anew, depth-first"] if restarts else parts

    def remedy(self, ending: Ending, statistics: Statistics) -> str:
        if ending is Ending.CACHE:
            return fuller_path(statistics, self.doubled())
        if ending is not Ending.MEMORY:
            return ""
        if statistics.entered:
            return "not even the path has room in it; twice the memory may do"
        if self.source == "counted":
            return (
                "the search that counts what leads to states stores all; source=inverse, where it is possible, does not"
            )
        return ""

    def doubled(self) -> Pseudoroot:
        """With twice the room; one that is given no states has what there is."""
        return self if self.states is None else replace(self, states=2 * self.states)
