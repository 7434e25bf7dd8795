"""Strategies in the engine's words: which arguments of a search stand for a store and a reduction."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias, TypedDict

from scrimp.strategies import (
    Bitstate,
    Cache,
    Comback,
    Compact,
    Conflict,
    Full,
    Local,
    Overman,
    Pseudoroot,
    Reduction,
    Sleep,
    Snapshots,
    Store,
    Stubborn,
)
from scrimp.strategies.capacities import Capacity

if TYPE_CHECKING:
    from scrimp import _engine
    from scrimp._engine import Replacement
    from scrimp.reduction.relations import LocalityRule

Selecting: TypeAlias = Literal[
    "all", "local", "overman", "overman_refined", "overman_original", "overman_original_refined", "stubborn"
]
Sleeping: TypeAlias = Literal["none", "stored", "on_path", "unconditional"]


class StoreArguments(TypedDict, total=False):
    compress: Literal["none", "tree", "cleary", "huffman", "rle"]
    cache: Replacement
    comback: _engine.Comback
    snapshots: _engine.Snapshots
    pseudoroot: _engine.Pseudoroot
    compaction: _engine.Compaction
    bitstate: _engine.Bitstate


class ReductionArguments(TypedDict):
    selecting: Selecting
    proviso: bool
    sleeping: Sleeping


def store_arguments(store: Store) -> StoreArguments:
    match store:
        case Full(compress=compress):
            return {"compress": compress}
        case Cache(compress=cache_compress):
            return {"compress": cache_compress, "cache": _replacement(store)}
        case Comback():
            return {"comback": _comback(store)}
        case Snapshots():
            return {"snapshots": _snapshots(store)}
        case Pseudoroot():
            return {"pseudoroot": _pseudoroot(store)}
        case Compact(hash=bits):
            return {"compaction": {"hash_bits": bits}}
        case Bitstate(bytes=size, functions=functions):
            return {"bitstate": {"bytes": size or 0, "functions": functions}}
    raise NotImplementedError(f"the engine has no store '{store}'")


def _replacement(cache: Cache) -> Replacement:
    return {
        "states": cache.states or 0,
        "bytes": cache.bytes or 0,
        "parts": list(cache.cascade),
        "scan": cache.scan,
        "kept_type": cache.type or 0,
        "seed": cache.seed,
    }


def _comback(store: Comback) -> _engine.Comback:
    return {
        "hash_bits": store.hash or 0,
        "cache": _capacity(store.cached),
        "parts": list(store.parts),
        "distance": store.k,
        "delays": store.delay,
        "candidates": _capacity(store.collected),
        "queues_numbers": store.queue == "numbers",
        "group": _capacity(store.grouped),
        "as_printed": store.mode == "paper",
        "seed": store.seed,
    }


def _snapshots(store: Snapshots) -> _engine.Snapshots:
    return {
        "caches": list(store.stream.caches),
        "pebbles": store.stream.pebbles,
        "backtracks": store.backtracking,
        "keeps_some": store.permanent,
        "seed": store.seed,
    }


def _pseudoroot(store: Pseudoroot) -> _engine.Pseudoroot:
    return {
        "source": "counted" if store.source == "counted" else "in_degree",
        "next": store.next,
        "states": store.states or 0,
        "by": store.by,
        "counters": store.counters,
        "bits": store.bits,
        "functions": store.functions,
    }


def _capacity(capacity: Capacity) -> _engine.Capacity:
    return {"states": capacity.states, "bytes": capacity.bytes, "share": capacity.share}


def reduction_arguments(reduction: Reduction) -> ReductionArguments:
    selecting: Selecting = "all"
    sleeping: Sleeping = "none"
    proviso = True
    for part in reduction.parts:
        match part:
            case Local():
                selecting = "local"
            case Overman(proviso=proviso):
                selecting = _overman(part)
            case Stubborn(proviso=proviso):
                selecting = "stubborn"
            case Sleep(mode=mode):
                sleeping = "stored" if mode == "exact" else "on_path"
            case Conflict(mode=mode):
                sleeping = "stored" if mode == "exact" else "unconditional"
    return {"selecting": selecting, "proviso": proviso, "sleeping": sleeping}


def _overman(method: Overman) -> Selecting:
    if method.original:
        return "overman_original_refined" if method.refined else "overman_original"
    return "overman_refined" if method.refined else "overman"


def needs_relations(store: Store, reduction: Reduction) -> bool:
    """Whether the engine must know what events have to do with each other, or of which type they are."""
    typed = isinstance(store, Cache) and any(share.policy == "type" for share in store.cascade)
    return typed or any(part.selects or part.sleeps for part in reduction.parts)


def needs_in_degree(store: Store) -> bool:
    """Whether native code must tell how many edges lead into a state."""
    return isinstance(store, Pseudoroot) and store.source != "counted"


def needs_fields(store: Store) -> bool:
    """Whether states are coded byte by byte."""
    return isinstance(store, Full | Cache) and store.compress in ("huffman", "rle")


def takes_table_as_printed(reduction: Reduction) -> bool:
    """Whether who looks at a channel depends on all that is done to it, as in HGP92's Table I: the figures of both
    papers are those of that table."""
    return any(isinstance(part, Sleep | Conflict) and part.mode == "paper" for part in reduction.parts)


def locality_rule(reduction: Reduction) -> LocalityRule:
    rules: dict[str, LocalityRule] = {"exact": "computed", "paper": "declared_places", "printed": "declared"}
    modes = [part.mode for part in reduction.parts if isinstance(part, Local)]
    return rules[modes[0]] if modes else "computed"
