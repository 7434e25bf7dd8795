"""Every combination of order, store and reduction that is allowed."""

from __future__ import annotations

import itertools
from typing import TypeAlias

from scrimp.compatibility import why_not
from scrimp.strategies import ORDERS, Compression, Full, NoReduction, Order, Reduction, Store

Combination: TypeAlias = tuple[Order, Store, Reduction]

COMPRESSIONS: tuple[Compression, ...] = ("none", "tree", "cleary")


def allowed_strategies() -> list[Combination]:
    stores = [Full(compress=compress) for compress in COMPRESSIONS]
    everything = itertools.product((order() for order in ORDERS), stores, [NoReduction()])
    return [combination for combination in everything if why_not(*combination) is None]


def name(combination: Combination) -> str:
    return "-".join(map(str, combination))
