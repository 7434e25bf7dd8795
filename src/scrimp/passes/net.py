"""Structural reductions of a Petri net: places and transitions that no question needs are removed, and sequences of
transitions become one. nets/reducing.py applies the rules; it is imported only for nets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scrimp.passes.kept import Kept
from scrimp.passes.passed import Pass, Passed, unchanged
from scrimp.system.expressions import Expression
from scrimp.system.nets import NetSystem
from scrimp.system.system import System


@dataclass(frozen=True)
class NetReduction(Pass):
    """Reduce a net by the rules that preserve what is to be `kept`."""

    name = "net"
    does = "removes places and transitions of a net, and makes one transition of several"
    keeps_values = False
    kept: Kept = Kept.DEADLOCKS

    def apply(self, system: System, seen: Sequence[Expression]) -> Passed:
        if not isinstance(system, NetSystem) or system.source is None:
            return unchanged(system)
        from scrimp.passes.nets.reducing import reduced

        return reduced(system, seen, self.kept)
