"""From the outcome of a search to a result: replay the findings, and decide."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from math import factorial
from shlex import quote

from scrimp import runner
from scrimp.compatibility import require_answerable, require_suitable, why_not
from scrimp.coverage import unreached
from scrimp.evidence import Evidence
from scrimp.fairness import Fairness
from scrimp.findings import Found, describe
from scrimp.forecast import Range, cut_short
from scrimp.frontends.model import Model
from scrimp.left_out import LeftOut
from scrimp.levels import Levels
from scrimp.memory import as_limit, enough_with_disk
from scrimp.notes import Exchangeable
from scrimp.passes.answers import compared
from scrimp.properties import Property, Temporal, decide
from scrimp.record import Unreached
from scrimp.reducing import Automatic
from scrimp.result import Result
from scrimp.saving import stopped_checkpoints
from scrimp.searching import Request, Searched
from scrimp.statistics import Statistics, bytes_by_part
from scrimp.strategies import Auto, BreadthFirst, DepthFirst, Full, Method
from scrimp.system.swaps import Symmetry
from scrimp.trace import ReplayError
from scrimp.undoing import alike_fired, fired_originals, undone
from scrimp.unfusing import Finding, fired_events, unfused
from scrimp.verdict import Ending, Extent
from scrimp.watches import Watches


class AuditError(Exception):
    """A reduction made a choice that its definition forbids, a pass changed an answer, or processes that change places
    make a difference: a defect in scrimp."""


# In the engine's report, names with this prefix are those of the bytes that each part held.

# Passes are audited on systems with at most this many states, which the reference interpreter visits in seconds.
MOST_AUDITED = 20_000

# Symmetries are audited on systems with at most this many states: each swap is tried in each of them.
MOST_SWAPPED = 4_000


def require_justified(model: Model, asked: Sequence[Property], request: Request) -> None:
    """Refuse a search that could not justify an answer about this model."""
    require_answerable(request.method.reduction, asked)
    require_suitable(request.method, model.system, request.audit)


def _states(searched: Searched, findings: Sequence[Finding]) -> Found:
    return describe(searched.model, searched.watches, findings)


def conclude(
    model: Model,
    asked: Sequence[Property],
    request: Request,
    searched: Searched,
    left_out: Sequence[LeftOut],
    describing: Callable[[Searched, Sequence[Finding]], Found] = _states,
    reduction_reason: str = "",
) -> Result:
    """Replay the findings, and decide. The method of the search may be another one than that of the request."""
    request = replace(
        request,
        method=searched.request.method,
        order_reason=searched.request.order_reason,
        threads=searched.request.threads,
    )
    method = request.method
    system, watches, outcome = searched.model.system, searched.watches, searched.outcome
    if request.audit and outcome.complaint is not None:
        raise AuditError(outcome.complaint)
    if request.audit and request.passes:
        _audit_passes(searched)
    if request.audit and searched.symmetry is not None:
        _audit_symmetry(searched, searched.symmetry)
    ending = Ending(outcome.reason)
    stopped = stopped_checkpoints(request.checkpoint, outcome.checkpoint)
    statistics = _statistics(searched, watches, request)
    chains, passed = searched.native.chains, searched.passed
    fused = [unfused(passed.system, chains, finding) for finding in outcome.findings]
    found = describing(searched, [undone(system, passed, finding) for finding in fused])
    if asked and ending is Ending.CLOSED and outcome.violations and not found.violations:
        raise ReplayError(f"{outcome.violations} violations were counted and no path to one was found")
    extent = Extent(
        ending=ending,
        exact=method.exact,
        reduced=not method.reduction.keeps_all_states,
        cause=stopped.cause(ending) or method.store.cause(ending, statistics),
        remedy=(
            _remedy_for_runs(method, ending, asked)
            if request.liveness is not None
            else stopped.remedy(ending) or method.store.remedy(ending, statistics)
        )
        or _remedy(searched, ending),
        doubt=method.store.doubt(statistics),
    )
    evidence = Evidence(
        violations=found.violations,
        goals=found.goals,
        extent=extent,
        statistics=statistics,
        untraced=outcome.violations - len(outcome.findings) + _goals_among(outcome.findings, watches, request),
        left_out=left_out,
    )
    verdict, reason, judgements = decide(asked, evidence)
    fired = fired_events(chains, outcome.fired, len(passed.system.transitions))
    fires_all = method.reduction.exact and method.reduction.keeps_violations
    covered = extent.is_complete and fires_all and not request.has_automaton
    missing, unknown = _uncovered(searched, fired) if covered else ((), 0)
    return Result(
        verdict=verdict,
        reason=reason,
        ending=ending,
        properties=judgements,
        left_out=tuple(left_out),
        model=model.path,
        method=method,
        order_reason=request.order_reason,
        store_reason=searched.store_reason,
        reduction_reason=reduction_reason,
        passes=passed.notes,
        symmetry=_exchangeable(searched),
        statistics=statistics,
        violations=found.violations,
        goals=found.goals,
        unreached=missing,
        unknown_coverage=unknown,
        seed=request.seed,
        audit=request.audit,
    )


def _exchangeable(searched: Searched) -> tuple[Exchangeable, ...]:
    groups = () if searched.symmetry is None else searched.symmetry.groups
    processes = searched.passed.system.processes
    found = []
    for group in groups:
        after = {process for swap in group.swaps for process, _ in swap.where} - {*group.members}
        names = (tuple(processes[number].name for number in numbers) for numbers in (group.members, sorted(after)))
        found.append(Exchangeable(next(names), factorial(len(group.members)), next(names)))
    return tuple(found)


def _uncovered(searched: Searched, fired: bytes) -> tuple[tuple[Unreached, ...], int]:
    """What was never executed, and of how many other parts of the model that is not known."""
    system, vocabulary = searched.model.system, searched.model.vocabulary
    known = fired_originals(system, searched.passed, fired)
    at_most = bytearray(known)
    for event in searched.passed.unknown | alike_fired(searched.passed, known):
        at_most[event] = 1
    missing = unreached(system, vocabulary, bytes(at_most), known if searched.passed.alike else None)
    unknown = len(unreached(system, vocabulary, known)) - len(missing) if at_most != known else 0
    return missing, unknown


def concluded(model: Model, asked: Sequence[Property], chosen: Automatic, left_out: Sequence[LeftOut]) -> Result:
    """The same for a reduction that was chosen automatically."""
    return conclude(model, asked, chosen.request, chosen.searched, left_out, reduction_reason=chosen.reason)


def _audit_passes(searched: Searched) -> None:
    """Compare the system that was searched with the model's own, unless they are too large for the reference
    interpreter."""
    seen = searched.watches.expressions
    if difference := compared(searched.model.system, searched.passed, seen, MOST_AUDITED):
        raise AuditError(f"the passes changed the answers: {difference}")


def _audit_symmetry(searched: Searched, symmetry: Symmetry) -> None:
    """Compare the canonical states with all, unless these are too many."""
    from scrimp.machine.fusion import fuse
    from scrimp.machine.symmetric_ranges import static_layout
    from scrimp.symmetry.auditing import audited

    system, seen = fuse(searched.passed.system).system, searched.watches.expressions
    if difference := audited(system, symmetry, static_layout(system, symmetry), seen, MOST_SWAPPED):
        raise AuditError(difference)


def _goals_among(findings: Sequence[runner.Finding], watches: Watches, request: Request) -> int:
    if request.has_automaton:
        return 0
    return sum(0 <= finding.watch < len(watches.goals) for finding in findings)


def _remedy_for_runs(method: Method, ending: Ending, asked: Sequence[Property]) -> str:
    """What would help a search for infinite runs: a smaller form of the store that it may have. With fairness, either
    may be smaller: `cleary` compresses passing states only."""
    fair = any(isinstance(each, Temporal) and each.fairness is not Fairness.NONE for each in asked)
    smaller = [form for form in ("cleary", "tree") if form != method.store.compression][: 2 if fair else 1]
    if ending is not Ending.MEMORY or (method.store.compression == "cleary" and not fair):
        return ""
    return f"try --store {' or '.join(f'full:compress={form}' for form in smaller)}"


def _remedy(searched: Searched, ending: Ending) -> str:
    """What would help a search that was cut short, if its store does not know."""
    method = searched.request.method
    if ending is Ending.MEMORY:
        larger = _larger_limit(searched)
        smaller = _smaller_method(searched.request) or (f"--memory {larger}" if larger else "")
        return f"{f'try {smaller}, or ' if smaller else ''}ask {_advising(searched)}"
    if ending is not Ending.DISK:
        return ""
    folder = os.environ.get("TMPDIR") or "/tmp"
    needs_no_file = why_not(replace(method, order=DepthFirst())) is None
    return f"set TMPDIR (now {folder}) to a folder with free space" + (" or use --order dfs" if needs_no_file else "")


def _smaller_method(request: Request) -> str:
    """The options of a method that may use the disk, or else of one that takes less memory; empty if neither combines
    with the rest of what was asked."""
    method = request.method
    on_disk = replace(method, order=BreadthFirst(), store=Auto())
    compressed = replace(method, store=Full(compress="cleary"))
    may_spill = request.scribing is None and not request.audit
    if may_spill and not method.store.changes and why_not(on_disk) is None:
        return f"{'' if method.order.has_levels else '--order bfs '}--store auto"
    if isinstance(method.store, Full) and method.store.compress != "cleary" and why_not(compressed) is None:
        return f"--store {compressed.store}"
    return ""


def _advising(searched: Searched) -> str:
    """The command that says which methods suffice."""
    limit = searched.request.limits.memory
    within = "" if limit is None else f" --memory {as_limit(limit)}"
    return f"scrimp methods --advise {quote(searched.model.path)}{within}"


def _larger_limit(searched: Searched) -> str:
    """The memory limit to try next: one that suffices with states on disk, if that is more; otherwise twice as much."""
    request, limit = searched.request, searched.request.limits.memory
    if limit is None:
        return ""
    enough = enough_with_disk(searched.native.layout.words, request.threads)
    if request.method.store.changes and enough > searched.budget:
        return as_limit(limit - searched.budget + enough)
    return as_limit(2 * limit)


def _forecast(outcome: runner.Outcome, request: Request) -> Range | None:
    """How many states there are in all, if a search in levels that visits each of them once was cut short."""
    is_cut_short = outcome.reason in (Ending.MEMORY, Ending.TIME, Ending.DISK, Ending.INTERRUPT)
    if not is_cut_short or not outcome.levels or request.method.store.may_forget:
        return None
    return cut_short([states for states, _ in Levels(outcome.levels)], outcome.depth)


def _statistics(searched: Searched, watches: Watches, request: Request) -> Statistics:
    outcome = searched.outcome
    report = outcome.report
    forgot = request.method.store.has_forgotten(outcome.states, report)
    hits = {
        watches.name(bit): count
        for bit, count in enumerate(outcome.watch_hits)
        if bit >= len(watches.goals) and not request.has_automaton
    }
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
        bytes_by_part=bytes_by_part(report),
        rss_peak=outcome.rss_peak,
        compiler_rss_peak=searched.compiler_rss_peak,
        bits_per_state=searched.native.layout.bits,
        events_executed=outcome.events_executed,
        report=report,
        relayouts=searched.relayouts,
        resumed=0 if outcome.checkpoint is None else outcome.checkpoint.resumptions,
        states_forecast=_forecast(outcome, request),
    )
