"""Pseudo-root states (PY97): what nothing unexplored leads to is forgotten for good."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Annotated, Literal

from scrimp.errors import OptionError
from scrimp.strategies.stores import Store
from scrimp.strategies.values import WholeNumber

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
    def forgets_for_good(self) -> bool:
        return True

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

    def remedy_when_full(self, stored: int) -> str:
        return f"it is longer than {stored:,} states; twice the room may do: {self.doubled()}"

    def remedy_without_memory(self, visited: int) -> str:
        if visited:
            return "not even the path has room in it; twice the memory may do"
        if self.source != "counted":
            return ""
        return "the search that counts what leads to states stores all; source=inverse, where it is possible, does not"

    def doubled(self) -> Pseudoroot:
        """With twice the room; one that is given no states has what there is."""
        return self if self.states is None else replace(self, states=2 * self.states)
