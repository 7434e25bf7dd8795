"""Unreachable code: transitions that no run can fire are removed.

A location is reachable if it is initial, or the target of a reachable transition. A transition is reachable if all its
sources are, and its guard is not constantly false. (Fold first: it finds the guards that are.) Reachable states and
their events stay as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from scrimp.notes import Note
from scrimp.passes.passed import Pass, Passed, unchanged
from scrimp.system.expressions import FALSE, Expression
from scrimp.system.system import System


@dataclass(frozen=True)
class Unreachable(Pass):
    """Remove transitions that no run can fire."""

    name = "unreachable"
    does = "removes transitions that no run can fire"

    def apply(self, system: System, seen: Sequence[Expression]) -> Passed:
        kept = reachable(system)
        if len(kept) == len(system.transitions):
            return unchanged(system)
        smaller = replace(system, transitions=tuple(system.transitions[event] for event in kept))
        removed = len(system.transitions) - len(kept)
        return Passed(smaller, tuple((event,) for event in kept), (Note(self.name, removed, "transitions removed"),))


def reachable(system: System) -> list[int]:
    """The events whose sources can be reached, by control flow alone, and whose guard is not false."""
    waiting: dict[tuple[int, int], list[int]] = {}
    missing: dict[int, int] = {}
    for event, transition in enumerate(system.transitions):
        if transition.guard == FALSE:
            continue
        missing[event] = len(transition.moves)
        for move in transition.moves:
            waiting.setdefault((move.process, move.source), []).append(event)
    todo = [(number, process.initial) for number, process in enumerate(system.processes)]
    seen = set(todo)
    kept = []
    while todo:
        for event in waiting.get(todo.pop(), ()):
            missing[event] -= 1
            if missing[event]:
                continue
            kept.append(event)
            targets = {(move.process, move.target) for move in system.transitions[event].moves} - seen
            seen |= targets
            todo += targets
    return sorted(kept)
