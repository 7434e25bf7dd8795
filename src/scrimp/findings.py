"""Findings: what the engine found, replayed by the reference interpreter and described in the model's words.

Nothing that the engine reports is taken on trust: a path must be replayable, and must end as the engine says it does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scrimp.evidence import Goal, Violation
from scrimp.steps import Trace
from scrimp.system import reference
from scrimp.system.reference import Fault, State
from scrimp.system.violations import ViolationKind
from scrimp.trace import ReplayedSteps, ReplayError
from scrimp.unfusing import Finding, FindingKind
from scrimp.watches import Watches

if TYPE_CHECKING:
    from scrimp.frontends.model import Model


@dataclass(frozen=True, slots=True)
class Found:
    violations: tuple[Violation, ...]
    goals: tuple[Goal, ...]


def describe(model: Model, watches: Watches, findings: Sequence[Finding]) -> Found:
    """Violations in the order they were met, each once, and every goal with its witness if there is one."""
    system = model.system
    violations: list[Violation] = []
    witnesses: dict[int, Trace] = {}
    previous: Sequence[int] | None = None  # the path to the last state that violates invariants
    for finding in findings:
        replayed = ReplayedSteps(system, finding.events, model.vocabulary)
        trace = replayed.lasso(finding.cycle) if finding.cycle else Trace(replayed)
        if finding.watch >= 0 and finding.watch < len(watches.goals):
            if not watches.reached(system, _state(replayed), finding.watch):
                raise ReplayError(f"the state found for {watches.name(finding.watch)} is not the one asked for")
            witnesses[finding.watch] = trace
        elif finding.kind is not FindingKind.WATCH:
            violations += _violations(model, watches, finding.kind, replayed, trace)
        elif finding.events != previous:  # the engine reports a state once for each invariant that it violates
            violations += _violations(model, watches, finding.kind, replayed, trace)
            previous = finding.events
    goals = tuple(Goal(goal.name, witnesses.get(bit)) for bit, goal in enumerate(watches.goals))
    return Found(tuple(violations), goals)


def _violations(
    model: Model, watches: Watches, kind: FindingKind, replayed: ReplayedSteps, trace: Trace
) -> list[Violation]:
    system, vocabulary = model.system, model.vocabulary
    match kind:
        case FindingKind.FAULT:
            if not isinstance(replayed.end, Fault):
                raise ReplayError("the event reported as a fault leads to a state")
            return [_failed(model, replayed.end, trace)]
        case FindingKind.FAILED:
            if not replayed.failed:
                raise ReplayError("the event reported as a violation violates nothing")
            return [_failed(model, replayed.failed[0], trace)]
        case FindingKind.ENDLESS:
            closed = replayed.closed_chain()
            if closed is None:
                raise ReplayError("the path reported as endless does not close a cycle")
            return [Violation(ViolationKind.FAULT, "", vocabulary.endless, closed)]
        case FindingKind.DEADLOCK:
            if not reference.is_deadlock(system, _state(replayed)):
                raise ReplayError("the state reported as a deadlock is not a deadlock")
            return [Violation(ViolationKind.DEADLOCK, "", f"deadlock: {vocabulary.nothing_moves}", trace)]
        case FindingKind.WATCH:
            violated = watches.violated(system, _state(replayed))
            if not violated:
                raise ReplayError("the state reported as a violation satisfies every invariant")
            return [Violation(ViolationKind.INVARIANT, name, message, trace) for name, message in violated]
        case FindingKind.LASSO:
            raise ReplayError("an infinite run was found, and none was asked for")


def _failed(model: Model, fault: Fault, trace: Trace) -> Violation:
    name = (model.watched_by or "") if fault.kind is ViolationKind.NEVER else ""
    return Violation(fault.kind, name, fault.message, trace)


def _state(replayed: ReplayedSteps) -> State:
    if isinstance(replayed.end, Fault):
        raise ReplayError(f"the path ends in a fault instead of a state: {replayed.end.message}")
    return replayed.end
