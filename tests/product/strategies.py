"""Every combination of order, store and reduction that is allowed."""

from __future__ import annotations

import itertools
from typing import TypeAlias, get_args

from scrimp.compatibility import why_not
from scrimp.strategies import (
    ORDERS,
    STORES,
    Bitstate,
    Cache,
    Comback,
    Compact,
    Compression,
    Conflict,
    DepthFirst,
    Full,
    Local,
    Method,
    NoReduction,
    Order,
    Overman,
    Pseudoroot,
    Reduction,
    Sleep,
    Snapshots,
    Store,
    Stubborn,
)
from scrimp.strategies.policies import POLICIES

Combination: TypeAlias = tuple[Order, Store, Reduction]

# A registered store that keeps every state as it is finds its way into the products by itself.
FULL_STORES: list[Store] = [
    *(Full(compress=compress) for compress in get_args(Compression)),
    *(
        store
        for store in (kind() for kind in STORES if kind is not Full)
        if store.exact and not store.may_forget and not store.rebuilds_states
    ),
]

# As small as can be: those who search make them larger until the path fits.
CACHES: list[Store] = [
    *(Cache(states=1, policy=policy) for policy in POLICIES),
    Cache(states=1, policy="type", scan=2, type=1),
    Cache(states=1, policy="mfu:25+lru:75"),
    Cache(states=1, policy="random:40+fifo:30+smallest-subtree:30", seed=3),
    Cache(states=1, policy="lru", compress="huffman"),
    Cache(states=1, policy="fifo", compress="rle"),
]

# With hashes that meet all the time, and as few full states as can be.
COMBACKS: list[Store] = [
    Comback(),
    Comback(hash=4, cache=1),
    Comback(hash=4, cache=5, strategy="F40-D60", k=2, candidates=3, group=2),
    Comback(hash=8, cache="20%", strategy="F20-H80", candidates=1, queue="states"),
    Comback(hash=4, cache=3, strategy="R", seed=3, delay=False, group=1),
    Comback(hash=8, cache=9, strategy="H", delay=False, queue="states"),
    Comback(hash=4, cache="10%", strategy="L", k=2, delay=False),
    Comback(hash=4, cache=4, strategy="D", k=1, delay=False),
    Comback(hash=8, cache="1K", strategy="F", candidates="1K"),
    Comback(hash=4, strategy="none", delay=False),
    Comback(hash=12, strategy="none", candidates=7, group=5),
]

# That remember little, so that much is seen again.
SNAPSHOTS: list[Store] = [
    Snapshots(),
    Snapshots(caches="frontier"),
    Snapshots(caches="pebble"),
    Snapshots(caches="(c1,LLNR,1)", backtracking=False),
    Snapshots(caches="(3,LRU,1)"),
    Snapshots(caches="(c2,MRU,2)(c2,SIZE,1)"),
    Snapshots(caches="(c1,RND,2)(c1,MFU,2)(1,LFU,1)", seed=3),
    Snapshots(caches="(c3,LLNR,1)*", backtracking=False),
    Snapshots(caches="(c2,LFU,2)(2,LLNR,1)*"),
]

# By backward transitions; with counters enough for small systems, with far too few, and with some that are soon full.
PSEUDOROOTS: list[Store] = [
    Pseudoroot(),
    Pseudoroot(next="fewest"),
    Pseudoroot(source="counted", counters=2**12),
    Pseudoroot(source="counted", counters=2**12, next="fewest", by="tree", bits=16, functions=1),
    Pseudoroot(source="counted", counters=40, by="none", bits=2, functions=3),
]

# Of small systems no two states are taken for each other by the first two, and many by the others.
WIDE_HASHES: list[Store] = [Compact(), Bitstate(bytes=2**20, functions=7)]
NARROW_HASHES: list[Store] = [Compact(hash=4), Compact(hash=8), Bitstate(bytes=64, functions=2)]

SELECTIONS: list[Reduction] = [
    Local(),
    Overman(),
    Overman(refined=True),
    Overman(original=True),
    Overman(refined=True, original=True),
    Stubborn(),
]
DEADLOCKS_ONLY: list[Reduction] = [
    Overman(proviso=False),
    Overman(refined=True, proviso=False),
    Stubborn(proviso=False),
]
SLEEP_SETS: list[Reduction] = [Sleep(), Conflict()]
REDUCTIONS: list[Reduction] = [
    *SLEEP_SETS,
    *SELECTIONS,
    *(selection + sleep for selection in SELECTIONS for sleep in SLEEP_SETS),
]


def full_searches() -> list[Combination]:
    """What forgets nothing and leaves nothing out."""
    return _allowed([order() for order in ORDERS], FULL_STORES, [NoReduction()])


def reduced_searches() -> list[Combination]:
    return _allowed([DepthFirst()], FULL_STORES, REDUCTIONS)


def deadlock_searches() -> list[Combination]:
    """What keeps deadlocks and nothing else."""
    pairs = [selection + sleep for selection in DEADLOCKS_ONLY for sleep in SLEEP_SETS]
    return _allowed([DepthFirst()], FULL_STORES, [*DEADLOCKS_ONLY, *pairs])


def caching_searches() -> list[Combination]:
    return _allowed([DepthFirst()], CACHES, [NoReduction(), *REDUCTIONS])


def comback_searches() -> list[Combination]:
    return _allowed([order() for order in ORDERS], COMBACKS, [NoReduction()])


def snapshot_searches() -> list[Combination]:
    return _allowed([order() for order in ORDERS], SNAPSHOTS, [NoReduction()])


def pseudoroot_searches() -> list[Combination]:
    return _allowed([order() for order in ORDERS], PSEUDOROOTS, [NoReduction()])


def inexact_searches(stores: list[Store]) -> list[Combination]:
    return _allowed([order() for order in ORDERS], stores, [NoReduction(), *SELECTIONS])


def _allowed(orders: list[Order], stores: list[Store], reductions: list[Reduction]) -> list[Combination]:
    everything = itertools.product(orders, stores, reductions)
    return [
        (order, store, reduction)
        for order, store, reduction in everything
        if why_not(Method(order=order, store=store, reduction=reduction)) is None
    ]


def some(combinations: list[Combination], number: int, step: int) -> list[Combination]:
    """Every `step`th, others for every number: so that `step` systems in a row meet them all."""
    return combinations[number % step :: step]


def name(combination: Combination) -> str:
    return "-".join(map(str, combination))
