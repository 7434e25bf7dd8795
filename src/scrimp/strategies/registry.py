"""All strategies: each is imported here and has its place in the list of its role. Texts, records, help, the listing of
`scrimp methods` and the public names are made from these lists; engine/method.h has the same."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scrimp.strategies.auto import Auto as Auto
from scrimp.strategies.comback import Comback as Comback
from scrimp.strategies.inexact import Bitstate as Bitstate
from scrimp.strategies.inexact import Compact as Compact
from scrimp.strategies.orders import BreadthFirst as BreadthFirst
from scrimp.strategies.orders import DepthFirst as DepthFirst
from scrimp.strategies.orders import Order as Order
from scrimp.strategies.pseudoroot import Pseudoroot as Pseudoroot
from scrimp.strategies.reductions import Conflict as Conflict
from scrimp.strategies.reductions import Local as Local
from scrimp.strategies.reductions import NoReduction as NoReduction
from scrimp.strategies.reductions import Overman as Overman
from scrimp.strategies.reductions import Reduction as Reduction
from scrimp.strategies.reductions import Sleep as Sleep
from scrimp.strategies.reductions import Stubborn as Stubborn
from scrimp.strategies.snapshots import Snapshots as Snapshots
from scrimp.strategies.stores import Cache as Cache
from scrimp.strategies.stores import Full as Full
from scrimp.strategies.stores import Store as Store

ORDERS: tuple[type[Order], ...] = (BreadthFirst, DepthFirst)
STORES: tuple[type[Store], ...] = (Full, Auto, Cache, Snapshots, Comback, Pseudoroot, Compact, Bitstate)
REDUCTIONS: tuple[type[Reduction], ...] = (NoReduction, Local, Overman, Stubborn, Sleep, Conflict)


def reported_record(report: Mapping[str, Any]) -> dict[str, Any]:
    """The numbers that the store of a search reported, in the form of the record: with zeros for those that other
    stores report. A dot in a name stands for a member of an object."""
    record: dict[str, Any] = {}
    for declared in (each for store in STORES for each in store.reports):
        group, _, member = declared.name.rpartition(".")
        value = declared.recorded(report.get(declared.name, declared.zero))
        (record.setdefault(group, {}) if group else record)[member] = value
    return record
