"""From a system to native code that the engine can run."""

from __future__ import annotations

import time
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from operator import sub
from typing import TYPE_CHECKING, Any

from scrimp import disk_cache
from scrimp.errors import OptionError, ScrimpError
from scrimp.machine.abi import MOST_WATCHES, MOST_WORDS
from scrimp.machine.fusion import Fused, fuse, unfused
from scrimp.machine.layout import Layout, lay_out
from scrimp.machine.nesting import fingerprint
from scrimp.machine.ranges import Ranges
from scrimp.system.explicit import ExplicitSystem
from scrimp.system.expressions import Expression
from scrimp.system.swaps import Symmetry
from scrimp.system.system import System

if TYPE_CHECKING:
    from scrimp._engine import Machine


@dataclass(frozen=True, slots=True)
class Native:
    """Compiled code and everything that a search must know about it. Its event i stands for the events `chains[i]` of
    the system, one after the other. `context` has the tables that the code reads. If `in_degree` was requested and is
    not among the `entries`, `irreversible` says which events cannot be reversed, and why."""

    layout: Layout
    code: bytes
    entries: dict[str, int]
    max_successors: int
    transitions: int
    watches: int
    holders: tuple[int, ...] | None
    steps: bytes | None
    chains: Sequence[tuple[int, ...]]
    compile_seconds: float
    cached: bool
    context: tuple[array[int], ...] = ()
    irreversible: Mapping[int, str] = field(default_factory=dict)
    compiler_rss_peak: int = 0
    """The most bytes that the compiler held; 0 if the code was in the cache."""
    quick: bool = False
    """Whether it was compiled quickly, for short searches."""
    key: str = ""
    """Identifies the system, the layout and the watches in the cache; empty if that is not known."""

    def machine(self) -> Machine:
        """The code in this process."""
        from scrimp._engine import Machine

        return Machine(**self.record)

    @property
    def record(self) -> dict[str, Any]:
        """The arguments of the engine's `Machine`."""
        return {
            "code": self.code,
            "words": self.layout.words,
            "word_bits": self.layout.word_bits,
            "max_successors": self.max_successors,
            "transitions": self.transitions,
            "watches": self.watches,
            "initial": self.entries["initial"],
            "successors": self.entries["successors"],
            "watch": self.entries.get("watch"),
            "valid_end": self.entries.get("valid_end"),
            "holders": None if self.holders is None else array("I", self.holders).tobytes(),
            "alone": self.entries.get("alone"),
            "offers": self.entries.get("offers"),
            "steps": self.steps,
            "in_degree": self.entries.get("in_degree"),
            "arrive": self.entries.get("arrive"),
            "context": self.context,
        }


def build(
    system: System,
    watches: Sequence[Expression],
    ranges: Ranges,
    *,
    fused: bool = False,
    in_degree: bool = False,
    symmetry: Symmetry | None = None,
    quickly: bool = False,
) -> Native:
    """Code for a system whose fields have room for `ranges`; with chains of transitions fused if requested, and with
    `in_degree` if requested and possible. With a `symmetry` of the fused system, all ordinary states are canonical. For
    a short search, code that is compiled `quickly` will do.

    Bit i of its `watch` is set if `watches[i]` is true or faults.
    """
    if len(watches) > MOST_WATCHES:
        raise OptionError(f"{len(watches)} properties are watched; at most {MOST_WATCHES} can be")
    began = time.monotonic()
    if isinstance(system, ExplicitSystem):
        return _tabulated(system, watches, began, in_degree)
    key = disk_cache.key_of(
        "native", ranges.key, fingerprint(ranges), fingerprint(tuple(watches)), str((fused, in_degree)), repr(symmetry)
    )
    keys = [key, disk_cache.key_of(key, "quickly")] if quickly else [key]
    for each in keys if ranges.key else ():
        if isinstance(found := disk_cache.recall(each), Native):
            return replace(found, compile_seconds=time.monotonic() - began, cached=True, compiler_rss_peak=0)
    native = _built(fuse(system) if fused else unfused(system), watches, ranges, began, in_degree, symmetry, quickly)
    if ranges.key:
        native = replace(native, key=key)
        disk_cache.keep(keys[-1], native)
    return native


def _built(
    fused: Fused,
    watches: Sequence[Expression],
    ranges: Ranges,
    began: float,
    in_degree: bool,
    symmetry: Symmetry | None,
    quickly: bool,
) -> Native:
    from scrimp.machine.backward.transitions import backward
    from scrimp.machine.compiler import hired
    from scrimp.machine.emit import emit
    from scrimp.machine.turns import holders, steps

    system = fused.system
    with hired() as compiler:
        layout = lay_out(system, ranges, () if symmetry is None else symmetry.swaps)
        if layout.words > MOST_WORDS:
            raise ScrimpError(
                f"{system.name}: a state takes {layout.words} words of 64 bits; at most {MOST_WORDS} can be"
            )
        found = backward(system, layout) if in_degree else None
        possible = found if found is not None and not found.impossible else None
        compiled = compiler.compile(emit(system, layout, watches, possible, symmetry), quickly=quickly)
    return Native(
        layout=layout,
        code=compiled.code,
        entries=compiled.entries,
        max_successors=most_successors(system),
        transitions=len(system.transitions),
        watches=len(watches),
        holders=holders(system),
        steps=steps(system),
        chains=fused.events,
        compile_seconds=time.monotonic() - began,
        cached=False,
        irreversible={} if found is None else found.impossible,
        compiler_rss_peak=compiled.rss_peak,
        quick=quickly,
    )


def _tabulated(system: ExplicitSystem, watches: Sequence[Expression], began: float, in_degree: bool) -> Native:
    """All explicit systems share the same code, which is cached; the tables are the system's own."""
    from scrimp.machine.compiler import Code, hired
    from scrimp.machine.explicit import EachAlone, emit_explicit, explicit_layout, tables

    graph = system.graph
    key = disk_cache.key_of("explicit", disk_cache.code_version("machine", "system"), fingerprint(tuple(watches)))
    found = disk_cache.recall(key)
    if isinstance(found, Code):
        compiled = found
    else:
        with hired() as compiler:
            compiled = compiler.compile(emit_explicit(watches))
        disk_cache.keep(key, compiled)
    return Native(
        layout=explicit_layout(graph.states),
        code=compiled.code,
        entries={name: entry for name, entry in compiled.entries.items() if in_degree or name != "in_degree"},
        max_successors=max(map(sub, islice(graph.first, 1, None), graph.first)),
        transitions=graph.edges,
        watches=len(watches),
        holders=None,
        steps=None,
        chains=EachAlone(graph.edges),
        compile_seconds=time.monotonic() - began,
        cached=compiled is found,
        context=tables(graph, in_degree=in_degree),
    )


def most_successors(system: System) -> int:
    """An upper bound on the events of a turn: each process is at one location, and leads at most the transitions that
    leave it."""
    most: dict[int, int] = {}
    for (process, _), events in system.leaving.items():
        most[process] = max(most.get(process, 0), len(events))
    return sum(most.values())
