"""check and explore: refuse what cannot be answered, search, replay what was found, decide."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from scrimp import properties
from scrimp.arguments import require_kind, require_seed, require_texts, require_whole_number
from scrimp.compatibility import choose, require_answerable, require_possible, require_suitable, why_not
from scrimp.coverage import unreached
from scrimp.errors import ModelError, OptionError
from scrimp.evidence import Evidence
from scrimp.findings import describe
from scrimp.frontends.model import Model
from scrimp.left_out import LeftOut
from scrimp.levels import Levels
from scrimp.limits import Limits
from scrimp.memory import peak_resident_bytes
from scrimp.properties import Assertions, Deadlock, Faults, Property, Reach, decide
from scrimp.result import Result
from scrimp.searching import ProgressObserver, Request, Searched, search
from scrimp.statistics import Statistics
from scrimp.strategies import DepthFirst, Full, Method, NoReduction, Order, Reduction, Store
from scrimp.system.system import Invariant
from scrimp.trace import ReplayError
from scrimp.unfusing import fired_events, unfused
from scrimp.verdict import Ending, Extent
from scrimp.watches import Watches, watch_goals


class AuditError(Exception):
    """A reduction made a choice that its definition forbids: a defect in scrimp."""


# The engine's report has the bytes that each part held under names with this prefix.
PART = "bytes."

# With `violations="all"` every violation is counted and this many get a trace.
TRACES_OF_ALL = 10


def check(
    model: Model,
    *,
    order: Order | None = None,
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
    """Decide whether the model can go wrong: a deadlock (unless `deadlock` is False), a violated assertion or
    invariant, a run-time fault, or a state of `reach` that cannot be reached. Stops after `violations` violations.
    Without `order` the search is breadth-first, unless the store or the reduction needs another order. `audit` checks
    every choice of a reduction against its definition, and counts distinct states exactly if some are evicted."""
    require_model(model)
    if violations != "all":
        require_whole_number("violations", violations, least=1, otherwise=' or "all"')
    invariants = require_texts("invariants", invariants)
    reach = require_texts("reach", reach)
    if model.liveness is not None:
        raise OptionError(
            f"{model.path}: {model.liveness} asks a liveness question, which scrimp cannot answer yet; "
            "--ignore-property checks the rest"
        )
    left_out = _left_out(model, deadlock)
    asks_for_deadlocks = Deadlock.kind not in [each.kind for each in left_out]
    asked: list[Property] = [Assertions(), Faults(), *([Deadlock()] if asks_for_deadlocks else [])]
    asked += [properties.Invariant(declared.name) for declared in model.system.invariants]
    asked += [*map(properties.Invariant, invariants), *map(Reach, reach)]
    choice = choose(order, store, reduction)
    request = Request(
        method=choice.method,
        order_reason=choice.order_reason,
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
    return conclude(model, asked, request, search(model, watching, request), left_out)


def _left_out(model: Model, deadlock: bool) -> tuple[LeftOut, ...]:
    """What the model leaves out, and deadlocks if they are allowed."""
    if deadlock or any(each.kind == Deadlock.kind for each in model.left_out):
        return model.left_out
    return (*model.left_out, LeftOut(Deadlock.kind, "", "deadlocks", "deadlocks are allowed"))


def require_model(model: object) -> None:
    """Refuse anything but a model, such as the path of one."""
    require_kind("model", model, Model, 'a model such as load("lock.dve")')


def _asked(model: Model, option: str, text: str) -> Invariant:
    """An expression that the user asks about. An error in it quotes the expression, as there may be several."""
    try:
        return Invariant(text, model.expression(text))
    except ModelError as error:
        raise replace(error, file=f"--{option} '{text}'") from None


def explore(
    model: Model,
    *,
    order: Order | None = None,
    store: Store = Full(),
    reduction: Reduction = NoReduction(),
    limits: Limits = Limits(),
    shuffle: bool = False,
    seed: int = 0,
    audit: bool = False,
    progress: ProgressObserver | None = None,
) -> Result:
    """Visit every reachable state and count states, transitions, deadlocks and violations, without asking for anything.
    `order` and `audit` are those of `check`."""
    require_model(model)
    choice = choose(order, store, reduction)
    request = Request(
        method=choice.method,
        order_reason=choice.order_reason,
        limits=limits,
        seed=require_seed(shuffle, seed),
        audit=audit,
        progress=progress,
    )
    require_justified(model, (), request)
    return conclude(model, (), request, search(model, watch_invariants, request), model.left_out)


def watch_invariants(model: Model) -> Watches:
    """The model's own invariants are watched even if nothing is asked."""
    return watch_goals((), model.system.invariants)


def require_justified(model: Model, asked: Sequence[Property], request: Request) -> None:
    """Refuse a search that could not justify an answer."""
    require_possible(request.method, request.limits, request.audit)
    require_answerable(request.method.reduction, asked)
    require_suitable(request.method, model.system, request.audit)


def conclude(
    model: Model, asked: Sequence[Property], request: Request, searched: Searched, left_out: Sequence[LeftOut]
) -> Result:
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
    """What would help a search that was cut short for a reason that has nothing to do with the store."""
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
