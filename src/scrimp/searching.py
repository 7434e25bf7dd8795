"""One search of a system: compile, run the engine, watch it. If a value needs a wider field, or the model outgrows its
system, start again with wider fields or a larger system."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from scrimp.arguments import require_kind
from scrimp.errors import OptionError
from scrimp.growth import grow, remember, settled
from scrimp.limits import Limits
from scrimp.machine.build import Native, build
from scrimp.machine.byte_fields import byte_fields
from scrimp.machine.fusion import fuse
from scrimp.machine.ranges import Ranges, initial_ranges, widen
from scrimp.memory import engine_budget
from scrimp.statistics import Progress
from scrimp.strategies import Method
from scrimp.system.explicit import ExplicitSystem
from scrimp.system.reference import Outgrown
from scrimp.watches import Watches

if TYPE_CHECKING:
    from scrimp._engine import Outcome, Relations, Search
    from scrimp.frontends.model import Model
    from scrimp.system.system import System

Scribe: TypeAlias = Callable[[bytes, bytes, bytes, Sequence[Sequence[int]], int, bytes, bytes], None]
"""Receives transitions, as the engine numbers them, and states: see `_engine.Search`."""
Scribing: TypeAlias = "Callable[[Model, Native], Scribe]"
"""Makes the scribe of a search; called again whenever the search starts again."""
ProgressObserver: TypeAlias = Callable[[Progress], None]

# How often a running search is polled: often enough for a live line and for Ctrl-C.
POLL_SECONDS = 0.1


# The successors of a round that threads share, and a 64th of the states before the first such round: with fewer, one
# thread is as fast.
WORTH_SHARING = 2**15


@dataclass(frozen=True, kw_only=True)
class Request:
    """The question and the settings of one search."""

    method: Method
    order_reason: str = ""
    limits: Limits
    threads: int
    seed: int | None
    audit: bool
    progress: ProgressObserver | None
    deadlock: bool = False
    stop_after: int = 0
    traces: int = 0
    scribing: Scribing | None = None
    wants_states: bool = False

    def __post_init__(self) -> None:
        require_kind("audit", self.audit, bool, "True or False")
        if self.progress is not None and not callable(self.progress):
            raise OptionError(f"progress: expected a function of a Progress, found {self.progress!r:.80}")


Watching: TypeAlias = "Callable[[Model], Watches]"
"""Returns the watches of a model; called again for a larger system, which has other variables."""


@dataclass(frozen=True, slots=True)
class Searched:
    """The end of a search: `model` has the system that was searched last, and `watches` are those of that system."""

    model: Model
    watches: Watches
    native: Native
    outcome: Outcome
    compile_seconds: float
    relayouts: int


def search(model: Model, watching: Watching, request: Request) -> Searched:
    """Search with small fields and a small system first; if something does not fit, widen and start again."""
    began = time.monotonic()
    deadline = None if request.limits.time is None else began + request.limits.time
    asked, model = model, settled(model)
    watches = watching(model)
    ranges: Ranges = initial_ranges(model.system, model.identity)
    compile_seconds = 0.0
    relayouts = 0
    while True:
        in_degree = request.method.store.uses_in_degrees
        native = build(model.system, watches.expressions, ranges, fused=True, in_degree=in_degree)
        compile_seconds += time.monotonic() - began
        scribe = None if request.scribing is None else request.scribing(model, native)
        engine = _engine_search(model.system, native, watches, request, deadline, scribe)
        engine.start()
        outcome = _wait(engine, request.progress)
        if outcome.misfit is None:
            return Searched(model, watches, native, outcome, compile_seconds, relayouts)
        began = time.monotonic()
        words, event = outcome.misfit
        state = native.layout.decode(words)
        relayouts += 1
        try:
            ranges = widen(ranges, model.system, state, native.chains[event])
        except Outgrown as outgrown:
            model = settled(grow(model, outgrown.need, state))
            remember(asked, model)
            watches = watching(model)
            ranges = initial_ranges(model.system, model.identity)


def _engine_search(
    system: System, native: Native, watches: Watches, request: Request, deadline: float | None, scribe: Scribe | None
) -> Search:
    from scrimp._engine import Search

    store = request.method.store
    if native.irreversible:
        event, reason = next(iter(native.irreversible.items()))
        move = system.transitions[native.chains[event][0]].moves[0]
        raise OptionError(
            f"store '{store}': the transition '{move.text:.60}' (line {move.position.line}) cannot be taken backwards: "
            f"{reason}; use source=counted, which counts edges in a first search"
        )
    budget = engine_budget(request.limits.memory, request.limits.held_before)
    if (store.table_bytes or 0) >= budget:
        raise OptionError(f"store '{store}' does not fit: the memory limit leaves {budget // 2**20}M")
    if request.limits.memory is None:
        store = store.sized(request.method.order, budget)
    return Search(
        native.machine(),
        method=replace(request.method, store=store).engine_record(),
        budget=budget,
        violation_watches=watches.violation_mask,
        goal_watches=watches.goal_mask,
        deadlock_is_violation=request.deadlock,
        stop_after=request.stop_after,
        traces=request.traces,
        depth_limit=request.limits.depth or 0,
        time_limit=0.0 if deadline is None else max(deadline - time.monotonic(), 0.001),
        shuffle_seed=request.seed,
        threads=request.threads,
        worth_sharing=WORTH_SHARING,
        audit=request.audit,
        relations=_relations(system, native, watches, request),
        scribe=scribe,
        states=request.wants_states,
        fields=byte_fields(native.layout) if store.codes_bytes else None,
    )


def _relations(system: System, native: Native, watches: Watches, request: Request) -> Relations | None:
    """The relations between the events of native code, which are chains of the system's events; None if the engine does
    not need them. The events of an explicit system are all of one type, as the engine assumes without relations."""
    reduction = request.method.reduction
    if isinstance(system, ExplicitSystem):
        return None
    if not (request.audit or reduction.leaves_out or request.method.store.uses_event_types):
        return None
    from scrimp import _engine
    from scrimp.reduction.relations import build_relations

    relations = build_relations(
        fuse(system).system,
        native.layout,
        watches.expressions,
        locality=reduction.locality,
        table_as_printed=reduction.takes_table_as_printed,
    )
    return _engine.Relations(**relations.arguments())


def _wait(engine: Search, observer: ProgressObserver | None) -> Outcome:
    """Wait for the outcome of a running search; meanwhile show progress and react to Ctrl-C."""
    began = time.monotonic()
    try:
        while True:
            try:
                outcome = engine.wait(POLL_SECONDS)
            except KeyboardInterrupt:
                engine.stop()
                continue
            if outcome is not None:
                return outcome
            if observer is not None:
                observer(_progress(engine, time.monotonic() - began))
    except BaseException:  # the observer failed: the search must not outlive it
        engine.stop()
        engine.wait()
        raise


def _progress(engine: Search, seconds: float) -> Progress:
    now = engine.progress()
    return Progress(now.states, now.transitions, now.matched, now.depth, now.frontier, now.bytes, seconds)
