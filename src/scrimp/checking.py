"""check and explore: refuse unsuitable requests, search, replay the findings, decide."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Literal

from scrimp import properties
from scrimp.arguments import require_kind, require_seed, require_texts, require_whole_number
from scrimp.compatibility import require_answerable, require_possible, require_suitable, why_not
from scrimp.coverage import unreached
from scrimp.errors import ModelError, OptionError
from scrimp.evidence import Evidence
from scrimp.findings import describe
from scrimp.frontends.model import Model
from scrimp.inputs import (
    AnyMethod,
    AnyModel,
    AnyOrder,
    AnyReduction,
    AnyStore,
    Memory,
    Time,
    choice_of,
    limits_of,
    model_of,
    threads_of,
)
from scrimp.left_out import LeftOut
from scrimp.levels import Levels
from scrimp.memory import peak_resident_bytes
from scrimp.properties import Assertions, Deadlock, Faults, Property, Reach, decide
from scrimp.result import Result
from scrimp.searching import ProgressObserver, Request, Searched, search
from scrimp.statistics import Statistics
from scrimp.strategies import DepthFirst, Method
from scrimp.system.system import Invariant
from scrimp.trace import ReplayError
from scrimp.unfusing import fired_events, unfused
from scrimp.verdict import Ending, Extent
from scrimp.watches import Watches, watch_goals


class AuditError(Exception):
    """A reduction made a choice that its definition forbids: a defect in scrimp."""


# In the engine's report, names with this prefix are those of the bytes that each part held.
PART = "bytes."

# With `violations="all"`, every violation is counted and this many get a trace.
TRACES_OF_ALL = 10


def check(
    model: AnyModel,
    *,
    invariant: str | Iterable[str] = (),
    reach: str | Iterable[str] = (),
    allow_deadlock: bool = False,
    violations: int | Literal["all"] = 1,
    order: AnyOrder | None = None,
    store: AnyStore | None = None,
    reduction: AnyReduction | None = None,
    method: AnyMethod | None = None,
    memory: Memory | None = None,
    time: Time | None = None,
    depth: int | None = None,
    threads: int | None = None,
    shuffle: bool = False,
    seed: int = 0,
    audit: bool = False,
    progress: ProgressObserver | None = None,
) -> Result:
    """Decide whether a model can go wrong.

    Searches for a deadlock, a violated assertion or invariant, a run-time fault, or a state that should be reachable
    and is not.

    Args:
        model: the model, or the path of its file.
        invariant: an expression, or several, in the model's language; each must hold in every state.
        reach: an expression, or several; each must hold in some reachable state.
        allow_deadlock: whether deadlocks are allowed.
        violations: how many violations to find before stopping, or `"all"`.
        order: the search order, such as `"dfs"`. By default breadth-first, unless the store or the reduction
            needs another order.
        store: how visited states are stored, such as `"full:compress=tree"`.
        reduction: the partial-order reduction, such as `"sleep"`.
        method: order, store and reduction in one text, such as `"dfs/full/sleep"`, instead of these three.
        memory: how much the search may add to what the process holds already: bytes, or a text such as `"200M"`.
            `WholeProcess("200M")` limits the whole process, as the command line does. By default the process may
            hold 80% of the available memory.
        time: how long the search may run: seconds, or a text such as `"10m"`.
        depth: how many steps deep the search may go.
        threads: how many threads the search has. By default, as many as the processors that this process may use,
            or one if the method cannot use several. The result does not depend on it, apart from times and memory.
        shuffle: whether the events of each state are fired in random order.
        seed: the seed of the random order.
        audit: whether to check every choice of a reduction against its definition, and to count distinct states
            exactly if some are evicted.
        progress: a function that is called with a `Progress` several times a second.

    Returns:
        The verdict, with its traces and numbers; `print` it to see the report.

    Raises:
        OptionError: for an argument that cannot be used, or a combination that could not justify an answer.
        ModelError: for a mistake in the model, or in an expression.

    Example:
        >>> import scrimp
        >>> scrimp.check("models/peterson.dve", invariant="not (First.critical and Second.critical)").verdict
        <Verdict.PROVED: 'proved'>
        >>> scrimp.check("models/broken_lock.dve", method="dfs/full/sleep", memory="200M", time="10m").verdict
        <Verdict.REFUTED: 'refuted'>
    """
    require_kind("allow_deadlock", allow_deadlock, bool, "True or False")
    if violations != "all":
        require_whole_number("violations", violations, least=1, otherwise=' or "all"')
    invariants = require_texts("invariant", invariant)
    goals = require_texts("reach", reach)
    choice = choice_of(order, store, reduction, method)
    request = Request(
        method=choice.method,
        order_reason=choice.order_reason,
        deadlock=not allow_deadlock,
        limits=limits_of(memory, time, depth),
        threads=threads_of(threads, choice.method),
        stop_after=0 if violations == "all" else violations,
        traces=TRACES_OF_ALL if violations == "all" else violations,
        seed=require_seed(shuffle, seed),
        audit=audit,
        progress=progress,
    )
    require_possible(request.method, request.limits, request.threads, request.audit)
    model = model_of(model)
    if model.liveness is not None:
        raise OptionError(
            model.refusal
            or f"{model.path}: {model.liveness} needs liveness checking, which scrimp cannot do yet; "
            "--ignore-property checks the rest"
        )
    left_out = _left_out(model, allow_deadlock)
    asks_for_deadlocks = Deadlock.kind not in [each.kind for each in left_out]
    asked: list[Property] = [Assertions(), Faults(), *([Deadlock()] if asks_for_deadlocks else [])]
    asked += [properties.Invariant(declared.name) for declared in model.system.invariants]
    asked += [*map(properties.Invariant, invariants), *map(Reach, goals)]

    def watching(model: Model) -> Watches:
        return watch_goals(
            [_asked(model, "reach", text) for text in goals],
            [*model.system.invariants, *(_asked(model, "invariant", text) for text in invariants)],
        )

    require_justified(model, asked, request)
    return conclude(model, asked, request, search(model, watching, request), left_out)


def _left_out(model: Model, allow_deadlock: bool) -> tuple[LeftOut, ...]:
    """The questions that the model leaves out, and deadlocks if they are allowed."""
    if not allow_deadlock or any(each.kind == Deadlock.kind for each in model.left_out):
        return model.left_out
    return (*model.left_out, LeftOut(Deadlock.kind, "", "deadlocks", "deadlocks are allowed"))


def _asked(model: Model, option: str, text: str) -> Invariant:
    """An expression that the user asks about. An error message quotes the expression, as there may be several."""
    try:
        return Invariant(text, model.expression(text))
    except ModelError as error:
        raise replace(error, file=f"--{option} '{text}'") from None


def explore(
    model: AnyModel,
    *,
    order: AnyOrder | None = None,
    store: AnyStore | None = None,
    reduction: AnyReduction | None = None,
    method: AnyMethod | None = None,
    memory: Memory | None = None,
    time: Time | None = None,
    depth: int | None = None,
    threads: int | None = None,
    shuffle: bool = False,
    seed: int = 0,
    audit: bool = False,
    progress: ProgressObserver | None = None,
) -> Result:
    """Visit every reachable state and count states, transitions, deadlocks and violations.

    No property is checked: the verdict is PROVED if every reachable state was visited.

    Args:
        model: the model, or the path of its file.
        order: as for `check`.
        store: as for `check`.
        reduction: as for `check`.
        method: as for `check`.
        memory: as for `check`.
        time: as for `check`.
        depth: as for `check`.
        threads: as for `check`.
        shuffle: as for `check`.
        seed: as for `check`.
        audit: as for `check`.
        progress: as for `check`.

    Returns:
        The counts, in `statistics`.

    Raises:
        OptionError: for an argument that cannot be used.
        ModelError: for a mistake in the model.

    Example:
        >>> import scrimp
        >>> scrimp.explore("models/peterson.dve", store="full:compress=tree").statistics.states
        20
    """
    choice = choice_of(order, store, reduction, method)
    request = Request(
        method=choice.method,
        order_reason=choice.order_reason,
        limits=limits_of(memory, time, depth),
        threads=threads_of(threads, choice.method),
        seed=require_seed(shuffle, seed),
        audit=audit,
        progress=progress,
    )
    require_possible(request.method, request.limits, request.threads, request.audit)
    model = model_of(model)
    require_justified(model, (), request)
    return conclude(model, (), request, search(model, watch_invariants, request), model.left_out)


def watch_invariants(model: Model) -> Watches:
    """The model's own invariants are watched even if nothing is asked."""
    return watch_goals((), model.system.invariants)


