"""Findings: what the engine met on its way, replayed by the reference interpreter and told in the model's words.

Nothing that the engine claims is believed here: a path must be replayable, and must end in what it is said to end in.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scrimp.result import Goal, Trace, Violation
from scrimp.system import reference
from scrimp.system.reference import Fault, State
from scrimp.trace import ReplayedSteps, ReplayError
from scrimp.watches import Watches

if TYPE_CHECKING:
    from scrimp.frontends.model import Model
    from scrimp.unfusing import Finding


ENDLESS = "a process goes on alone for ever, in an atomic sequence that runs in a circle"


@dataclass(frozen=True, slots=True)
class Found:
    violations: tuple[Violation, ...]
    goals: tuple[Goal, ...]


def describe(model: Model, watches: Watches, findings: Sequence[Finding]) -> Found:
    """Violations in the order they were met, and every goal with its witness where there is one."""
    system = model.system
    violations: list[Violation] = []
    witnesses: dict[int, Trace] = {}
    for finding in findings:
        replayed = ReplayedSteps(system, finding.events, model.vocabulary)
        if finding.watch >= 0 and finding.watch < len(watches.goals):
            if not watches.reached(system, _state(replayed), finding.watch):
                raise ReplayError(f"the state found for {watches.name(finding.watch)} is not the one asked for")
            witnesses[finding.watch] = Trace(replayed)
        else:
            violations += _violations(model, watches, finding, replayed)
    goals = tuple(Goal(goal.name, witnesses.get(bit)) for bit, goal in enumerate(watches.goals))
    return Found(tuple(violations), goals)


def _violations(model: Model, watches: Watches, finding: Finding, replayed: ReplayedSteps) -> list[Violation]:
    system, vocabulary = model.system, model.vocabulary
    match finding.kind:
        case "fault":
            return [_fault(replayed)]
        case "failed":
            if not replayed.failed:
                raise ReplayError("the event reported as a violation violates nothing")
            return [_violation(replayed.failed[0], replayed)]
        case "endless":
            if not replayed.closes_a_chain:
                raise ReplayError("the path reported as endless is not")
            return [Violation("fault", "", ENDLESS, Trace(replayed))]
        case "deadlock":
            if not reference.is_deadlock(system, _state(replayed)):
                raise ReplayError("the state reported as a deadlock is none")
            return [Violation("deadlock", "", f"deadlock: {vocabulary.nothing_moves}", Trace(replayed))]
        case _:
            violated = watches.violated(system, _state(replayed))
            if not violated:
                raise ReplayError("the state reported as a violation satisfies every invariant")
            trace = Trace(replayed)
            return [Violation("invariant", name, message, trace) for name, message in violated]


def _fault(replayed: ReplayedSteps) -> Violation:
    if not isinstance(replayed.end, Fault):
        raise ReplayError("the event reported as a fault leads to a state")
    return _violation(replayed.end.message, replayed)


def _violation(message: str, replayed: ReplayedSteps) -> Violation:
    return Violation("assertion" if message.startswith("assertion") else "fault", "", message, Trace(replayed))


def _state(replayed: ReplayedSteps) -> State:
    if isinstance(replayed.end, Fault):
        raise ReplayError(f"the path ends in a fault instead of a state: {replayed.end.message}")
    return replayed.end
