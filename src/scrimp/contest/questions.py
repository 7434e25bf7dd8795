"""From the questions of a property file to goals, and to results of searches for them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from scrimp.concluding import conclude, require_justified
from scrimp.contest.formulas import DeadlockFormula, Formula, InvariableFormula, PossibleFormula
from scrimp.evidence import Goal, Violation
from scrimp.frontends.model import Model
from scrimp.frontends.pnml.contest import ContestProperty, Invariable, Possible, PossibleDeadlock
from scrimp.passes import passes_for
from scrimp.properties import Property
from scrimp.result import Result
from scrimp.searching import Request, Watching, search
from scrimp.system.expressions import Unary
from scrimp.system.system import Invariant
from scrimp.system.violations import ViolationKind
from scrimp.watches import BITS, Watches

# One bit is left for the model's own invariants: see `watch_goals`.
MOST_GOALS = BITS - 1


def reach(model: Model, asked: Sequence[ContestProperty], request: Request) -> Result:
    """One search for the markings that decide at most `MOST_GOALS` questions."""

    def watching(model: Model) -> Watches:
        return Watches(tuple(goal for each in asked for goal in _goals(model, each)), ())

    deadlock = any(isinstance(each.question, PossibleDeadlock) for each in asked)
    return _reworded(searched(model, list(map(_formula, asked)), replace(request, deadlock=deadlock), watching))


def searched(model: Model, asked: Sequence[Property], request: Request, watching: Watching) -> Result:
    """The result of a search that goes on until all goals are reached or, if deadlocks are asked for, to the end."""
    passes = passes_for(deadlock=request.deadlock) if request.passes else ()
    request = replace(request, stop_after=0, traces=1, stop_at_goals=not request.deadlock, passes=passes)
    require_justified(model, asked, request)
    return conclude(model, asked, request, search(model, watching, request), model.left_out)


def _formula(asked: ContestProperty) -> Formula:
    match asked.question:
        case Possible(expression):
            return PossibleFormula(asked.id, f"EF {expression}")
        case Invariable(expression):
            return InvariableFormula(asked.id, f"AG {expression}")
        case PossibleDeadlock():
            return DeadlockFormula(asked.id, "EF deadlock")
        case other:
            raise AssertionError(f"{other} is not decided by goals")


def _goals(model: Model, asked: ContestProperty) -> Iterator[Invariant]:
    match asked.question:
        case Possible(expression):
            yield Invariant(asked.id, model.expression(expression))
        case Invariable(expression):
            yield Invariant(asked.id, Unary("!", model.expression(expression)))


def _reworded(result: Result) -> Result:
    """The result in which a marking that violates an invariant is a violation, and a deadlock that was asked for is
    none."""
    invariants = {each.property.name for each in result.properties if isinstance(each.property, InvariableFormula)}
    dead = [each.property.name for each in result.properties if isinstance(each.property, DeadlockFormula)]
    violated = tuple(
        Violation(ViolationKind.INVARIANT, goal.name, f"{goal.name} does not hold", goal.witness)
        for goal in result.goals
        if goal.name in invariants and goal.reached
    )
    others = tuple(each for each in result.violations if each.kind is not ViolationKind.DEADLOCK)
    deadlock = next((each.trace for each in result.violations if each.kind is ViolationKind.DEADLOCK), None)
    goals = tuple(goal for goal in result.goals if goal.name not in invariants)
    return replace(result, violations=others + violated, goals=goals + tuple(Goal(name, deadlock) for name in dead))
