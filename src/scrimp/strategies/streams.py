"""Which levels of a breadth-first search are stored, as MW09 writes it: `(c2,LLNR,5)(2,LFU,10)` is a stream of two
caches. Each has a sampling function (`cN`: every N-th level that it is offered; `N`: the same with a period that grows
by N each time), a rule that says which snapshot leaves it first, and room for a number of snapshots. `(c2,LLNR,5)*`,
our own notation, is a pebble search: as many caches of this kind as are needed."""

from __future__ import annotations

import re
from typing import NamedTuple

from scrimp.errors import suggestion
from scrimp.strategies.values import Spelling, alternatives

# MW09, section 3.2; engine/store/snapshots/options.h says what each does.
LEAVING = {"LLNR": "llnr", "LRU": "lru", "MRU": "mru", "LFU": "lfu", "MFU": "mfu", "RND": "random", "SIZE": "size"}

# The first cache of the safety net is the frontier; the second catches some of the levels that leave it, ever fewer.
PRESETS = {
    "frontier": "(c1,LLNR,3)",
    "frontier-safety-net": "(c2,LLNR,5)(2,LFU,10)",
    "pebble": "(c2,LLNR,5)*",
}

EXPECTED = f"{alternatives(list(PRESETS))}, or caches such as (c2,LLNR,5)(2,LFU,10)"


class LevelCache(NamedTuple):
    """One cache of a stream: its period and how this grows, which snapshot leaves first, as the engine names it, and
    its size."""

    period: int
    growth: int
    leaving: str
    snapshots: int


class CacheStream(NamedTuple):
    caches: tuple[LevelCache, ...]
    pebbles: bool


def stream(text: str) -> CacheStream:
    """The caches, in the order in which a snapshot passes through them; raises ValueError."""
    written = PRESETS.get(text, text)
    match = re.fullmatch(r"((?:\([^()]*\))+)(\*?)", written)
    if match is None:
        raise ValueError(f"expected {EXPECTED}, found '{text}'{suggestion(text, PRESETS)}")
    return CacheStream(tuple(map(_cache, re.findall(r"\(([^()]*)\)", match[1]))), match[2] == "*")


def _cache(text: str) -> LevelCache:
    parts = [part.strip() for part in text.split(",")]
    if len(parts) != 3:
        raise ValueError(f"expected (sampling,leaving,snapshots), such as (c2,LLNR,5), found '({text})'")
    sampling = re.fullmatch(r"(c?)([1-9][0-9]{0,8})", parts[0], re.ASCII)
    if sampling is None:
        raise ValueError(f"expected a sampling function such as c2 or 2, found '{parts[0]}' in '({text})'")
    if (leaving := LEAVING.get(parts[1].upper())) is None:
        hint = suggestion(parts[1].upper(), LEAVING)
        raise ValueError(f"expected {alternatives(list(LEAVING))}, found '{parts[1]}' in '({text})'{hint}")
    if not re.fullmatch(r"[1-9][0-9]{0,8}", parts[2], re.ASCII):
        raise ValueError(f"expected a number of snapshots, found '{parts[2]}' in '({text})'")
    period = int(sampling[2])
    return LevelCache(period, 0 if sampling[1] else period, leaving, int(parts[2]))


STREAM = Spelling(EXPECTED, stream)