def require_justified(model: Model, asked: Sequence[Property], request: Request) -> None:
    """Refuse a search that could not justify an answer about this model."""
    require_answerable(request.method.reduction, asked)
    require_suitable(request.method, model.system, request.audit)


def conclude(
    model: Model, asked: Sequence[Property], request: Request, searched: Searched, left_out: Sequence[LeftOut]
) -> Result:
    """Replay the findings, and decide."""
    method = request.method
    system, watches, outcome = searched.model.system, searched.watches, searched.outcome
    if request.audit and outcome.complaint is not None:
        raise AuditError(outcome.complaint)
    ending = Ending(outcome.reason)
    statistics = _statistics(searched, watches, request)
    chains = searched.native.chains
    found = describe(searched.model, watches, [unfused(system, chains, finding) for finding in outcome.findings])
    if asked and ending is Ending.CLOSED and outcome.violations and not found.violations:
        raise ReplayError(f"{outcome.violations} violations were counted and no path to one was found")
    extent = Extent(
        ending=ending,
        exact=method.exact,
        reduced=not method.reduction.keeps_all_states,
        cause=method.store.cause(ending, statistics),
        remedy=method.store.remedy(ending, statistics) or _remedy(method, ending),
        doubt=method.store.doubt(statistics),
    )
    evidence = Evidence(
        violations=found.violations,
        goals=found.goals,
        extent=extent,
        statistics=statistics,
        untraced=outcome.violations - len(outcome.findings) + sum(goal.reached for goal in found.goals),
        left_out=left_out,
    )
    verdict, reason, judgements = decide(asked, evidence)
    fired = fired_events(chains, outcome.fired, len(system.transitions))
    covered = extent.is_complete and not extent.reduced
    return Result(
        verdict=verdict,
        reason=reason,
        ending=ending,
        properties=judgements,
        left_out=tuple(left_out),
        model=model.path,
        method=method,
        order_reason=request.order_reason,
        statistics=statistics,
        violations=found.violations,
        goals=found.goals,
        unreached=unreached(system, searched.model.vocabulary, fired) if covered else (),
        seed=request.seed,
        audit=request.audit,
    )


