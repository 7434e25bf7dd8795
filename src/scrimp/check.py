"""check and explore: load, refuse what cannot be justified, compile, search, replay what was found, decide."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, Literal, cast

from scrimp.compatibility import require_compatible
from scrimp.errors import OptionError
from scrimp.findings import describe
from scrimp.limits import Limits
from scrimp.machine.build import Native, build
from scrimp.machine.ranges import Ranges, initial_ranges, widen
from scrimp.memory import engine_budget, peak_resident_bytes
from scrimp.result import Ending, Progress, Property, Result, Statistics, Unreached, decide
from scrimp.strategies import BreadthFirst, Full, NoReduction, Order, Reduction, Store
from scrimp.system.system import Invariant, System
from scrimp.watches import Watches, watch_goals

if TYPE_CHECKING:
    from scrimp._engine import Outcome, Search
    from scrimp.frontends.model import Model

ProgressObserver = Callable[[Progress], None]

# How often a running search is looked at: often enough for a live line and for Ctrl-C.
POLL_SECONDS = 0.1
# With `violations="all"` every violation is counted and this many get a trace.
TRACES_OF_ALL = 10


@dataclass(frozen=True, kw_only=True)
class Request:
    """What is asked of one search."""

    order: Order
    store: Store
    reduction: Reduction
    deadlock: bool
    limits: Limits
    stop_after: int
    traces: int
    seed: int | None
    progress: ProgressObserver | None


def check(
    model: Model,
    *,
    order: Order = BreadthFirst(),
    store: Store = Full(),
    reduction: Reduction = NoReduction(),
    invariants: Sequence[str] = (),
    reach: Sequence[str] = (),
    deadlock: bool = True,
    limits: Limits = Limits(),
    violations: int | Literal["all"] = 1,
    shuffle: bool = False,
    seed: int = 0,
    progress: ProgressObserver | None = None,
) -> Result:
    """Whether the model can go wrong: a deadlock (unless `deadlock` is off), a violated assertion or invariant, a
    run-time fault, or a state of `reach` that cannot be reached. Stops after `violations` violations."""
    if model.property_process is not None:
        raise OptionError(
            f"{model.path}: property process '{model.property_process}' asks a liveness question, which scrimp cannot "
            "answer yet; explore without it by --ignore-property"
        )
    asked = [Property("fault"), *([Property("deadlock")] if deadlock else [])]
    asked += [Property("invariant", invariant.name) for invariant in model.system.invariants]
    asked += [Property("invariant", text) for text in invariants] + [Property("reach", text) for text in reach]
    request = Request(
        order=order,
        store=store,
        reduction=reduction,
        deadlock=deadlock,
        limits=limits,
        stop_after=0 if violations == "all" else violations,
        traces=TRACES_OF_ALL if violations == "all" else violations,
        seed=seed if shuffle else None,
        progress=progress,
    )
    watches = watch_goals(
        [Invariant(text, model.expression(text)) for text in reach],
        [*model.system.invariants, *(Invariant(text, model.expression(text)) for text in invariants)],
    )
    return _answer(model, watches, asked, request)


def explore(
    model: Model,
    *,
    order: Order = BreadthFirst(),
    store: Store = Full(),
    reduction: Reduction = NoReduction(),
    limits: Limits = Limits(),
    shuffle: bool = False,
    seed: int = 0,
    progress: ProgressObserver | None = None,
) -> Result:
    """Visit every reachable state and count: states, transitions, deadlocks, violations; nothing is asked of them."""
    request = Request(
        order=order,
        store=store,
        reduction=reduction,
        deadlock=False,
        limits=limits,
        stop_after=0,
        traces=0,
        seed=seed if shuffle else None,
        progress=progress,
    )
    return _answer(model, watch_goals((), model.system.invariants), [], request)


def _answer(model: Model, watches: Watches, asked: Sequence[Property], request: Request) -> Result:
    require_compatible(request.order, request.store, request.reduction)
    search = _search(model.system, watches, request)
    outcome = search.outcome
    ending = cast(Ending, outcome.reason)
    found = describe(model.system, watches, outcome.findings)
    verdict, reason = decide(
        ending=ending,
        exact=request.store.exact,
        asked=asked,
        violated=[violation.message for violation in found.violations],
        goals=found.goals,
    )
    return Result(
        verdict=verdict,
        reason=reason,
        properties=tuple(asked),
        model=model.path,
        order=request.order,
        store=request.store,
        reduction=request.reduction,
        statistics=_statistics(search, watches),
        violations=found.violations,
        goals=found.goals,
        unreached=tuple(_unreached(model.system, outcome.fired)) if ending == "closed" else (),
        seed=request.seed,
    )


@dataclass(frozen=True, slots=True)
class _Searched:
    native: Native
    outcome: Outcome
    compile_seconds: float
    relayouts: int


def _search(system: System, watches: Watches, request: Request) -> _Searched:
    """Search with fields as narrow as we dare; where a value does not fit, widen and begin anew."""
    began = time.monotonic()
    ranges: Ranges = initial_ranges(system)
    compile_seconds = 0.0
    relayouts = 0
    while True:
        native = build(system, watches.expressions, ranges)
        compile_seconds += time.monotonic() - began
        outcome = _run(_engine_search(native, watches, request), request.progress)
        if outcome.misfit is None:
            return _Searched(native, outcome, compile_seconds, relayouts)
        began = time.monotonic()
        words, event = outcome.misfit
        ranges = widen(ranges, system, native.layout.decode(words), event)
        relayouts += 1


def _engine_search(native: Native, watches: Watches, request: Request) -> Search:
    from scrimp._engine import Search

    machine = native.machine()
    return Search(
        machine,
        order="dfs" if request.order.holds_its_path else "bfs",
        compress=request.store.compress if isinstance(request.store, Full) else "none",
        budget=engine_budget(request.limits.memory),
        violation_watches=watches.violation_mask,
        goal_watches=watches.goal_mask,
        deadlock_is_violation=request.deadlock,
        stop_after=request.stop_after,
        traces=request.traces,
        depth_limit=request.limits.depth or 0,
        time_limit=request.limits.time or 0.0,
        shuffle_seed=request.seed,
        stop_when_goals_reached=False,
    )


def _run(search: Search, observer: ProgressObserver | None) -> Outcome:
    """Run a search in a thread of its own, so that this one can show progress and hear Ctrl-C.

    The outcome is waited for and not the thread: an interrupted `Thread.join` may take a running thread for a dead one.
    """
    outcomes: SimpleQueue[Outcome | BaseException] = SimpleQueue()
    began = time.monotonic()
    Thread(target=_collect, args=(search, outcomes), name="scrimp-search").start()
    while True:
        try:
            outcome = outcomes.get(timeout=POLL_SECONDS)
            break
        except Empty:
            if observer is not None:
                observer(_progress(search, time.monotonic() - began))
        except KeyboardInterrupt:
            search.stop()
    if isinstance(outcome, BaseException):
        raise outcome
    return outcome


def _collect(search: Search, outcomes: SimpleQueue[Outcome | BaseException]) -> None:
    try:
        outcomes.put(search.run())
    except BaseException as error:  # handed to the thread that waits
        outcomes.put(error)


def _progress(search: Search, seconds: float) -> Progress:
    now = search.progress()
    return Progress(
        states=now.states,
        transitions=now.transitions,
        matched=now.matched,
        depth=now.depth,
        frontier=now.frontier,
        bytes=now.bytes,
        seconds=seconds,
    )


def _statistics(search: _Searched, watches: Watches) -> Statistics:
    outcome = search.outcome
    hits = {watches.name(bit): count for bit, count in enumerate(outcome.watch_hits) if bit >= len(watches.goals)}
    return Statistics(
        states=outcome.states,
        transitions=outcome.transitions,
        matched=outcome.matched,
        depth=outcome.depth,
        deadlocks=outcome.deadlocks,
        faults=outcome.faults,
        violations=outcome.violations,
        seconds=outcome.seconds,
        compile_seconds=search.compile_seconds,
        levels=tuple(outcome.levels),
        violations_by_name=hits,
        state_bytes=outcome.state_bytes,
        bytes_by_part=outcome.bytes_peak,
        rss_peak=peak_resident_bytes(),
        bits_per_state=sum(search.native.layout.word_bits) - 1,
        relayouts=search.relayouts,
    )


def _unreached(system: System, fired: bytes) -> list[Unreached]:
    """The moves that no fired transition makes, in the order of the model's text."""
    reached = {move for event, transition in enumerate(system.transitions) if fired[event] for move in transition.moves}
    moves = {move for transition in system.transitions for move in transition.moves}
    return [
        Unreached(system.processes[move.process].name, move.text, move.position.line, move.position.column)
        for move in sorted(moves - reached, key=lambda move: (move.position.line, move.position.column, move.process))
    ]
