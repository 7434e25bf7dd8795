"""One search of a system: compile, run the engine, watch it. If a value needs a wider field, go on with wider fields,
or start again if what was found cannot be handed over; if the model outgrows its system, start again with a larger one.
If store `auto` is out of memory and may not use the disk, start again with a method that forgets."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

from scrimp import disk_cache
from scrimp.arguments import require_kind
from scrimp.checkpoints.folder import Checkpointing
from scrimp.checkpoints.handover import LEFT, LOST, discard, handover_file
from scrimp.checkpoints.reencoding import reencoding
from scrimp.checkpoints.saved import Saved, checkpoint_record, left_behind, resumed
from scrimp.checkpoints.setup import Setup, grown, require_same_code, restored
from scrimp.errors import OptionError
from scrimp.forgetting import Exhausted, methods_that_forget
from scrimp.growth import grow_ahead, kept_parts, remember, settled
from scrimp.interrupts import postponed
from scrimp.levels import Levels
from scrimp.limits import Limits
from scrimp.machine.build import Native, build
from scrimp.machine.byte_fields import byte_fields
from scrimp.machine.compiler import dismiss
from scrimp.machine.fusion import fuse
from scrimp.machine.ranges import Ranges, enlarged, inherited_ranges, initial_ranges, widen
from scrimp.machine.symmetric_ranges import symmetric_ranges, symmetrised
from scrimp.memory import disk_budget, enough_with_disk, require_enough, search_budget
from scrimp.passes import Pass, Passed, prepared
from scrimp.progress import Live
from scrimp.runner import HANDOVER_FILE, Outcome, Scribe, Search
from scrimp.statistics import Progress
from scrimp.strategies import Method, NoReduction, Reduction, Sleep
from scrimp.system.explicit import ExplicitSystem
from scrimp.system.reference import Outgrown, State
from scrimp.system.swaps import Symmetry
from scrimp.verdict import Ending
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


# The successors of a round that threads share, and a quarter of the states before the first such round: with fewer, one
# thread is as fast.
WORTH_SHARING = 2**13

# A search with wider fields takes states over if that is quicker than to find them again: if there are many, and if
# they took longer than it takes to read them.
LEAST_HANDED_OVER = 2**13
SECONDS_TO_TAKE_OVER = 1e-7

# For tests: how many states there are before each change of representation; 0: it is made when memory runs out.
CHANGE_AFTER = 0


@dataclass(frozen=True, kw_only=True)
class Request:
    """The question and the settings of one search. With a monitor, the watches are the atoms that it reads, and the
    question is whether it finds a violation. A search `reduces` if it chooses a reduction by itself; if that
    `is_default`, the answer matters rather than the states. If it `is_short`, it is not worth optimised code."""

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
    symmetry: bool = False
    reduces: bool = False
    is_default: bool = False
    most_bytes: int | None = None
    most_states: int = 0
    is_short: bool = False
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
    none was needed. `request` is the one that was carried out last: if a store had to be given up for a method that
    forgets, `store_reason` says why. With a `symmetry`, of the native code's system, only canonical states were
    visited. The fields of `native` have room for `ranges`. The engine had a `budget` of so many bytes."""

    model: Model
    watches: Watches
    passed: Passed
    native: Native
    outcome: Outcome
    compile_seconds: float
    relayouts: int
    compiler_rss_peak: int
    request: Request
    ranges: Ranges
    budget: int
    symmetry: Symmetry | None = None
    store_reason: str = ""


def compiled(model: Model, watching: Watching, passes: tuple[Pass, ...] = (), in_degree: bool = False) -> Native:
    """The code that a search begins with, from the cache or for it."""
    model = settled(model)
    watches = watching(model)
    passed, ranges, _ = _prepared(model, watches, passes)
    return build(passed.system, watches.expressions, ranges, fused=True, in_degree=in_degree)


def search(model: Model, watching: Watching, request: Request, before: Searched | None = None) -> Searched:
    """Search by the method of the request; if that is out of memory and may neither forget nor use the disk, by methods
    that forget. If a search of the same model came `before`, its code is used again."""
    deadline = None if request.limits.time is None else time.monotonic() + request.limits.time
    first = search_by_method(model, watching, request, deadline, before)
    if not _must_forget(request, first.outcome):
        return first
    tried: list[str] = []
    spent = first
    for method in _methods_that_forget(first, request):
        reason = f"{request.method.store} had no room for more than {first.outcome.states:,} states, and --disk is 0"
        order_reason = (
            request.order_reason if method.order.has_levels else f"the only one that store {method.store} allows"
        )
        changed = replace(request, method=method, order_reason=order_reason, threads=1)
        again = search_by_method(model, watching, changed, deadline)
        spent = replace(again, outcome=_together(spent.outcome, again.outcome), store_reason=reason)
        if Ending(again.outcome.reason) not in OUT_OF_MEMORY:
            return spent
        tried.append(str(method))
    outcome = replace(first.outcome, seconds=spent.outcome.seconds)
    return replace(first, outcome=outcome, store_reason=f"{' and '.join(tried)} had no room either" if tried else "")


