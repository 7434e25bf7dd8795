"""Systems that were made from Petri nets."""

from __future__ import annotations

from dataclasses import dataclass, field

from scrimp.system.system import System


@dataclass(frozen=True)
class NetSystem(System):
    """`source` is what the system was made from, in the terms of the front end (frontends/pnml/lower.py). In a net
    that `is_limited` some place has no known bound: exceeding a limit is a fault there, and nothing is known of what
    would follow. A copy made by `replace` has no source: it may have other transitions."""

    source: object = field(default=None, init=False, compare=False, repr=False)
    is_limited: bool = False


def is_limited(system: System) -> bool:
    return isinstance(system, NetSystem) and system.is_limited
