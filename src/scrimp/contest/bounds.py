"""Upper bounds: the most tokens that some places ever hold together.

B1  Each bound is enclosed: one number is attained, at first in the initial marking; one is not exceeded, at first by
    what is known of single places, if that is anything.
B2  A search asks for several numbers in between, for all open bounds at once. What is reached is attained, and what is
    not reached by a complete search is not exceeded.
B3  Searches are repeated until the two numbers of every bound are equal. Each divides the gap of every bound by the
    numbers that it could ask for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from scrimp.contest.formulas import BoundFormula, Formula
from scrimp.contest.questions import MOST_GOALS, searched
from scrimp.errors import OptionError
from scrimp.evidence import Evidence
from scrimp.frontends.model import Model
from scrimp.frontends.pnml.contest import UpperBound
from scrimp.frontends.pnml.properties import NetScope
from scrimp.numbers import counted
from scrimp.properties import Judgement
from scrimp.result import Result
from scrimp.searching import Request
from scrimp.system import reference
from scrimp.system.expressions import Binary, Constant
from scrimp.system.system import Invariant
from scrimp.system.types import INT
from scrimp.verdict import Verdict
from scrimp.watches import Watches

# Without a known bound, at most this many powers of two are asked for at once.
MOST_DOUBLINGS = 16


@dataclass(frozen=True, slots=True)
class Enclosure:
    """What is known of a bound: `low` is attained, `high` is not exceeded."""

    low: int
    high: int | None

    @property
    def is_exact(self) -> bool:
        return self.low == self.high

    def thresholds(self, count: int) -> list[int]:
        """At most `count` numbers to ask for: evenly spread, or doubling if no number is known not to be exceeded."""
        if self.high is None:
            doubled = {(self.low + 1) << place for place in range(min(count, MOST_DOUBLINGS))}
            return sorted({min(threshold, INT.high) for threshold in doubled})
        gap = self.high - self.low
        return sorted({self.low + max(1, gap * place // count) for place in range(1, count + 1)})

    def narrowed(self, threshold: int, is_attained: bool) -> Enclosure:
        if is_attained:
            return replace(self, low=max(self.low, threshold))
        return replace(self, high=threshold - 1 if self.high is None else min(self.high, threshold - 1))


@dataclass(frozen=True)
class Threshold(Formula):
    """Whether the places of a bound hold so many tokens in some marking. `name` is that of its goal."""

    kind = "reach"
    bound: str = ""
    tokens: int = 0

    def judge(self, evidence: Evidence) -> Judgement:
        if self.is_reached(evidence):
            return Judgement(self, Verdict.PROVED, "attained")
        return self.unreached(Verdict.REFUTED, "not attained", evidence)


def find_bounds(model: Model, asked: Mapping[str, UpperBound], request: Request) -> tuple[list[Judgement], Result]:
    """The judgements on bounds, and the result of the last search."""
    known = {name: _first(model, bound) for name, bound in asked.items()}  # B1
    unknown: dict[str, str] = {}
    while True:
        open_ = [name for name, enclosure in known.items() if not (enclosure.is_exact or name in unknown)]
        result = _ask(model, asked, known, open_[:MOST_GOALS], request)
        for each in result.properties:
            threshold = each.property
            assert isinstance(threshold, Threshold)
            if each.verdict is Verdict.UNDETERMINED:
                unknown[threshold.bound] = each.reason
            else:
                is_attained = each.verdict is Verdict.PROVED
                known[threshold.bound] = known[threshold.bound].narrowed(threshold.tokens, is_attained)
        if all(enclosure.is_exact or name in unknown for name, enclosure in known.items()):
            return [_judgement(name, asked[name], known[name], unknown.get(name, "")) for name in asked], result


def _ask(
    model: Model,
    asked: Mapping[str, UpperBound],
    known: Mapping[str, Enclosure],
    names: Sequence[str],
    request: Request,
) -> Result:
    """One search for thresholds of open bounds (B2)."""
    each = MOST_GOALS // max(1, len(names))
    thresholds = [
        Threshold(f"{name} >= {tokens}", bound=name, tokens=tokens)
        for name in names
        for tokens in known[name].thresholds(each)
    ]

    def watching(model: Model) -> Watches:
        sums = {name: model.expression(asked[name].expression) for name in names}
        return Watches(
            tuple(Invariant(each.name, Binary(">=", sums[each.bound], Constant(each.tokens))) for each in thresholds),
            (),
        )

    return searched(model, thresholds, request, watching)


def _first(model: Model, bound: UpperBound) -> Enclosure:
    """What is known before any search: the initial marking, and bounds of places. Places that share a token, the
    locations of a process, hold one at most together."""
    scope = model.scope
    assert isinstance(scope, NetScope)
    try:
        low = reference.evaluate(model.system, reference.initial(model.system), model.expression(bound.expression))
    except reference.EvaluationFault as fault:
        raise OptionError(f"--properties: {bound.expression} cannot be evaluated: {fault}") from None
    location, high = scope.placement.location, 0
    places = [place for name in bound.places for place in scope.net.place_names[name]]
    processes: set[int] = set()
    for place in places:
        most = scope.bounds[place]
        if most is None:
            return Enclosure(low, None)
        if place in location and places.count(place) == 1:
            processes.add(location[place][0])
        else:
            high += most
    return Enclosure(low, max(low, min(high + len(processes), INT.high)))


def _judgement(name: str, bound: UpperBound, enclosure: Enclosure, why_not: str) -> Judgement:
    asked = BoundFormula(name, f"upper bound of {bound.expression}", enclosure.low if enclosure.is_exact else None)
    if enclosure.is_exact:
        return Judgement(asked, Verdict.PROVED, f"{counted(enclosure.low, 'token')} at most")
    between = f"{enclosure.low} at least" + ("" if enclosure.high is None else f", {enclosure.high} at most")
    return Judgement(asked, Verdict.UNDETERMINED, f"{between}: {why_not}")
