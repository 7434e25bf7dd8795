"""Which events need not be fired.

Reductions combine: `Local() + Sleep(mode="paper")` is `local+sleep:mode=paper`, each part with its own options.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from scrimp.strategies.strategy import Strategy

LocalityRule: TypeAlias = Literal["computed", "declared_places", "declared"]
"""When an event is safe: where its leader's place is (reduction/locality.py); where all that leaves the place touches
nothing but what is declared in its process, as HGP92's Table II was measured; where the event itself does, as its text
has it."""
Mode = Literal["exact", "paper"]
LocalMode = Literal["exact", "paper", "printed"]


@dataclass(frozen=True, kw_only=True)
class Reduction(Strategy):
    """Which events need not be fired."""

    role = "reduction"

    @property
    def parts(self) -> tuple[Reduction, ...]:
        """Those that this one combines, or itself."""
        return (self,)

    @property
    def exact(self) -> bool:
        """Whether it keeps what it promises; what a paper prints may not."""
        return True

    @property
    def keeps_all_states(self) -> bool:
        return True

    @property
    def keeps_violations(self) -> bool:
        """Whether faults, violated invariants and goals are found; deadlocks always are."""
        return True

    @property
    def selects(self) -> bool:
        """Whether it lets, where it suffices, a part of the processes go on alone."""
        return False

    @property
    def sleeps(self) -> bool:
        """Whether it knows events that need not be fired because another order of the same events was."""
        return False

    @property
    def stores_marks(self) -> bool:
        """Whether it remembers something of each stored state."""
        return False

    @property
    def leaves_out(self) -> bool:
        """Whether some enabled events may not be fired."""
        return self.selects or self.sleeps

    @property
    def needs_stack(self) -> bool:
        """Whether what may be left out depends on the states between the initial one and the one being expanded."""
        return self.leaves_out

    @property
    def locality(self) -> LocalityRule:
        """By which rule an event is local to its process."""
        return "computed"

    @property
    def takes_table_as_printed(self) -> bool:
        """Whether who looks at a channel depends on all that is done to it, as in HGP92's Table I: the figures of both
        papers are those of that table."""
        return False

    def __add__(self, other: Reduction) -> Combined:
        if not isinstance(other, Reduction):
            return NotImplemented
        return Combined(of=(*self.parts, *other.parts))


@dataclass(frozen=True, kw_only=True)
class NoReduction(Reduction):
    """Every enabled event is fired."""

    name = "none"


@dataclass(frozen=True, kw_only=True)
class SleepSets(Reduction):
    """What `sleep` and `conflict` have in common: all states, fewer transitions. `mode=paper` is the algorithm as
    printed, which may miss states."""

    sleeps = True
    mode: Mode = "exact"

    @property
    def exact(self) -> bool:
        return self.mode == "exact"

    @property
    def stores_marks(self) -> bool:
        return self.mode == "exact"  # as printed, sets are those of the path

    @property
    def takes_table_as_printed(self) -> bool:
        return self.mode == "paper"


@dataclass(frozen=True, kw_only=True)
class Sleep(SleepSets):
    """Sleep sets, stored with the states: of the orders of independent events one is fired. `mode=paper`: figure 3 of
    GHP92, where an event that leads back to the path is not put to sleep."""

    name = "sleep"


@dataclass(frozen=True, kw_only=True)
class Conflict(SleepSets):
    """Conflict sets: sleep sets kept as HGP92 keeps them; stored with the states they are the same. `mode=paper`: its
    Algorithm 3, which puts every event to sleep."""

    name = "conflict"


@dataclass(frozen=True, kw_only=True)
class Local(Reduction):
    """Reduced search: a process whose next events are all local goes on alone, if that leads off the path.
    `mode=paper`: local is what touches nothing but what its process declares, as Table II of HGP92 was measured;
    `mode=printed`: Algorithm 2 as its text has it, which looks at enabled events only and may miss states."""

    name = "local"
    keeps_all_states = False
    selects = True
    mode: LocalMode = "exact"

    @property
    def exact(self) -> bool:
        return self.mode == "exact"

    @property
    def locality(self) -> LocalityRule:
        rules: dict[LocalMode, LocalityRule] = {"exact": "computed", "paper": "declared_places", "printed": "declared"}
        return rules[self.mode]


@dataclass(frozen=True, kw_only=True)
class WithProviso(Reduction):
    """What `overman` and `stubborn` have in common: they keep deadlocks, and with `proviso` what assertions, invariants
    and goals ask for as well."""

    keeps_all_states = False
    selects = True
    proviso: bool = True

    @property
    def keeps_violations(self) -> bool:
        return self.proviso


@dataclass(frozen=True, kw_only=True)
class Overman(WithProviso):
    """Overman's method: processes that share nothing with what the others may still do go on alone. `refined` looks at
    what is ahead of each process only; `original` takes the fewest processes, not the fewest events."""

    name = "overman"
    refined: bool = False
    original: bool = False


@dataclass(frozen=True, kw_only=True)
class Stubborn(WithProviso):
    """Valmari's stubborn sets: events that nothing outside the set can disable, or enable another one of."""

    name = "stubborn"


@dataclass(frozen=True, kw_only=True)
class Combined(Reduction):
    """Several reductions, each leaving out what it may."""

    name = "combined"
    of: tuple[Reduction, ...]

    def __post_init__(self) -> None:
        """The parts have checked their own options."""

    def __str__(self) -> str:
        return "+".join(map(str, self.of))

    def to_dict(self) -> dict[str, Any]:
        return {"name": "+".join(part.name for part in self.of), "parts": [part.to_dict() for part in self.of]}

    @property
    def parts(self) -> tuple[Reduction, ...]:
        return self.of

    @property
    def exact(self) -> bool:
        return all(part.exact for part in self.of)

    @property
    def keeps_all_states(self) -> bool:
        return all(part.keeps_all_states for part in self.of)

    @property
    def keeps_violations(self) -> bool:
        return all(part.keeps_violations for part in self.of)

    @property
    def selects(self) -> bool:
        return any(part.selects for part in self.of)

    @property
    def sleeps(self) -> bool:
        return any(part.sleeps for part in self.of)

    @property
    def stores_marks(self) -> bool:
        return any(part.stores_marks for part in self.of)

    @property
    def locality(self) -> LocalityRule:
        return next((part.locality for part in self.of if part.selects), "computed")

    @property
    def takes_table_as_printed(self) -> bool:
        return any(part.takes_table_as_printed for part in self.of)
