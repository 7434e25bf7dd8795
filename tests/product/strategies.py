"""Every combination of order, store and reduction that is allowed."""

from __future__ import annotations

import itertools
from typing import TypeAlias, get_args

from scrimp.compatibility import why_not, why_one_thread
from scrimp.strategies import (
    ORDERS,
    STORES,
    Auto,
    Bitstate,
    BreadthFirst,
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

# Every registered store that keeps all states unchanged is included automatically.
FULL_STORES: list[Store] = [
    *(Full(compress=compress) for compress in get_args(Compression)),
    *(
        store
        for store in (kind() for kind in STORES if kind is not Full)
        if store.exact and not store.may_forget and not store.rebuilds_states
    ),
]

# As small as possible: tests enlarge them until the path fits.
CACHES: list[Store] = [
    *(Cache(states=1, policy=policy) for policy in POLICIES),
    Cache(states=1, policy="type", scan=2, type=1),
    Cache(states=1, policy="mfu:25+lru:75"),
    Cache(states=1, policy="random:40+fifo:30+smallest-subtree:30", seed=3),
    Cache(states=1, policy="lru", compress="huffman"),
    Cache(states=1, policy="fifo", compress="rle"),
]

# With hashes that often collide, and as few full states as possible.
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

# Keep few states, so that many are visited again.
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

# With backward transitions; with enough counters for small systems, with far too few, and with counters that soon
# saturate.
PSEUDOROOTS: list[Store] = [
    Pseudoroot(),
    Pseudoroot(next="fewest"),
    Pseudoroot(source="counted", counters=2**12),
    Pseudoroot(source="counted", counters=2**12, next="fewest", by="tree", bits=16, functions=1),
    Pseudoroot(source="counted", counters=40, by="none", bits=2, functions=3),
]

# In small systems the first two have no collisions, and the others have many.
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
    """Combinations that evict nothing and leave nothing out."""
    return _allowed([order() for order in ORDERS], FULL_STORES, [NoReduction()])


def threaded_searches() -> list[Combination]:
    """Combinations that can use several threads."""
    stores = [*FULL_STORES, *WIDE_HASHES, *NARROW_HASHES]
    allowed = _allowed([order() for order in ORDERS], stores, [NoReduction()])
    allowed += _allowed([BreadthFirst()], [Full(), Auto()], [Stubborn()])
    return [
        (order, store, reduction)
        for order, store, reduction in allowed
        if why_one_thread(Method(order=order, store=store, reduction=reduction)) is None
    ]


def reduced_searches() -> list[Combination]:
    return _allowed([DepthFirst()], FULL_STORES, REDUCTIONS) + _allowed([BreadthFirst()], FULL_STORES, SELECTIONS)


def deadlock_searches() -> list[Combination]:
    """Combinations that preserve deadlocks and nothing else."""
    pairs = [selection + sleep for selection in DEADLOCKS_ONLY for sleep in SLEEP_SETS]
    levels = _allowed([BreadthFirst()], [Full(), Auto()], DEADLOCKS_ONLY)
    return _allowed([DepthFirst()], FULL_STORES, [*DEADLOCKS_ONLY, *pairs]) + levels


def caching_searches() -> list[Combination]:
    return _allowed([DepthFirst()], CACHES, [NoReduction(), *REDUCTIONS])


def comback_searches() -> list[Combination]:
    return _allowed([order() for order in ORDERS], COMBACKS, [NoReduction()])


def snapshot_searches() -> list[Combination]:
    return _allowed([order() for order in ORDERS], SNAPSHOTS, [NoReduction()])


def pseudoroot_searches() -> list[Combination]:
    return _allowed([order() for order in ORDERS], PSEUDOROOTS, [NoReduction()])


def inexact_searches(stores: list[Store]) -> list[Combination]:
    return [
        *_allowed([order() for order in ORDERS], stores, [NoReduction()]),
        *_allowed([DepthFirst()], stores, SELECTIONS),
        *_allowed([BreadthFirst()], stores, [Stubborn()]),
    ]


def _allowed(orders: list[Order], stores: list[Store], reductions: list[Reduction]) -> list[Combination]:
    everything = itertools.product(orders, stores, reductions)
    return [
        (order, store, reduction)
        for order, store, reduction in everything
        if why_not(Method(order=order, store=store, reduction=reduction)) is None
    ]


def some(combinations: list[Combination], number: int, step: int) -> list[Combination]:
    """Every `step`th combination, from a start that depends on the number: `step` consecutive systems use them all."""
    return combinations[number % step :: step]


def name(combination: Combination) -> str:
    return "-".join(map(str, combination))