def _remedy(method: Method, ending: Ending) -> str:
    """What would help a search that was cut short for a reason other than its store."""
    if ending is not Ending.DISK:
        return ""
    folder = os.environ.get("TMPDIR") or "/tmp"
    needs_no_file = why_not(replace(method, order=DepthFirst())) is None
    return f"set TMPDIR (now {folder}) to a folder with free space" + (" or use --order dfs" if needs_no_file else "")


def _statistics(searched: Searched, watches: Watches, request: Request) -> Statistics:
    outcome = searched.outcome
    report = outcome.report
    forgot = request.method.store.has_forgotten(outcome.states, report)
    hits = {watches.name(bit): count for bit, count in enumerate(outcome.watch_hits) if bit >= len(watches.goals)}
    return Statistics(
        states=round(report.get("distinct_states", 0)) if forgot else outcome.states,
        states_exact=not forgot or request.audit,
        visits=outcome.states,
        stored_peak=report.get("stored_peak", 0) if request.method.store.may_forget else None,
        transitions=outcome.transitions,
        matched=outcome.matched,
        depth=outcome.depth,
        deadlocks=outcome.deadlocks,
        faults=outcome.faults,
        violations=outcome.violations,
        threads=request.threads,
        seconds=outcome.seconds,
        compile_seconds=searched.compile_seconds,
        levels=Levels(outcome.levels),
        violations_by_name=hits,
        state_bytes=report.get("state_bytes", 0),
        held_peak=outcome.held_peak,
        bytes_by_part={name.removeprefix(PART): held for name, held in report.items() if name.startswith(PART)},
        rss_peak=peak_resident_bytes(),
        bits_per_state=searched.native.layout.bits,
        events_executed=outcome.events_executed,
        report=report,
        relayouts=searched.relayouts,
    )
