"""Partial-order reductions: which enabled events need not be fired.

Reductions combine: `Local() + Sleep(mode="paper")` is `local+sleep:mode=paper`, each part with its own options.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from scrimp.strategies.strategy import Strategy

LocalityRule: TypeAlias = Literal["computed", "declared_places", "declared"]
"""When an event is safe. `computed`: the location of its process is safe (reduction/locality.py). `declared_places`: no
event of that location touches anything but what its process declares, as for HGP92's Table II. `declared`: the event
itself touches nothing else, as the text of HGP92 says."""
Mode = Literal["exact", "paper"]
LocalMode = Literal["exact", "paper", "printed"]


@dataclass(frozen=True, kw_only=True)
class Reduction(Strategy):
    """Which enabled events need not be fired.

    Example:
        >>> import scrimp
        >>> str(scrimp.Local() + scrimp.Sleep())
        'local+sleep'
    """

    role = "reduction"

    @property
    def parts(self) -> tuple[Reduction, ...]:
        """The reductions that this one combines, or itself."""
        return (self,)

    @property
    def exact(self) -> bool:
        """Whether it preserves what it promises; an algorithm as printed in a paper may not."""
        return True

    @property
    def keeps_all_states(self) -> bool:
        return True

    @property
    def keeps_violations(self) -> bool:
        """Whether it preserves faults, violated invariants and goals; deadlocks are always preserved."""
        return True

    @property
    def keeps_runs(self) -> bool:
        """Whether it can choose events by the state alone, so that for each infinite run one with the same changes is
        left."""
        return False

    @property
    def selects(self) -> bool:
        """Whether it may select a part of the processes to continue alone."""
        return False

    @property
    def sleeps(self) -> bool:
        """Whether it has sleep sets: events that need not be fired because another order of them was explored."""
        return False

    @property
    def stores_marks(self) -> bool:
        """Whether it stores a sleep set with each state."""
        return False

    @property
    def leaves_out(self) -> bool:
        """Whether some enabled events may not be fired."""
        return self.selects or self.sleeps

    @property
    def needs_stack(self) -> bool:
        """Whether its choices depend on the path from the initial state to the one being expanded. Those of a selection
        do only as printed in a paper: in other orders its proviso is about ranks (engine/reduction/ranks.h)."""
        return self.sleeps or not self.exact

    @property
    def locality(self) -> LocalityRule | None:
        """The rule by which an event is local to its process; None if it does not matter."""
        return None

    @property
    def looks_ahead(self) -> bool:
        """Whether it asks what processes may access later."""
        return False

    @property
    def takes_table_as_printed(self) -> bool:
        """Whether a test of a channel depends on every operation on it, as in HGP92's Table I; GHP92 and HGP92 measured
        with that table."""
        return False

    def __add__(self, other: Reduction) -> Combined:
        if not isinstance(other, Reduction):
            return NotImplemented
        return Combined(of=(*self.parts, *other.parts))


@dataclass(frozen=True, kw_only=True)
class NoReduction(Reduction):
    """No reduction: every enabled event is fired.

    Example:
        >>> import scrimp
        >>> scrimp.NoReduction().leaves_out
        False
    """

    name = "none"


@dataclass(frozen=True, kw_only=True)
class SleepSets(Reduction):
    """The common part of `sleep` and `conflict`: they visit all states by fewer transitions. `mode=paper` is the
    algorithm as printed, which may miss states."""

    sleeps = True
    mode: Mode = "exact"

    @property
    def exact(self) -> bool:
        return self.mode == "exact"

    @property
    def stores_marks(self) -> bool:
        return self.mode == "exact"  # as printed, only states on the path have sleep sets

    @property
    def takes_table_as_printed(self) -> bool:
        return self.mode == "paper"


@dataclass(frozen=True, kw_only=True)
class Sleep(SleepSets):
    """Sleep sets, stored with the states: only one order of independent events is explored. `mode=paper` is figure 3 of
    GHP92, in which an event that leads back to the search path is not put to sleep.

    Example:
        >>> import scrimp
        >>> scrimp.check("models/peterson.dve", reduction=scrimp.Sleep()).method.order
        DepthFirst()
    """

    name = "sleep"


@dataclass(frozen=True, kw_only=True)
class Conflict(SleepSets):
    """Conflict sets, HGP92's form of sleep sets: when they are stored with the states, both are the same. `mode=paper`
    is Algorithm 3 of HGP92, which puts every event to sleep.

    Example:
        >>> import scrimp
        >>> scrimp.check("models/peterson.dve", reduction="conflict").verdict
        <Verdict.PROVED: 'proved'>
    """

    name = "conflict"


@dataclass(frozen=True, kw_only=True)
class Local(Reduction):
    """Reduced search: a process whose next events are all local continues alone, if that leads off the search path.
    `mode=paper` calls an event local if it touches only what its process declares, as for Table II of HGP92.
    `mode=printed` is Algorithm 2 as printed, which looks at enabled events only and may miss states.

    Example:
        >>> import scrimp
        >>> scrimp.check("models/peterson.dve", reduction=scrimp.Local()).verdict
        <Verdict.PROVED: 'proved'>
    """

    name = "local"
    keeps_all_states = False
    selects = True
    mode: LocalMode = "exact"

    @property
    def exact(self) -> bool:
        return self.mode == "exact"

    @property
    def keeps_runs(self) -> bool:
        return self.exact

    @property
    def locality(self) -> LocalityRule:
        rules: dict[LocalMode, LocalityRule] = {"exact": "computed", "paper": "declared_places", "printed": "declared"}
        return rules[self.mode]


@dataclass(frozen=True, kw_only=True)
class WithProviso(Reduction):
    """The common part of `overman` and `stubborn`: they preserve deadlocks and, with `proviso`, goals, violated
    assertions and violated invariants."""

    keeps_all_states = False
    selects = True
    proviso: bool = True

    @property
    def keeps_violations(self) -> bool:
        return self.proviso


@dataclass(frozen=True, kw_only=True)
class Overman(WithProviso):
    """Overman's method: processes that share nothing with the future of the others continue alone. `refined` considers
    only the statements ahead of each process; `original` selects the fewest processes, not the fewest events.

    Example:
        >>> import scrimp
        >>> scrimp.check("models/peterson.dve", reduction="overman").verdict
        <Verdict.PROVED: 'proved'>
    """

    name = "overman"
    looks_ahead = True
    refined: bool = False
    original: bool = False


@dataclass(frozen=True, kw_only=True)
class Stubborn(WithProviso):
    """Valmari's stubborn sets: no event outside the set can disable an event of it, or enable another one.

    Example:
        >>> import scrimp
        >>> scrimp.explore("models/philosophers.dve", reduction="stubborn").statistics.deadlocks
        1
    """

    name = "stubborn"

    @property
    def keeps_runs(self) -> bool:
        return self.proviso


@dataclass(frozen=True, kw_only=True)
class Combined(Reduction):
    """Several reductions together.

    Example:
        >>> import scrimp
        >>> scrimp.Combined(of=(scrimp.Local(), scrimp.Sleep())) == scrimp.Local() + scrimp.Sleep()
        True
    """

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
    def locality(self) -> LocalityRule | None:
        return next((part.locality for part in self.of if part.locality is not None), None)

    @property
    def looks_ahead(self) -> bool:
        return any(part.looks_ahead for part in self.of)

    @property
    def takes_table_as_printed(self) -> bool:
        return any(part.takes_table_as_printed for part in self.of)
