"""Properties: the questions about a model, as values. Each gives its own verdict on the evidence of a search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from scrimp.evidence import Evidence, Violation
from scrimp.fairness import Fairness
from scrimp.left_out import LeftOut
from scrimp.numbers import counted
from scrimp.statistics import Statistics
from scrimp.system.violations import ViolationKind
from scrimp.verdict import Ending, Verdict

# The verdict's reason names at most this many questions that were left out; the record has all of them.
MOST_LISTED = 5

UNTRACED = "violations without a trace were counted, and some of them may violate this property"


@dataclass(frozen=True)
class Property:
    """One question: `kind` is its name in records, `name` distinguishes it from others of its kind, `text` describes it
    in words. Unless a class says otherwise, it must hold everywhere, and a violation of its kind refutes it.

    Example:
        >>> import scrimp
        >>> asked = scrimp.check("models/alternating_bit.pml").properties
        >>> [judgement.property.text for judgement in asked]
        ['no assertion violated', 'no fault', 'no deadlock']
    """

    kind: ClassVar[str]
    is_kept_with_deadlocks: ClassVar[bool] = False  # by a reduction that preserves nothing else
    continues_line: ClassVar[bool] = False  # in a report, on the line of the property before it
    name: str = field(default="", init=False)

    @property
    def text(self) -> str:
        raise NotImplementedError

    def __str__(self) -> str:
        return self.text

    def is_violated_by(self, violation: Violation) -> bool:
        return violation.kind == self.kind

    def may_be_untraced(self, statistics: Statistics) -> bool:
        """Whether violations without a trace may be violations of this property: not if all are of invariants."""
        return statistics.violations > sum(statistics.violations_by_name.values())

    def judge(self, evidence: Evidence) -> Judgement:
        violation = next(filter(self.is_violated_by, evidence.violations), None)
        if violation is not None:
            return Judgement(self, Verdict.REFUTED, violation.message)
        if evidence.untraced and self.may_be_untraced(evidence.statistics):
            lost = evidence.extent.ending is Ending.DISK
            return Judgement(self, Verdict.UNDETERMINED, evidence.extent.verdict[1] if lost else UNTRACED)
        return Judgement(self, *evidence.extent.verdict)


@dataclass(frozen=True)
class Judgement:
    """The verdict on a property after a search, and the reason.

    Example:
        >>> import scrimp
        >>> judgement = scrimp.check("models/broken_lock.dve", allow_deadlock=True).properties[-1]
        >>> judgement.property.name, judgement.verdict
        ('Second.critical: inside == 1', <Verdict.REFUTED: 'refuted'>)
    """

    property: Property
    verdict: Verdict
    reason: str

    def to_dict(self) -> dict[str, Any]:
        asked = {"kind": self.property.kind, "name": self.property.name, "text": self.property.text}
        return asked | {"verdict": self.verdict.value, "reason": self.reason}


@dataclass(frozen=True)
class Assertions(Property):
    """No assertion of the model is violated.

    Example:
        >>> import scrimp
        >>> scrimp.check("models/peterson.dve").properties[0].property == scrimp.Assertions()
        True
    """

    kind = ViolationKind.ASSERTION
    text = "no assertion violated"


@dataclass(frozen=True)
class Faults(Property):
    """No run-time fault, such as a division by zero, occurs.

    Example:
        >>> import scrimp
        >>> scrimp.Faults().text
        'no fault'
    """

    kind = ViolationKind.FAULT
    text = "no fault"
    continues_line = True


@dataclass(frozen=True)
class Deadlock(Property):
    """In every state that is not a valid end, some process can move.

    Example:
        >>> import scrimp
        >>> asked = scrimp.check("models/peterson.dve", allow_deadlock=True).properties
        >>> scrimp.Deadlock() in [judgement.property for judgement in asked]
        False
    """

    kind = ViolationKind.DEADLOCK
    text = "no deadlock"
    is_kept_with_deadlocks = True

    def may_be_untraced(self, statistics: Statistics) -> bool:
        return statistics.deadlocks > 0

    def judge(self, evidence: Evidence) -> Judgement:
        judgement = super().judge(evidence)
        ends, asked = evidence.statistics.faults, Faults.kind not in [each.kind for each in evidence.left_out]
        if asked or not ends or judgement.verdict is not Verdict.PROVED:
            return judgement
        return Judgement(self, Verdict.UNDETERMINED, f"{counted(ends, 'run')} ended in a fault; ask about faults first")


@dataclass(frozen=True)
class Invariant(Property):
    """An expression, or an invariant that the model declares under this name, holds in every state.

    Example:
        >>> import scrimp
        >>> scrimp.Invariant("taken <= 1").text
        'always taken <= 1'
    """

    kind = ViolationKind.INVARIANT
    name: str = field()

    @property
    def text(self) -> str:
        return f"always {self.name}"

    def is_violated_by(self, violation: Violation) -> bool:
        return super().is_violated_by(violation) and violation.name == self.name

    def may_be_untraced(self, statistics: Statistics) -> bool:
        return statistics.violations_by_name.get(self.name) != 0  # None: it is counted together with others


@dataclass(frozen=True)
class Reach(Property):
    """An expression holds in some reachable state.

    Example:
        >>> import scrimp
        >>> result = scrimp.check("models/peterson.dve", reach="First.critical")
        >>> result.properties[-1].property
        Reach(name='First.critical')
    """

    kind = "reach"
    name: str = field()

    @property
    def text(self) -> str:
        return f"reachable {self.name}"

    def judge(self, evidence: Evidence) -> Judgement:
        if any(goal.reached for goal in evidence.goals if goal.name == self.name):
            return Judgement(self, Verdict.PROVED, f"{self.name} is reachable")
        if evidence.extent.is_complete:
            return Judgement(self, Verdict.REFUTED, f"{self.name} is not reachable")
        return Judgement(self, *evidence.extent.verdict)


@dataclass(frozen=True)
class Temporal(Property):
    """A property of infinite runs, of the fair ones only if `fairness` says so."""

    name: str = field()
    fairness: Fairness = field(default=Fairness.NONE, kw_only=True)

    def is_violated_by(self, violation: Violation) -> bool:
        return super().is_violated_by(violation) and violation.name == self.name

    @property
    def violated(self) -> str:
        """What a violation shows."""
        raise NotImplementedError

    def fairly(self, text: str) -> str:
        """The text with the assumption of fairness."""
        return f"{text}, {self.fairness.text}" if self.fairness.text else text

    def judge(self, evidence: Evidence) -> Judgement:
        judgement = super().judge(evidence)
        if judgement.verdict is not Verdict.PROVED:
            return judgement
        return Judgement(self, Verdict.PROVED, self.fairly("no run violates it: every one was considered"))


@dataclass(frozen=True)
class LTL(Temporal):
    """Every run satisfies a formula of linear temporal logic; `name` is that of the model, or the formula;
    `said` is what the model says about it.

    Example:
        >>> import scrimp
        >>> scrimp.LTL("served", "[] (asked -> <> answered)").text
        'ltl served: [] (asked -> <> answered)'
    """

    kind = ViolationKind.LTL
    formula: str = ""
    said: str = ""

    @property
    def text(self) -> str:
        named = f"ltl {self.name}: {self.formula}" if self.name != self.formula else f"ltl {self.formula}"
        return self.fairly(f"{named} ({self.said})" if self.said else named)

    @property
    def violated(self) -> str:
        return f"{self.name} does not hold" + (f" ({self.said})" if self.said else "")


@dataclass(frozen=True)
class NonProgress(Temporal):
    """Every infinite run passes progress labels again and again.

    Example:
        >>> import scrimp
        >>> scrimp.NonProgress().text
        'no non-progress cycle'
    """

    kind = ViolationKind.PROGRESS
    name: str = ""

    @property
    def text(self) -> str:
        return self.fairly("no non-progress cycle")

    @property
    def violated(self) -> str:
        return "non-progress cycle"


@dataclass(frozen=True)
class Acceptance(Temporal):
    """No infinite run passes accept labels again and again.

    Example:
        >>> import scrimp
        >>> scrimp.Acceptance().text
        'no acceptance cycle'
    """

    kind = ViolationKind.ACCEPTANCE
    name: str = ""

    @property
    def text(self) -> str:
        return self.fairly("no acceptance cycle")

    @property
    def violated(self) -> str:
        return "acceptance cycle"


@dataclass(frozen=True)
class Claimed(Temporal):
    """No run is accepted by an automaton: a never claim, a property process, or one in a file.

    Example:
        >>> import scrimp
        >>> scrimp.Claimed("", "never claim").text
        'never claim'
    """

    kind = ViolationKind.NEVER
    description: str = ""

    @property
    def text(self) -> str:
        return self.fairly(self.description)

    @property
    def violated(self) -> str:
        return f"{self.description} is violated"


def decide(asked: Sequence[Property], evidence: Evidence) -> tuple[Verdict, str, tuple[Judgement, ...]]:
    """The verdict on all properties together, its reason, and the verdict on each. If nothing is asked, the verdict
    says whether every reachable state was visited. The reason of a proof names the questions that were left out."""
    judgements = tuple(each.judge(evidence) for each in asked)
    if not judgements:
        return *evidence.extent.verdict, ()
    verdict = Verdict.all_of(each.verdict for each in judgements)
    reasons = [each.reason for each in judgements if each.verdict is verdict]
    violations = [each for each in evidence.violations if any(one.is_violated_by(each) for one in asked)]
    reason = violations[0].message if violations else reasons[0]
    if verdict is Verdict.PROVED and evidence.left_out:
        reason += f"; not checked: {_listed(evidence.left_out)}"
    return verdict, reason, judgements


def _listed(left_out: Sequence[LeftOut]) -> str:
    """`ltl formula p, deadlocks`; of many, the first few."""
    texts = [each.text for each in left_out[:MOST_LISTED]]
    more = len(left_out) - len(texts)
    return ", ".join(texts) + (f" and {more} more" if more else "")