# A depth-first search whose path fills its cache has no more room than one whose table is full.
OUT_OF_MEMORY = (Ending.MEMORY, Ending.CACHE)


def _must_forget(request: Request, outcome: Outcome) -> bool:
    """Whether a search has ended because it keeps every state. One with checkpoints can be resumed elsewhere instead;
    one in less memory than allowed was only a measurement."""
    may_forget = request.method.store.changes and request.limits.disk == 0
    is_whole = request.checkpoint is None and request.most_bytes is None
    return may_forget and is_whole and Ending(outcome.reason) is Ending.MEMORY


def _methods_that_forget(searched: Searched, request: Request) -> Iterator[Method]:
    levels = [states for states, _ in Levels(searched.outcome.levels)]
    exhausted = Exhausted(levels, searched.native.layout.words, searched.outcome.held_peak)
    return methods_that_forget(exhausted, _reduction(searched, request), request.limits.depth is not None)


def _reduction(searched: Searched, request: Request) -> Reduction:
    """Sleep sets keep every state and every violation, and save most of the visits to states that were forgotten. Among
    canonical states, that is not proved."""
    system = searched.passed.system
    is_plain = system.claim is None and not request.has_automaton and not request.symmetry
    return Sleep() if is_plain and not isinstance(system, ExplicitSystem) else NoReduction()


def _together(before: Outcome, after: Outcome) -> Outcome:
    """The outcome of a search that started again, by a method that forgets."""
    changes = {name: value for name, value in before.report.items() if name.startswith("auto.")}
    changes.setdefault("auto.forgetting_at", before.states)
    return after_another(before, replace(after, report=after.report | changes))


def after_another(before: Outcome, after: Outcome) -> Outcome:
    """The outcome of a search that started again: it took the time of both, and the most memory of any."""
    return replace(
        after,
        seconds=before.seconds + after.seconds,
        held_peak=max(before.held_peak, after.held_peak),
        rss_peak=max(before.rss_peak, after.rss_peak),
    )


def search_by_method(
    model: Model, watching: Watching, request: Request, deadline: float | None, before: Searched | None = None
) -> Searched:
    """Search with small fields and a small system first; if something does not fit, widen and go on or start again."""
    with handover_file(request.limits.spill, _may_hand_over(request)) as file:
        began = time.monotonic()
        attempt = _first_attempt(model, watching, request, before)
        compile_seconds = 0.0 if before is None else before.compile_seconds
        compiler_rss_peak = 0 if before is None else before.compiler_rss_peak
        while True:
            passed, watches = attempt.passed, attempt.watches
            native = attempt.native or build(
                passed.system,
                watches.expressions,
                attempt.ranges,
                fused=True,
                in_degree=request.method.store.uses_in_degrees,
                symmetry=attempt.symmetry,
                quickly=request.is_short,
            )
            compile_seconds += time.monotonic() - began
            compiler_rss_peak = max(compiler_rss_peak, native.compiler_rss_peak)
            if not request.most_states:
                dismiss()
            scribe = None if request.scribing is None else request.scribing(attempt.model, native)
            engine = Search(_subject(attempt, native, request), file)
            options = _options(engine.held, attempt, native, request, deadline)
            options["handover"] = None if file is None else _handover(attempt, native, request)
            engine.start(options, scribe)
            outcome = _wait(engine, request)
            if outcome.handover == LOST and Ending(outcome.reason) in (Ending.MEMORY, Ending.DISK):
                began = time.monotonic()
                attempt = replace(attempt, native=native, takes_over=False)
                continue
            if outcome.misfit is None:
                numbers = compile_seconds, attempt.relayouts, compiler_rss_peak
                fitting = attempt.ranges, options["budget"], attempt.symmetry
                return _rebuilt(Searched(attempt.model, watches, passed, native, outcome, *numbers, request, *fitting))
            began = time.monotonic()
            attempt = _next_attempt(attempt, native, outcome.misfit, model, watching, request)
            if attempt.before is native and outcome.handover == LEFT:
                attempt = replace(attempt, takes_over=True)
            else:
                discard(file)


