"""One search of a system: compile, run the engine, watch it. If a value needs a wider field, or the model outgrows its
system, start again with wider fields or a larger system; with a checkpoint, a search with wider fields goes on."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

from scrimp.arguments import require_kind
from scrimp.checkpoints.folder import Checkpointing
from scrimp.checkpoints.reencoding import reencoding
from scrimp.checkpoints.saved import Saved, checkpoint_record, left_behind, resumed
from scrimp.checkpoints.setup import Setup, grown, require_same_code, restored
from scrimp.errors import OptionError
from scrimp.growth import grow, remember, settled
from scrimp.limits import Limits
from scrimp.machine.build import Native, build
from scrimp.machine.byte_fields import byte_fields
from scrimp.machine.fusion import fuse
from scrimp.machine.ranges import Ranges, initial_ranges, widen
from scrimp.memory import disk_budget, search_budget
from scrimp.passes import Pass, Passed, prepared
from scrimp.runner import Outcome, Scribe, Search
from scrimp.statistics import Progress
from scrimp.strategies import Method
from scrimp.system.explicit import ExplicitSystem
from scrimp.system.reference import Outgrown
from scrimp.watches import Watches

if TYPE_CHECKING:
    from scrimp.frontends.model import Model
    from scrimp.system.system import System

Scribing: TypeAlias = "Callable[[Model, Native], Scribe]"
"""Makes the scribe of a search; called again whenever the search starts again."""
Asking: TypeAlias = "Callable[[Model, Native], dict[str, Any]]"
"""Makes the question of a search for infinite runs; called again whenever the search starts again."""
Monitoring: TypeAlias = "Callable[[Model, Native], dict[str, Any]]"
"""Makes the monitor of a search for finite runs; called again whenever the search starts again."""
ProgressObserver: TypeAlias = Callable[[Progress], None]

# A violation, and an atom that cannot be evaluated.
MONITOR_WATCHES = 0b11

# How often a running search is polled: often enough for a live line and for Ctrl-C.
POLL_SECONDS = 0.1


# The successors of a round that threads share, and a 64th of the states before the first such round: with fewer, one
# thread is as fast.
WORTH_SHARING = 2**15

# For tests: how many states there are before each change of representation; 0: it is made when memory runs out.
CHANGE_AFTER = 0


@dataclass(frozen=True, kw_only=True)
class Request:
    """The question and the settings of one search. With a monitor, the watches are the atoms that it reads, and the
    question is whether it finds a violation."""

    method: Method
    order_reason: str = ""
    limits: Limits
    threads: int
    seed: int | None
    audit: bool
    progress: ProgressObserver | None
    deadlock: bool = False
    only_deadlock: bool = False
    faults: bool = True
    stop_after: int = 0
    stop_at_goals: bool = False
    traces: int = 0
    scribing: Scribing | None = None
    wants_states: bool = False
    liveness: Asking | None = None
    monitor: Monitoring | None = None
    passes: tuple[Pass, ...] = ()
    reduces: bool = False
    most_bytes: int | None = None
    checkpoint: Checkpointing | None = None

    @property
    def has_automaton(self) -> bool:
        """Whether states are those of a product with an automaton."""
        return self.liveness is not None or self.monitor is not None

    def __post_init__(self) -> None:
        require_kind("audit", self.audit, bool, "True or False")
        if self.progress is not None and not callable(self.progress):
            raise OptionError(f"progress: expected a function of a Progress, found {self.progress!r:.80}")


Misfit: TypeAlias = tuple[tuple[int, ...], int]
"""The words of a state, and the event that leads from it to a value that does not fit."""
Watching: TypeAlias = "Callable[[Model], Watches]"
"""Returns the watches of a model; called again for a larger system, which has other variables."""


@dataclass(frozen=True, slots=True)
class Searched:
    """The end of a search: `model` is the one that was searched last, and `watches` are its own. What was searched is
    its system after some `passes`, as `native` code; `compiler_rss_peak` is the most bytes that a compiler held, 0 if
    none was needed."""

    model: Model
    watches: Watches
    passed: Passed
    native: Native
    outcome: Outcome
    compile_seconds: float
    relayouts: int
    compiler_rss_peak: int


def compiled(model: Model, watching: Watching, passes: tuple[Pass, ...] = (), in_degree: bool = False) -> Native:
    """The code that a search begins with, from the cache or for it."""
    model = settled(model)
    watches = watching(model)
    passed, ranges = _prepared(model, watches, passes)
    return build(passed.system, watches.expressions, ranges, fused=True, in_degree=in_degree)


def search(model: Model, watching: Watching, request: Request) -> Searched:
    """Search with small fields and a small system first; if something does not fit, widen and start again."""
    began = time.monotonic()
    deadline = None if request.limits.time is None else began + request.limits.time
    attempt = _first_attempt(model, watching, request)
    in_degree = request.method.store.uses_in_degrees
    compile_seconds = 0.0
    compiler_rss_peak = 0
    while True:
        passed, watches = attempt.passed, attempt.watches
        native = build(passed.system, watches.expressions, attempt.ranges, fused=True, in_degree=in_degree)
        compile_seconds += time.monotonic() - began
        compiler_rss_peak = max(compiler_rss_peak, native.compiler_rss_peak)
        scribe = None if request.scribing is None else request.scribing(attempt.model, native)
        engine = Search(_subject(attempt, native, request))
        engine.start(_options(engine.held, attempt, native, request, deadline), scribe)
        outcome = _wait(engine, request.progress)
        if outcome.misfit is None:
            numbers = compile_seconds, attempt.relayouts, compiler_rss_peak
            return Searched(attempt.model, watches, passed, native, outcome, *numbers)
        began = time.monotonic()
        attempt = _next_attempt(attempt, native, outcome.misfit, model, watching, request)


@dataclass(frozen=True, slots=True)
class _Attempt:
    """What is searched next: a system after some passes, room for its values, and the checkpoint to go on from; if that
    was written before the present layout, its states have the layout of `before`."""

    model: Model
    watches: Watches
    passed: Passed
    ranges: Ranges
    relayouts: int = 0
    saved: Saved | None = None
    before: Native | None = None

    @property
    def setup(self) -> Setup:
        return Setup(self.model, self.ranges, self.relayouts)


def _first_attempt(model: Model, watching: Watching, request: Request) -> _Attempt:
    saved = resumed(request.checkpoint)
    model = settled(model) if saved is None else grown(model, saved.setup)
    watches = watching(model)
    passed, ranges = _prepared(model, watches, request.passes)
    if saved is None:
        return _Attempt(model, watches, passed, ranges)
    return _Attempt(model, watches, passed, *restored(ranges, saved.setup), saved)


def _next_attempt(
    attempt: _Attempt, native: Native, misfit: Misfit, asked: Model, watching: Watching, request: Request
) -> _Attempt:
    """After a state in which an event led to a value that did not fit."""
    words, event = misfit
    state = native.layout.decode(words)
    relayouts = attempt.relayouts + 1
    try:
        ranges = widen(attempt.ranges, attempt.passed.system, state, native.chains[event])
    except Outgrown as outgrown:
        model = settled(grow(attempt.model, outgrown.need, state))
        remember(asked, model)
        watches = watching(model)
        return _Attempt(model, watches, *_prepared(model, watches, request.passes), relayouts)
    can_go_on = request.method.order.has_levels
    saved = left_behind(request.checkpoint, attempt.setup, native) if can_go_on else None
    return replace(attempt, ranges=ranges, relayouts=relayouts, saved=saved, before=native)


def _prepared(model: Model, watches: Watches, passes: tuple[Pass, ...]) -> tuple[Passed, Ranges]:
    """The system that is searched, and room for its values."""
    passed, identity = prepared(model.system, watches.expressions, passes, model.identity)
    return passed, initial_ranges(passed.system, identity)


def _subject(attempt: _Attempt, native: Native, request: Request) -> dict[str, Any]:
    """What is searched: see `Subject` in engine/wire/requests.h."""
    model, system = attempt.model, attempt.passed.system
    store = request.method.store
    if native.irreversible:
        event, reason = next(iter(native.irreversible.items()))
        move = system.transitions[native.chains[event][0]].moves[0]
        raise OptionError(
            f"store '{store}': the transition '{move.text:.60}' (line {move.position.line}) cannot be taken backwards: "
            f"{reason}; use source=counted, which counts edges in a first search"
        )
    return {
        "machine": native.record,
        "relations": _relations(system, native, attempt.watches, request),
        "fields": byte_fields(native.layout) if store.codes_bytes else None,
        "liveness": None if request.liveness is None else request.liveness(model, native),
        "monitor": None if request.monitor is None else request.monitor(model, native),
    }


def _options(held: int, attempt: _Attempt, native: Native, request: Request, deadline: float | None) -> dict[str, Any]:
    """How it is searched, by a process that holds so many bytes before: the options of the engine's `Search`."""
    watches = attempt.watches
    store = request.method.store
    limits = request.limits
    budget = search_budget(limits.memory, held, request.threads)
    if request.most_bytes is not None:
        budget = min(budget, request.most_bytes)
    if (store.table_bytes or 0) >= budget:
        raise OptionError(f"store '{store}' does not fit: the memory limit leaves {budget // 2**20}M")
    if limits.memory is None:
        store = store.sized(request.method.order, budget)
    return {
        "method": replace(request.method, store=store).engine_record(),
        "budget": budget,
        "violation_watches": watches.violation_mask if request.monitor is None else MONITOR_WATCHES,
        "goal_watches": watches.goal_mask if request.monitor is None else 0,
        "deadlock_is_violation": request.deadlock,
        "fault_is_violation": request.faults,
        "stop_at_goals": request.stop_at_goals,
        "stop_after": request.stop_after,
        "traces": request.traces,
        "depth_limit": limits.depth or 0,
        "time_limit": 0.0 if deadline is None else max(deadline - time.monotonic(), 0.001),
        "shuffle_seed": request.seed,
        "threads": request.threads,
        "worth_sharing": WORTH_SHARING,
        "audit": request.audit,
        "states": request.wants_states,
        "disk": disk_budget(limits.disk, limits.spill) if store.changes else 0,
        "spill": "" if limits.spill is None else str(limits.spill),
        "change_after": CHANGE_AFTER,
        "checkpoint": _checkpoint(attempt, native, request.checkpoint),
    }


