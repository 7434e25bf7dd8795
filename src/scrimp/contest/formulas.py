"""Formulas of property files as properties: goals of a search decide them."""

from __future__ import annotations

from dataclasses import dataclass, field

from scrimp.evidence import Evidence, Violation
from scrimp.properties import Judgement, Property
from scrimp.system.violations import ViolationKind
from scrimp.verdict import Verdict

GROWS = "some place exceeds its limit on the way, so not every marking was visited"


@dataclass(frozen=True)
class Formula(Property):
    """`name` is the formula's id, `formula` what it says. A violation of the model refutes none of them."""

    name: str = field()
    formula: str = ""

    @property
    def text(self) -> str:
        return f"{self.name}: {self.formula}"

    def is_violated_by(self, violation: Violation) -> bool:
        return False

    def is_reached(self, evidence: Evidence) -> bool:
        return any(goal.reached for goal in evidence.goals if goal.name == self.name)

    def unreached(self, verdict: Verdict, reason: str, evidence: Evidence) -> Judgement:
        """The verdict if the goal was not reached: none if not every marking was visited."""
        if evidence.statistics.violations > evidence.statistics.deadlocks:
            return Judgement(self, Verdict.UNDETERMINED, GROWS)
        if evidence.extent.is_complete:
            return Judgement(self, verdict, reason)
        return Judgement(self, *evidence.extent.verdict)


@dataclass(frozen=True)
class PossibleFormula(Formula):
    """Its goal is a marking that it asks for."""

    kind = "reach"

    def judge(self, evidence: Evidence) -> Judgement:
        if self.is_reached(evidence):
            return Judgement(self, Verdict.PROVED, "such a marking is reachable")
        return self.unreached(Verdict.REFUTED, "no such marking is reachable", evidence)


@dataclass(frozen=True)
class InvariableFormula(Formula):
    """Its goal is a marking that violates it."""

    kind = ViolationKind.INVARIANT

    def judge(self, evidence: Evidence) -> Judgement:
        if self.is_reached(evidence):
            return Judgement(self, Verdict.REFUTED, "a marking that violates it is reachable")
        return self.unreached(Verdict.PROVED, "every reachable marking satisfies it", evidence)


@dataclass(frozen=True)
class DeadlockFormula(Formula):
    """Decided by the deadlocks that the search counts."""

    kind = "reach"
    is_kept_with_deadlocks = True

    def judge(self, evidence: Evidence) -> Judgement:
        if evidence.statistics.deadlocks:
            return Judgement(self, Verdict.PROVED, "a dead marking is reachable")
        return self.unreached(Verdict.REFUTED, "no dead marking is reachable", evidence)


@dataclass(frozen=True)
class BoundFormula(Formula):
    """Asks for a number; proved if that is known, which is `tokens` then. Several searches decide it: see `bounds`."""

    kind = "bound"
    tokens: int | None = None


@dataclass(frozen=True)
class BranchingFormula(Formula):
    """A formula of CTL, which no search here decides."""

    kind = "ctl"

    @property
    def text(self) -> str:
        return f"{self.name}: a formula of CTL"
