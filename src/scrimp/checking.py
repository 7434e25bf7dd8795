"""check and explore: refuse what cannot be justified, search, replay what was found, decide."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from scrimp import properties
from scrimp.arguments import require_kind, require_seed, require_texts, require_whole_number
from scrimp.compatibility import require_answerable, require_auditable, require_compatible, require_end, require_given
from scrimp.coverage import unreached
from scrimp.errors import ModelError, OptionError
from scrimp.evidence import Evidence
from scrimp.findings import describe
from scrimp.frontends.model import Model
from scrimp.levels import Levels
from scrimp.limits import Limits
from scrimp.memory import peak_resident_bytes
from scrimp.properties import Assertions, Deadlock, Faults, Property, Reach, decide
from scrimp.result import Result
from scrimp.searching import ProgressObserver, Request, Searched, search
from scrimp.statistics import Statistics
from scrimp.strategies import BreadthFirst, Full, Method, NoReduction, Order, Reduction, Store
from scrimp.system.system import Invariant
from scrimp.trace import ReplayError
from scrimp.unfusing import fired_events, unfused
from scrimp.verdict import Ending, Extent
from scrimp.watches import Watches, watch_goals


class AuditError(Exception):
    """A choice of a reduction is not as it is defined: a defect in scrimp."""


# How the engine's report names what a part of it held.
PART = "bytes."

# With `violations="all"` every violation is counted and this many get a trace.
TRACES_OF_ALL = 10


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
    audit: bool = False,
    progress: ProgressObserver | None = None,
) -> Result:
    """Whether the model can go wrong: a deadlock (unless `deadlock` is off), a violated assertion or invariant, a
    run-time fault, or a state of `reach` that cannot be reached. Stops after `violations` violations. `audit` checks
    every choice of a reduction against its definition, and counts distinct states exactly where some are forgotten."""
    require_model(model)
    if violations != "all":
        require_whole_number("violations", violations, least=1, otherwise=' or "all"')
    invariants = require_texts("invariants", invariants)
    reach = require_texts("reach", reach)
    if model.liveness is not None:
        raise OptionError(
            f"{model.path}: {model.liveness} asks a liveness question, which scrimp cannot "
            "answer yet; explore without it by --ignore-property"
        )
    asked: list[Property] = [Assertions(), Faults(), *([Deadlock()] if deadlock else [])]
    asked += [properties.Invariant(declared.name) for declared in model.system.invariants]
    asked += [*map(properties.Invariant, invariants), *map(Reach, reach)]
    request = Request(
        method=Method(order=order, store=store, reduction=reduction),
        deadlock=deadlock,
        limits=limits,
        stop_after=0 if violations == "all" else violations,
        traces=TRACES_OF_ALL if violations == "all" else violations,
        seed=require_seed(shuffle, seed),
        audit=audit,
        progress=progress,
    )

    def watching(model: Model) -> Watches:
        return watch_goals(
            [_asked(model, "reach", text) for text in reach],
            [*model.system.invariants, *(_asked(model, "invariant", text) for text in invariants)],
        )

    require_justified(model, asked, request)
    return conclude(model, asked, request, search(model, watching, request))


def require_model(model: object) -> None:
    """Refuse what is no model: a path of one is easily taken for it."""
    require_kind("model", model, Model, 'a model such as load("lock.dve")')


def _asked(model: Model, option: str, text: str) -> Invariant:
    """An expression that the user asks about; a mistake in it is told with its text, as there may be many."""
    try:
        return Invariant(text, model.expression(text))
    except ModelError as error:
        raise replace(error, file=f"--{option} '{text}'") from None


def explore(
    model: Model,
    *,
    order: Order = BreadthFirst(),
    store: Store = Full(),
    reduction: Reduction = NoReduction(),
    limits: Limits = Limits(),
    shuffle: bool = False,
    seed: int = 0,
    audit: bool = False,
    progress: ProgressObserver | None = None,
) -> Result:
    """Visit every reachable state and count: states, transitions, deadlocks, violations; nothing is asked of them.
    `audit` is that of `check`."""
    require_model(model)
    request = Request(
        method=Method(order=order, store=store, reduction=reduction),
        limits=limits,
        seed=require_seed(shuffle, seed),
        audit=audit,
        progress=progress,
    )
    require_justified(model, (), request)
    return conclude(model, (), request, search(model, watch_invariants, request))


def watch_invariants(model: Model) -> Watches:
    """What the model itself says must hold is looked at even where nothing is asked."""
    return watch_goals((), model.system.invariants)


def require_justified(model: Model, asked: Sequence[Property], request: Request) -> None:
    """Refuse a search that could not justify an answer."""
    method = request.method
    require_compatible(method)
    require_answerable(method.reduction, model.system, asked)
    require_end(method.store, request.limits)
    require_given(method.store, model.system)
    if request.audit:
        require_auditable(method, model.system)


def conclude(model: Model, asked: Sequence[Property], request: Request, searched: Searched) -> Result:
    """Replay what was found, and decide."""
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
        remedy=method.store.remedy(ending, statistics),
        doubt=method.store.doubt(statistics),
    )
    evidence = Evidence(
        violations=found.violations,
        goals=found.goals,
        extent=extent,
        statistics=statistics,
        untraced=outcome.violations - len(outcome.findings) + sum(goal.reached for goal in found.goals),
    )
    verdict, reason, judgements = decide(asked, evidence)
    fired = fired_events(chains, outcome.fired, len(system.transitions))
    covered = extent.is_complete and not extent.reduced
    return Result(
        verdict=verdict,
        reason=reason,
        ending=ending,
        properties=judgements,
        model=model.path,
        method=method,
        statistics=statistics,
        violations=found.violations,
        goals=found.goals,
        unreached=unreached(system, searched.model.vocabulary, fired) if covered else (),
        seed=request.seed,
        audit=request.audit,
    )


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