def _checkpoint(attempt: _Attempt, native: Native, asked: Checkpointing | None) -> dict[str, Any] | None:
    """What the engine is to do about checkpoints."""
    if asked is None:
        return None
    saved, before = attempt.saved, attempt.before
    if saved is not None and before is None:
        require_same_code(saved.setup, native, attempt.model.path)
    wider = None if before is None or saved is None else reencoding(before.layout, native.layout)
    return checkpoint_record(asked, attempt.setup, native, saved, wider)


def _relations(system: System, native: Native, watches: Watches, request: Request) -> dict[str, Any] | None:
    """The relations between the events of native code, which are chains of the system's events; None if the engine does
    not need them. The events of an explicit system are all of one type, as the engine assumes without relations."""
    reduction = request.method.reduction
    if isinstance(system, ExplicitSystem):
        return None
    if not (request.audit or reduction.leaves_out or request.method.store.uses_event_types):
        return None
    from scrimp.reduction.relations import build_relations

    relations = build_relations(
        fuse(system).system,
        native.layout,
        watches.expressions,
        locality=reduction.locality,
        table_as_printed=reduction.takes_table_as_printed,
        remembers=request.monitor is not None,
        infinite=request.liveness is not None,
    )
    return relations.arguments()


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
    finally:  # if the observer or the scribe failed, the search must not outlive it
        engine.end()


def _progress(engine: Search, seconds: float) -> Progress:
    now = engine.progress()
    return Progress(now.states, now.transitions, now.matched, now.depth, now.frontier, now.bytes, seconds)