def _may_hand_over(request: Request) -> bool:
    """Whether a search with wider fields may go on where this one ends: if it keeps all states, in levels, and nothing
    else is kept beside them."""
    method = request.method
    keeps_all = method.order.has_levels and method.store.can_be_saved and not method.reduction.leaves_out
    is_plain = not (request.has_automaton or request.audit or request.symmetry) and request.scribing is None
    return keeps_all and is_plain and request.checkpoint is None and request.limits.disk != 0


@dataclass(frozen=True, slots=True)
class _Attempt:
    """What is searched next: a system after some passes, room for its values, its code if that is known already, and
    the checkpoint to go on from; if that was written before the present layout, its states have the layout of
    `before`. So have those of a search that `takes_over` what the one before it has found."""

    model: Model
    watches: Watches
    passed: Passed
    ranges: Ranges
    symmetry: Symmetry | None = None
    relayouts: int = 0
    native: Native | None = None
    saved: Saved | None = None
    before: Native | None = None
    takes_over: bool = False

    @property
    def setup(self) -> Setup:
        return Setup(self.model, self.ranges, self.relayouts)


def _first_attempt(model: Model, watching: Watching, request: Request, before: Searched | None) -> _Attempt:
    if before is not None and _has_same_code(before.request, request):
        numbers = before.ranges, before.symmetry, before.relayouts
        native = before.native if request.is_short or not before.native.quick else None
        return _Attempt(before.model, before.watches, before.passed, *numbers, native)
    if before is not None and not request.symmetry:
        passed, identity = prepared(
            before.model.system, before.watches.expressions, request.passes, before.model.identity
        )
        return _Attempt(before.model, before.watches, passed, inherited_ranges(passed.system, before.ranges, identity))
    saved = resumed(request.checkpoint)
    model = settled(model) if saved is None else grown(model, saved.setup)
    watches = watching(model)
    passed, ranges, symmetry = _prepared(model, watches, request.passes, request.symmetry)
    if saved is None:
        return _Attempt(model, watches, passed, ranges, symmetry)
    ranges, relayouts = restored(ranges, saved.setup)
    return _Attempt(model, watches, passed, ranges, symmetry, relayouts, saved=saved)


def _has_same_code(one: Request, other: Request) -> bool:
    """Whether the same model is compiled for two requests."""
    codes = [
        (each.passes, each.symmetry, each.method.store.uses_in_degrees, each.has_automaton) for each in (one, other)
    ]
    return codes[0] == codes[1] and other.checkpoint is None


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
        return _grown_attempt(attempt, outgrown.need, state, asked, watching, request)
    if attempt.symmetry is not None:
        ranges = symmetrised(attempt.passed.system, ranges, attempt.symmetry)
    can_go_on = request.method.order.has_levels
    saved = left_behind(request.checkpoint, attempt.setup, native) if can_go_on else None
    return replace(
        attempt, ranges=ranges, relayouts=relayouts, native=None, saved=saved, before=native, takes_over=False
    )


def _grown_attempt(
    attempt: _Attempt, need: str, state: State, asked: Model, watching: Watching, request: Request
) -> _Attempt:
    """After a state in which an event needed what the system has not."""
    model = grow_ahead(attempt.model, need, state)
    remember(asked, model)
    watches = watching(model)
    passed, ranges, symmetry = _prepared(model, watches, request.passes, request.symmetry)
    kept = kept_parts(attempt.model, model)
    near = kept.state(passed.system, state)
    ranges = enlarged(ranges, passed.system, attempt.ranges, kept.variables, kept.channels, near)
    if symmetry is not None:
        ranges = symmetrised(passed.system, ranges, symmetry)
    return _Attempt(model, watches, passed, ranges, symmetry, attempt.relayouts + 1)


def _prepared(
    model: Model, watches: Watches, passes: tuple[Pass, ...], exploits_symmetry: bool = False
) -> tuple[Passed, Ranges, Symmetry | None]:
    """The system that is searched, room for its values, and its symmetry if that is to be exploited."""
    passed, identity = prepared(model.system, watches.expressions, passes, model.identity)
    ranges = initial_ranges(passed.system, identity)
    if not exploits_symmetry:
        return passed, ranges, None
    symmetry = _symmetry(passed.system, watches)
    return passed, symmetric_ranges(passed.system, ranges, symmetry), symmetry


