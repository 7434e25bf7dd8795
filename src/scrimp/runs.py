"""Questions about infinite runs: each is decided by the cheapest search that can.

- *Invariants*, formulas about single states such as `[] p`, are decided by one search for all of them: their violations
  are states to be reached.
- *Safety*: if a finite run shows each violation, the search is one of states, in which a monitor goes along.
- For everything else, lassos are looked for.

The first two work with every order, store, reduction and number of threads. They do not depend on fairness: every
finite run is the beginning of a fair one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from scrimp.compatibility import Choice, choose_for_infinite_runs, why_not_reduced, why_not_watched
from scrimp.concluding import conclude, require_justified
from scrimp.errors import OptionError
from scrimp.fairness import Fairness
from scrimp.findings import Found
from scrimp.frontends.model import Model
from scrimp.lassos import describe_lassos, describe_prefix
from scrimp.left_out import LeftOut
from scrimp.passes import Kept, NetReduction
from scrimp.properties import Assertions, Deadlock, Faults
from scrimp.result import Result
from scrimp.searching import Request, Searched, Watching, after_another, search
from scrimp.strategies import DepthFirst, Full
from scrimp.system.system import Invariant
from scrimp.temporal import Question, fair_processes, fitted
from scrimp.unfusing import Finding
from scrimp.verdict import Ending, Verdict
from scrimp.watches import BITS, Watches

FULL, COMPRESSED = Full(), Full(compress="cleary")
LEAST_SECONDS = 0.001

# A net has no faults but that of a place with too many tokens, and that ends no run.
GROWS = "some place exceeds its limit on the way, so not every run was considered"

# One bit is left for the model's own invariants: see `watch_goals`.
MOST_INVARIANTS = BITS - 1


@dataclass(frozen=True, slots=True)
class Terms:
    """How a search may be made: `choice` has the method of `request`, `names_order` and `names_store` say
    whether the user named its order and its store, and `threads` how many threads the user asked for."""

    request: Request
    choice: Choice
    names_order: bool
    names_store: bool
    threads: int | None

    def require_used(self, model: Model, questions: Sequence[Question]) -> None:
        """Refuse threads if all these questions are about lassos, and none is decided by several threads."""
        if self._wants_threads and all(
            question.monitor is None and self.for_lassos(model, question).threads == 1 for question in questions
        ):
            raise OptionError(
                f"--threads {self.threads}: a search for infinite runs has one thread if it is depth-first, and strong "
                "fairness, reductions and compressed states need --order dfs; leave out --threads"
            )

    @property
    def _wants_threads(self) -> bool:
        return (self.threads or 1) > 1

    def for_lassos(self, model: Model, question: Question) -> Request:
        """How to look for lassos; raises OptionError if that is impossible."""
        prefers_levels = self._wants_threads and not _is_strong(model, question)
        live = choose_for_infinite_runs(self.choice, self.names_order, self.names_store, prefers_levels)
        threads = self.request.threads if live.method.order.has_levels else 1
        return replace(self.request, method=live.method, order_reason=live.order_reason, threads=threads)


def _prepared_for(model: Model, question: Question, request: Request) -> Request:
    """The request with the passes that keep the runs which decide a question, if passes are wanted: only structural
    reductions of nets are known to. Nets have no fairness, which is about processes."""
    is_net = model.language == "pnml"
    return replace(request, passes=(NetReduction(_kept(question)),) if request.passes and is_net else ())


def _kept(question: Question) -> Kept:
    if question.monitor is not None:
        return Kept.PREFIXES if question.monitor.is_stutter_invariant else Kept.STEPS
    return Kept.RUNS if question.is_next_free else Kept.STEPS


def _is_strong(model: Model, question: Question) -> bool:
    return Fairness.STRONG in fair_processes(model, question.asked.fairness).values()


def decide_runs(model: Model, questions: Sequence[Question], terms: Terms) -> list[Result]:
    """Decide questions, one result for each; a method that cannot decide all of them is refused first."""
    terms = replace(terms, request=replace(terms.request, reduces=False))
    lassos = {id(each): terms.for_lassos(model, each) for each in questions if each.monitor is None}
    for question in questions:
        _require_watched(question, terms.request)
        if question.monitor is None:
            _require_decided(model, question, lassos[id(question)])
    results = {
        id(question): result
        for group in _invariants_among(questions)
        for question, result in check_invariants(model, group, terms.request)
    }
    for question in questions:
        if question.monitor is None:
            results[id(question)] = check_lassos(model, question, lassos[id(question)], not terms.names_store)
        elif not question.is_invariant:
            results[id(question)] = check_prefixes(model, question, terms.request)
    return [results[id(question)] for question in questions]


def watched_runs(questions: Sequence[Question]) -> list[Watching]:
    """What the searches for these questions watch."""
    invariants = [partial(_watch_violations, group) for group in _invariants_among(questions)]
    return invariants + [question.watches for question in questions if not question.is_invariant]


def _invariants_among(questions: Sequence[Question]) -> list[Sequence[Question]]:
    """Those that are about single states, as many together as one search can watch."""
    invariants = [question for question in questions if question.is_invariant]
    return [invariants[start : start + MOST_INVARIANTS] for start in range(0, len(invariants), MOST_INVARIANTS)]


def _watch_violations(questions: Sequence[Question], model: Model) -> Watches:
    return Watches(tuple(Invariant(each.asked.name, each.violation(model)) for each in questions), ())


def _require_watched(question: Question, request: Request) -> None:
    if question.monitor is None or question.is_invariant:
        return
    if reason := why_not_watched(request.method, question.monitor.is_stutter_invariant):
        raise OptionError(f"{question.asked.text}: {reason}")


def _require_decided(model: Model, question: Question, request: Request) -> None:
    """Refuse a reduction that may leave out all runs that decide a question, and strong fairness in levels."""
    reduction = request.method.reduction
    if reason := why_not_reduced(reduction, question.is_next_free, question.asked.fairness):
        raise OptionError(f"{question.asked.text}: reduction '{reduction}' cannot be used here: {reason}")
    if request.method.order.has_levels and _is_strong(model, question):
        raise OptionError("infinite runs need --order dfs under strong fairness: it is decided component by component")


def check_lassos(model: Model, question: Question, request: Request, may_compress: bool = False) -> Result:
    """Decide a question by looking for an infinite run. If memory runs out and states `may_compress`, they are."""
    request = _prepared_for(model, question, request)
    if request.audit and not request.passes and not request.method.reduction.leaves_out:
        raise OptionError("--audit has nothing to check in a search for infinite runs without --reduce")
    _require_decided(model, question, request)
    require_justified(model if question.keeps_claim else model.unclaimed(), [question.asked], request)
    subject = model if question.keeps_claim else model.unclaimed()
    fitting, request = _fitted(question, request)
    searched = search(subject, fitting.watches, request)
    if may_compress and Ending(searched.outcome.reason) is Ending.MEMORY:
        reason = f"{FULL} had no room for more than {searched.outcome.states:,} states"
        fitting, request = _fitted(question, _compressed(request, searched))
        again = search(subject, fitting.watches, request)
        searched = replace(again, outcome=after_another(searched.outcome, again.outcome), store_reason=reason)
    left_out = _not_asked(model, question)
    result = conclude(model, [question.asked], request, searched, left_out, partial(_lassos, fitting))
    return _doubting(model, result)


def _fitted(question: Question, request: Request) -> tuple[Question, Request]:
    """The question as the store takes it, and the request with it."""
    question = fitted(question, request.method.store)
    return question, replace(request, liveness=question.for_engine)


def _compressed(request: Request, before: Searched) -> Request:
    """The request for a search that starts again with compressed states, in the time that is left."""
    method = replace(request.method, order=DepthFirst(), store=COMPRESSED)
    limits = request.limits
    if limits.time is not None:
        limits = replace(limits, time=max(limits.time - before.outcome.seconds, LEAST_SECONDS))
    order_reason = request.order_reason if method.order == request.method.order else f"the only one for {COMPRESSED}"
    return replace(request, method=method, order_reason=order_reason, threads=1, limits=limits)


def _lassos(question: Question, searched: Searched, findings: Sequence[Finding]) -> Found:
    return describe_lassos(searched.model, question, findings)


def check_prefixes(model: Model, question: Question, request: Request) -> Result:
    """Decide a question about safety by looking for a finite run that its monitor recognises."""
    request = replace(
        _prepared_for(model, question, request),
        monitor=partial(question.monitor_for_engine, reduced=request.method.reduction.leaves_out),
        faults=False,
        deadlock=False,
        stop_after=1,
        traces=1,
    )
    model_asked, model = model, model.unclaimed()
    require_justified(model, [question.asked], request)
    searched = search(model, question.watches, request)
    left_out = _not_asked(model_asked, question)
    result = conclude(model_asked, [question.asked], request, searched, left_out, partial(_prefixes, [question]))
    return _doubting(model, result)


def check_invariants(
    model: Model, questions: Sequence[Question], request: Request
) -> Iterator[tuple[Question, Result]]:
    """Decide questions about single states by one search."""
    request = _prepared_for(model, questions[0], request)
    request = replace(request, faults=False, deadlock=False, stop_after=0, traces=0, stop_at_goals=True)
    model_asked, model = model, model.unclaimed()
    asked = [question.asked for question in questions]
    require_justified(model, asked, request)
    searched = search(model, partial(_watch_violations, questions), request)
    left_out = _not_asked(model_asked, questions[0])
    result = conclude(model_asked, asked, request, searched, left_out, partial(_prefixes, questions))
    for question, judgement in zip(questions, result.properties, strict=True):
        violations = tuple(each for each in result.violations if question.asked.is_violated_by(each))
        alone = replace(
            result,
            verdict=judgement.verdict,
            reason=judgement.reason,
            properties=(judgement,),
            violations=violations,
        )
        yield question, _doubting(model, alone)


def _prefixes(questions: Sequence[Question], searched: Searched, findings: Sequence[Finding]) -> Found:
    """The violations of questions; a finding has the number of its question, or is about the only one."""
    found = (
        describe_prefix(searched.model, questions[finding.watch if len(questions) > 1 else 0], finding)
        for finding in findings
    )
    return Found(tuple(found), ())


def _doubting(model: Model, result: Result) -> Result:
    """Of a net, not all runs were considered if some place holds more tokens than a state has room for."""
    if model.language != "pnml" or not result.statistics.faults or result.verdict is not Verdict.PROVED:
        return result
    return replace(
        result,
        verdict=Verdict.UNDETERMINED,
        reason=GROWS,
        properties=tuple(replace(each, verdict=Verdict.UNDETERMINED, reason=GROWS) for each in result.properties),
    )


def _not_asked(model: Model, question: Question) -> tuple[LeftOut, ...]:
    """What a search for infinite runs leaves out."""
    usual = ((Assertions.kind, "assertions"), (Faults.kind, "faults"), (Deadlock.kind, "deadlocks"))
    known = {question.asked.kind, "scope", *(kind for kind, _ in usual)}
    others = tuple(each for each in model.left_out if each.kind not in known)
    return (*(LeftOut(kind, "", text, "only infinite runs are asked for") for kind, text in usual), *others)
