"""Questions that are not asked: if only deadlocks are, assertions after which a process continues, and invariants, are
removed, so that slicing can remove what only they read.

An assertion that ends a run stays: no state follows, whether or not that is asked about.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from scrimp.notes import Note
from scrimp.passes.passed import Pass, Passed, unchanged
from scrimp.system.expressions import Expression
from scrimp.system.statements import Assert, If, Statement
from scrimp.system.system import System


@dataclass(frozen=True)
class Unasked(Pass):
    """Remove assertions and invariants."""

    name = "unasked"
    does = "removes assertions and invariants if only deadlocks are asked for"

    def apply(self, system: System, seen: Sequence[Expression]) -> Passed:
        transitions = tuple(
            replace(each, effect=effect) if (effect := tuple(_kept(each.effect))) != each.effect else each
            for each in system.transitions
        )
        removed = sum(new is not old for new, old in zip(transitions, system.transitions, strict=True))
        if not (removed or system.invariants):
            return unchanged(system)
        smaller = replace(system, transitions=transitions, invariants=())
        notes = [
            *([Note(self.name, removed, "transitions without their assertions")] if removed else []),
            *([Note(self.name, len(system.invariants), "invariants removed")] if system.invariants else []),
        ]
        return replace(unchanged(smaller), notes=tuple(notes), keeps_violations=False)


def _kept(statements: Sequence[Statement]) -> Iterator[Statement]:
    for statement in statements:
        match statement:
            case Assert(fatal=False):
                continue
            case If(test, then, otherwise):
                yield If(test, tuple(_kept(then)), tuple(_kept(otherwise)))
            case _:
                yield statement