def _symmetry(system: System, watches: Watches) -> Symmetry:
    """The symmetry of a system and of what is watched; refused with the reason if there is none."""
    from scrimp.symmetry.finding import find_symmetry
    from scrimp.symmetry.proving import Subject

    asked = tuple((f"'{each.name}'", each.test) for each in (*watches.goals, *watches.invariants))
    found = find_symmetry(Subject(fuse(system).system, asked))
    if not found.symmetry.groups:
        reason = f": {found.refusals[0]}" if found.refusals else ": no two processes have the same moves"
        raise OptionError(f"--symmetry: no processes can be exchanged{reason}; leave out --symmetry")
    return found.symmetry


def _rebuilt(searched: Searched) -> Searched:
    """What was found among canonical states, in terms of the system itself."""
    symmetry, passed, outcome = searched.symmetry, searched.passed, searched.outcome
    if symmetry is None:
        return searched
    from scrimp.symmetry.rebuilding import doubtful, rebuilt

    system = fuse(passed.system).system
    events = (event for e in doubtful(system, symmetry, outcome.fired) for event in searched.native.chains[e])
    unknown = {original for event in events for original in passed.covered[event]}
    return replace(
        searched,
        passed=replace(passed, unknown=passed.unknown | unknown),
        outcome=rebuilt(system, symmetry, searched.native.layout, outcome),
    )


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
    disk = disk_budget(limits.disk, limits.spill) if store.changes else 0
    enough = enough_with_disk(native.layout.words, request.threads) if disk else 0
    require_enough(limits.memory, held, request.threads, enough)
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
        "state_limit": request.most_states,
        "shuffle_seed": request.seed,
        "threads": request.threads,
        "worth_sharing": WORTH_SHARING,
        "audit": request.audit,
        "states": request.wants_states,
        "disk": disk,
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


def _handover(attempt: _Attempt, native: Native, request: Request) -> dict[str, Any]:
    """What the engine is to do with the file that is passed to it: see `HandoverOptions` in
    engine/search/checkpoint/options.h."""
    limits, before = request.limits, attempt.before
    wider = reencoding(before.layout, native.layout) if attempt.takes_over and before is not None else None
    return {
        "file": HANDOVER_FILE,
        "most_bytes": disk_budget(limits.disk, limits.spill),
        "least_states": LEAST_HANDED_OVER,
        "seconds_of_state": SECONDS_TO_TAKE_OVER,
        "takes_over": attempt.takes_over,
        "reencoding": wider,
    }


def _relations(system: System, native: Native, watches: Watches, request: Request) -> dict[str, Any] | None:
    """The relations between the events of native code, which are chains of the system's events; None if the engine does
    not need them. The events of an explicit system are all of one type, as the engine assumes without relations."""
    reduction = request.method.reduction
    if isinstance(system, ExplicitSystem):
        return None
    if not (request.audit or reduction.leaves_out or request.method.store.uses_event_types):
        return None
    remembers, infinite = request.monitor is not None, request.liveness is not None

    def computed() -> dict[str, Any]:
        from scrimp.reduction.relations import build_relations

        relations = build_relations(
            fuse(system).system,
            native.layout,
            watches.expressions,
            locality=reduction.locality,
            looks_ahead=reduction.looks_ahead,
            table_as_printed=reduction.takes_table_as_printed,
            remembers=remembers,
            infinite=infinite,
        )
        return relations.arguments()

    if not native.key:
        return computed()
    asked = reduction.locality, reduction.looks_ahead, reduction.takes_table_as_printed, remembers, infinite
    key = disk_cache.key_of("relations", native.key, disk_cache.code_version("reduction"), repr(asked))
    found = _latest_relations.get(key) or disk_cache.remember(key, computed)
    _latest_relations.clear()
    _latest_relations[key] = found
    return found


# A measurement and the search after it need the same.
_latest_relations: dict[str, dict[str, Any]] = {}


def _wait(engine: Search, request: Request) -> Outcome:
    """Wait for the outcome of a running search; meanwhile show progress and react to Ctrl-C."""
    began = time.monotonic()
    observer = request.progress
    live = Live(request.method)
    try:
        with postponed() as interrupts:
            while (outcome := engine.wait(POLL_SECONDS)) is None:
                if interrupts.take():
                    engine.stop()
                if observer is not None:
                    observer(live.progress(engine.progress(), time.monotonic() - began))
            return outcome
    finally:  # if the observer or the scribe failed, the search must not outlive it
        engine.end()
