"""What a search found, as values: violations, goals that were reached, and how far the search went."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from scrimp.left_out import LeftOut
from scrimp.statistics import Statistics
from scrimp.steps import Trace
from scrimp.system.violations import ViolationKind
from scrimp.verdict import Extent


@dataclass(frozen=True, slots=True)
class Violation:
    """A state, an event or an infinite run that must not occur, and how to get there. `name` is that of the property,
    if it has one; `trace` is None if no more traces were asked for; `notes` say for each process why the run is fair.

    Example:
        >>> import scrimp
        >>> violation = scrimp.check("models/broken_lock.dve").violations[0]
        >>> violation.kind, violation.message
        (<ViolationKind.INVARIANT: 'invariant'>, 'First.critical: inside == 1 does not hold')
    """

    kind: ViolationKind
    name: str
    message: str
    trace: Trace | None = None
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        trace = None if self.trace is None else self.trace.to_dict()
        record = {"kind": self.kind.value, "name": self.name, "message": self.message}
        return record | {"notes": list(self.notes), "trace": trace}


@dataclass(frozen=True, slots=True)
class Goal:
    """A state that must be reachable, with its witness if one was found.

    Example:
        >>> import scrimp
        >>> goal = scrimp.check("models/peterson.dve", reach="First.critical").goals[0]
        >>> goal.reached, len(goal.witness.steps)
        (True, 3)
    """

    name: str
    witness: Trace | None = None

    @property
    def reached(self) -> bool:
        return self.witness is not None

    def to_dict(self) -> dict[str, Any]:
        trace = None if self.witness is None else self.witness.to_dict()
        return {"name": self.name, "reached": self.reached, "trace": trace}


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What a search found, how far it went, and which questions were left out. `untraced` counts the violations that
    have no trace."""

    violations: Sequence[Violation]
    goals: Sequence[Goal]
    extent: Extent
    statistics: Statistics
    untraced: int = 0
    left_out: Sequence[LeftOut] = ()
