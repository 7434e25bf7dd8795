"""Passes over a system, before it is searched: fewer states, the same answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from scrimp import disk_cache
from scrimp.machine.bounds import keep_bounds
from scrimp.machine.nesting import fingerprint
from scrimp.notes import Note
from scrimp.passes.dead import Dead as Dead
from scrimp.passes.ends import Ends as Ends
from scrimp.passes.fold import Fold as Fold
from scrimp.passes.kept import Kept as Kept
from scrimp.passes.merge import Merge as Merge
from scrimp.passes.net import NetReduction as NetReduction
from scrimp.passes.passed import Pass as Pass
from scrimp.passes.passed import Passed as Passed
from scrimp.passes.passed import unchanged as unchanged
from scrimp.passes.slice import Slice as Slice
from scrimp.passes.unasked import Unasked as Unasked
from scrimp.passes.unreachable import Unreachable as Unreachable
from scrimp.system.explicit import ExplicitSystem
from scrimp.system.expressions import Expression
from scrimp.system.system import System

PASSES: tuple[Pass, ...] = (NetReduction(), Fold(), Unreachable(), Slice(), Dead(), Merge(), Ends())
"""All passes, in the order in which they are applied."""


def passes_for(*, deadlock: bool, only_deadlock: bool = False) -> tuple[Pass, ...]:
    """The passes for a question: whether it is about deadlocks, and about nothing else."""
    kept = Kept.DEADLOCKS if deadlock else Kept.PREFIXES
    return (NetReduction(kept), *([Unasked()] if only_deadlock else []), *PASSES[1:])


def prepared(
    system: System, seen: Sequence[Expression], passes: Sequence[Pass], identity: str = ""
) -> tuple[Passed, str]:
    """The system after these passes, and its identity. If the system has an identity, the result is kept in the disk
    cache."""
    if not passes or isinstance(system, ExplicitSystem):
        return unchanged(system), identity
    if not identity:
        return passed(system, seen, passes), ""
    version = disk_cache.code_version("passes", "reduction", "machine", "system", "frontends/pnml")
    key = disk_cache.key_of("passed", version, identity, repr(tuple(passes)), fingerprint(tuple(seen)))
    return disk_cache.remember(key, lambda: passed(system, seen, passes)), key


def passed(system: System, seen: Sequence[Expression], passes: Sequence[Pass] = PASSES) -> Passed:
    """The system after these passes, one after the other, with the notes of all. `seen` are the expressions that the
    question looks at."""
    result = unchanged(system)
    if isinstance(system, ExplicitSystem):
        return result
    notes: list[Note] = []
    for each in passes:
        later = each.apply(result.system, seen)
        if each.keeps_values:
            keep_bounds(later.system, result.system)
        result = result.then(later)
        notes += later.notes
    return replace(result, notes=tuple(notes))
