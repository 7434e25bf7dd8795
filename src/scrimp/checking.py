"""check and explore: refuse unsuitable requests, search, replay the findings, decide."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal

from scrimp import properties
from scrimp.arguments import require_kind, require_seed, require_texts, require_whole_number
from scrimp.checkpoints.folder import Checkpointing
from scrimp.compatibility import require_exchanges, require_exploitable, require_possible
from scrimp.concluding import conclude, concluded, require_justified
from scrimp.errors import ModelError, OptionError
from scrimp.fairness import Fairness, parse_fairness
from scrimp.frontends.model import Model
from scrimp.inputs import (
    AnyFolder,
    AnyMethod,
    AnyModel,
    AnyOrder,
    AnyReduction,
    AnyStore,
    Memory,
    Time,
    checkpoint_of,
    choice_of,
    limits_of,
    model_of,
    threads_of,
)
from scrimp.left_out import LeftOut
from scrimp.machine.build import Native
from scrimp.passes import PASSES, passes_for
from scrimp.properties import Assertions, Claimed, Deadlock, Faults, Judgement, Property, Reach
from scrimp.reducing import search_reduced, with_short_trace
from scrimp.result import Result
from scrimp.runs import Terms, decide_runs, watched_runs
from scrimp.saving import Asking, checkpoints_of
from scrimp.searching import ProgressObserver, Request, Watching, compiled, search
from scrimp.strategies import AUTO
from scrimp.system.nets import is_limited
from scrimp.system.system import Invariant
from scrimp.temporal import Asked, Question, questions_about
from scrimp.verdict import Verdict
from scrimp.watches import Watches, watch_goals

NOT_ASKED = "only deadlocks were asked for"

# With `violations="all"`, every violation is counted and this many get a trace.
TRACES_OF_ALL = 10


def check(
    model: AnyModel,
    *,
    invariant: str | Iterable[str] = (),
    reach: str | Iterable[str] = (),
    allow_deadlock: bool = False,
    only: Literal["deadlock"] | None = None,
    ltl: str | Iterable[str] = (),
    non_progress: bool = False,
    acceptance: bool = False,
    automaton: str | os.PathLike[str] | Iterable[str | os.PathLike[str]] = (),
    fair: Fairness | str = Fairness.NONE,
    violations: int | Literal["all"] = 1,
    order: AnyOrder | None = None,
    store: AnyStore | None = None,
    reduction: AnyReduction | None = None,
    method: AnyMethod | None = None,
    memory: Memory | None = None,
    time: Time | None = None,
    depth: int | None = None,
    disk: float | str | None = None,
    spill: str | os.PathLike[str] | None = None,
    threads: int | None = None,
    shuffle: bool = False,
    seed: int = 0,
    as_written: bool = False,
    symmetry: bool = False,
    audit: bool = False,
    checkpoint: AnyFolder | Checkpointing | None = None,
    checkpoint_every: Time | None = None,
    progress: ProgressObserver | None = None,
) -> Result:
    """Decide whether a model can go wrong.

    Searches for a deadlock, a violated assertion or invariant, a run-time fault, or a state that should be reachable
    and is not; and for infinite runs that violate the model's `ltl` formulas and claims. If `ltl`, `non_progress`,
    `acceptance` or `automaton` is given, nothing is checked but what is asked for.

    Args:
        model: the model, the path of its file, or a class that derives from `scrimp.modelling.Model`.
        invariant: an expression, or several, in the model's language; each must hold in every state.
        reach: an expression, or several; each must hold in some reachable state.
        allow_deadlock: whether deadlocks are allowed.
        only: `"deadlock"`, if nothing else is asked. More of the model is left out then, and `reduction="auto"` tries
            stubborn sets without their proviso.
        ltl: a formula, or several; each must hold on every run. A name stands for the model's formula of that name.
        non_progress: whether to look for infinite runs that pass no progress label from some point on.
        acceptance: whether to look for infinite runs that pass accept labels again and again.
        automaton: a file, or several, in the HOA format, with an automaton that must accept no run.
        fair: `"weak"` or `"strong"`, if only the runs count that are fair to all processes in this sense.
        violations: how many violations to find before stopping, or `"all"`.
        order: the search order, such as `"dfs"`. By default breadth-first, unless the store needs another order, and
            depth-first with a reduction that is named.
        store: how visited states are stored, such as `"full:compress=tree"`.
        reduction: the partial-order reduction, such as `"sleep"`, or `"none"`; or `"auto"`: stubborn sets, unless a
            short measurement finds that they save little. `"auto"` is the default if no order, store, method, depth,
            checkpoint, symmetry or number of violations is named, nor `as_written`; otherwise `"none"` is. Questions
            about infinite runs are searched without it.
        method: order, store and reduction in one text, such as `"dfs/full/sleep"`, instead of these three.
        memory: how much the process that searches may hold: bytes, or a text such as `"200M"`. It is another
            process than this one, whose memory does not count. By default, 80% of the available memory.
        time: how long the search may run: seconds, or a text such as `"10m"`.
        depth: how many steps deep the search may go.
        disk: how much disk states may take if the store uses it: bytes, or a text such as `"10G"`; 0: none. By default
            half of what is free there.
        spill: the folder for states on disk. By default the one for temporary files.
        threads: how many threads the search has. By default, as many as the processors that this process may use,
            or one if the method cannot use several. The result does not depend on it, apart from times and memory.
        shuffle: whether the events of each state are fired in random order.
        seed: the seed of the random order.
        as_written: whether to search the model as it is written, without the passes that make it smaller first. They
            are not used either if more than one violation is asked for: some states would not be found.
        symmetry: whether to visit only one of the states that differ by an exchange of interchangeable processes, which
            are found and proved to be so; refused if there are none.
        audit: whether to check every choice of a reduction against its definition, to compare the answers before and
            after the passes, and of canonical states with all, if the model is small, and to count distinct states
            exactly if some are evicted.
        checkpoint: a new directory for checkpoints, from which `resume` continues the search.
        checkpoint_every: the time between two checkpoints: seconds, or a text such as `"10m"`, which is the default.
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
    wanted = _Wanted(
        invariants=require_texts("invariant", invariant),
        goals=require_texts("reach", reach),
        allow_deadlock=allow_deadlock,
        only=only,
        violations=violations,
        as_written=as_written,
        symmetry=symmetry,
        infinite=_about_runs(ltl, non_progress, acceptance, automaton, fair),
    )
    is_open = all(named is None for named in (order, store, reduction, method, depth, checkpoint))
    is_automatic = reduction == AUTO or (is_open and wanted.is_usual)
    choice = choice_of(order, store, None if is_automatic else reduction, method)
    request = wanted.of(
        Request(
            method=choice.method,
            order_reason=choice.order_reason,
            limits=limits_of(memory, time, depth, disk, spill),
            threads=threads_of(threads, choice.method),
            seed=require_seed(shuffle, seed),
            audit=audit,
            progress=progress,
            checkpoint=checkpoint_of(checkpoint, checkpoint_every),
            reduces=is_automatic,
            is_default=reduction is None,
        )
    )
    wanted.require_possible(request)
    model = model_of(model)
    questions = _questions(model, wanted, request)
    results = [check_states(model, wanted, request)] if wanted.asks_for_states else []
    if questions:
        terms = Terms(
            request, choice, order is not None or method is not None, store is not None or method is not None, threads
        )
        if not wanted.asks_for_states:
            terms.require_used(model, questions)
        results += decide_runs(model, questions, terms)
    return together(results)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Wanted:
    """What `check` is asked, and how the model may be changed before it is searched."""

    invariants: Sequence[str]
    goals: Sequence[str]
    allow_deadlock: bool
    only: Literal["deadlock"] | None
    violations: int | Literal["all"]
    as_written: bool
    symmetry: bool
    infinite: Asked

    def __post_init__(self) -> None:
        for name in ("allow_deadlock", "as_written", "symmetry"):
            require_kind(name, getattr(self, name), bool, "True or False")
        if self.violations != "all":
            require_whole_number("violations", self.violations, least=1, otherwise=' or "all"')
        if self.only not in (None, Deadlock.kind):
            raise OptionError(f"only: expected None or 'deadlock', found {self.only!r:.80}")
        if self.only is not None and (self.invariants or self.goals or self.allow_deadlock):
            named = "--allow-deadlock" if self.allow_deadlock else "--invariant" if self.invariants else "--reach"
            raise OptionError(f"--only deadlock asks for nothing else; leave out {named} or --only")

    @property
    def is_usual(self) -> bool:
        """Whether nothing is asked that depends on the states which a reduction leaves out."""
        return self.violations == 1 and not self.as_written and not self.symmetry

    @property
    def asks_for_states(self) -> bool:
        return not self.infinite or bool(self.invariants or self.goals)

    @property
    def saved(self) -> dict[str, Any]:
        """The arguments that say what a search with checkpoints was asked."""
        return {
            "invariant": self.invariants,
            "reach": self.goals,
            "allow_deadlock": self.allow_deadlock,
            "only": self.only,
            "violations": self.violations,
            "as_written": self.as_written,
        }

    def of(self, request: Request) -> Request:
        """The request, for what is wanted."""
        is_as_written = self.as_written or self.violations != 1 or request.method.store.uses_in_degrees
        is_only = self.only is not None
        return replace(
            request,
            deadlock=not self.allow_deadlock,
            only_deadlock=is_only,
            faults=not is_only,
            stop_after=0 if self.violations == "all" else self.violations,
            traces=TRACES_OF_ALL if self.violations == "all" else self.violations,
            passes=() if is_as_written else passes_for(deadlock=not self.allow_deadlock, only_deadlock=is_only),
            symmetry=self.symmetry,
        )

    def require_possible(self, request: Request) -> None:
        """Refuse a request that suits no model."""
        if self.symmetry:
            has_checkpoint = request.checkpoint is not None
            require_exploitable(request.method, request.reduces, self.violations, has_checkpoint)
        has_checks = bool(request.passes) or self.symmetry
        require_possible(request.method, request.limits, request.threads, request.audit, has_checks)


def _about_runs(
    ltl: str | Iterable[str],
    non_progress: bool,
    acceptance: bool,
    automaton: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    fair: Fairness | str,
) -> Asked:
    require_kind("non_progress", non_progress, bool, "True or False")
    require_kind("acceptance", acceptance, bool, "True or False")
    files = [automaton] if isinstance(automaton, str | os.PathLike) else automaton
    return Asked(
        formulas=tuple(require_texts("ltl", ltl)),
        non_progress=non_progress,
        acceptance=acceptance,
        automata=tuple(map(Path, files)),
        fairness=fair if isinstance(fair, Fairness) else parse_fairness(fair),
    )


def _questions(model: Model, wanted: _Wanted, request: Request) -> Sequence[Question]:
    """What is asked about infinite runs; refused if it does not go together with the rest."""
    questions = () if wanted.only is not None else questions_about(model, wanted.infinite)
    if wanted.only is not None and wanted.infinite:
        raise OptionError("--only deadlock asks for nothing else; leave out questions about infinite runs or --only")
    if wanted.symmetry:
        require_exchanges(model.system, bool(questions))
    if request.checkpoint is not None and questions:
        raise OptionError(
            "--checkpoint: a search for infinite runs leaves no checkpoints; leave out --checkpoint, or use "
            "--ignore-property if the question is the model's own"
        )
    return questions


def check_states(model: Model, wanted: _Wanted, request: Request) -> Result:
    """Decide what is asked about single states and events."""
    if wanted.only is None:
        asked, watching, left_out = _about_states(model, wanted.invariants, wanted.goals, wanted.allow_deadlock)
    else:
        asked, watching, left_out = _about_deadlocks(model, request)
    require_justified(model, asked, request)
    with checkpoints_of(model, Asking("check", wanted.saved), request):
        if request.reduces:
            chosen = search_reduced(model, watching, request)
        else:
            chosen = with_short_trace(model, watching, request, search(model, watching, request))
        return concluded(model, asked, chosen, left_out)


def _about_states(
    model: Model, invariants: Sequence[str], goals: Sequence[str], allow_deadlock: bool
) -> tuple[list[Property], Watching, tuple[LeftOut, ...]]:
    """What is asked about single states and events, what to watch for it, and what is left out."""
    if model.unchecked is not None:
        raise OptionError(
            f"{model.path}: {model.unchecked}, so it cannot be checked; --ignore-property checks the rest"
        )
    left_out = _left_out(model, allow_deadlock)
    asks_for_deadlocks = Deadlock.kind not in [each.kind for each in left_out]
    asked: list[Property] = [Assertions(), Faults(), *([Deadlock()] if asks_for_deadlocks else [])]
    if model.watched_by is not None:
        asked.append(Claimed(model.watched_by, f"never claim {model.watched_by}".rstrip()))
    asked += [properties.Invariant(declared.name) for declared in model.system.invariants]
    asked += [Reach(goal.name) for goal in model.goals]
    asked += [*map(properties.Invariant, invariants), *map(Reach, goals)]

    return asked, partial(_watch_states, invariants=invariants, goals=goals), left_out


def _watch_states(model: Model, invariants: Sequence[str] = (), goals: Sequence[str] = ()) -> Watches:
    """What is watched in states: the model's own goals and invariants, and those that the user asks for."""
    return watch_goals(
        [*model.goals, *(_asked(model, "reach", text) for text in goals)],
        [*model.system.invariants, *(_asked(model, "invariant", text) for text in invariants)],
    )


def compile_model(model: Model, in_degree: bool = False) -> list[Native]:
    """The code for everything that `check` and `explore` ask about a model by themselves, from the cache or for it."""
    codes = [compiled(model, _watch_states, () if in_degree else passes_for(deadlock=True), in_degree)]
    codes.append(compiled(model, watch_invariants, (), in_degree))
    return codes + [compiled(model.unclaimed(), watching) for watching in watched_runs(questions_about(model, Asked()))]


def _about_deadlocks(model: Model, request: Request) -> tuple[list[Property], Watching, tuple[LeftOut, ...]]:
    """The same, if only deadlocks are asked for."""
    if any(each.kind == Deadlock.kind for each in model.left_out):
        raise OptionError(f"--only deadlock: {model.path} leaves out deadlocks")
    if is_limited(model.system) and not request.method.reduction.keeps_violations:
        raise OptionError(
            f"reduction '{request.method.reduction}' cannot be used here: some places have no known bound, and without "
            "its proviso it could hide that they exceed a limit; leave out proviso=false"
        )
    usual: list[tuple[str, str, str]] = [(Assertions.kind, "", "assertions"), (Faults.kind, "", "faults")]
    usual += [(properties.Invariant.kind, each.name, f"invariant {each.name}") for each in model.system.invariants]
    usual += [(Reach.kind, each.name, f"reachable {each.name}") for each in model.goals]
    left_out = [LeftOut(*each, NOT_ASKED) for each in usual]
    return [Deadlock()], lambda _: watch_goals((), ()), (*model.left_out, *left_out, *model.own_questions)


def together(results: Sequence[Result]) -> Result:
    """The results of several searches of a model as one, with the numbers of the largest search."""
    largest = max(results, key=lambda result: result.statistics.states)
    verdict = Verdict.all_of(result.verdict for result in results)
    judgements = tuple(_joined([judgement for result in results for judgement in result.properties]))
    answered = {(judgement.property.kind, judgement.property.name) for judgement in judgements}
    named = {(each.kind, each.name): each for result in results for each in result.left_out}
    left_out = {key: each for key, each in named.items() if key not in answered}
    return replace(
        largest,
        verdict=verdict,
        reason=next(result.reason for result in results if result.verdict is verdict),
        properties=judgements,
        left_out=tuple(left_out.values()),
        violations=tuple(violation for result in results for violation in result.violations),
        goals=tuple(goal for result in results for goal in result.goals),
        unreached=next((result.unreached for result in results if result.unreached), ()),
    )


def _joined(judgements: Sequence[Judgement]) -> Iterator[Judgement]:
    """One verdict on each property: several searches may be about the same one."""
    of: dict[Property, list[Judgement]] = {}
    for judgement in judgements:
        of.setdefault(judgement.property, []).append(judgement)
    for theirs in of.values():
        verdict = Verdict.all_of(judgement.verdict for judgement in theirs)
        yield next(judgement for judgement in theirs if judgement.verdict is verdict)


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
        raise replace(error, file=f"--{option} '{text}'").pointing(text) from None


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
    disk: float | str | None = None,
    spill: str | os.PathLike[str] | None = None,
    threads: int | None = None,
    shuffle: bool = False,
    seed: int = 0,
    passes: bool = False,
    symmetry: bool = False,
    audit: bool = False,
    checkpoint: AnyFolder | Checkpointing | None = None,
    checkpoint_every: Time | None = None,
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
        disk: as for `check`.
        spill: as for `check`.
        threads: as for `check`.
        shuffle: as for `check`.
        seed: as for `check`.
        passes: whether to make the model smaller first, as `check` does.
        symmetry: as for `check`.
        audit: as for `check`.
        checkpoint: as for `check`.
        checkpoint_every: as for `check`.
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
    is_automatic = reduction == AUTO
    choice = choice_of(order, store, None if is_automatic else reduction, method)
    request = Request(
        method=choice.method,
        order_reason=choice.order_reason,
        limits=limits_of(memory, time, depth, disk, spill),
        threads=threads_of(threads, choice.method),
        seed=require_seed(shuffle, seed),
        audit=audit,
        progress=progress,
        passes=PASSES if passes else (),
        symmetry=symmetry,
        checkpoint=checkpoint_of(checkpoint, checkpoint_every),
    )
    require_kind("passes", passes, bool, "True or False")
    require_kind("symmetry", symmetry, bool, "True or False")
    if symmetry:
        require_exploitable(request.method, is_automatic, 1, checkpoint is not None)
    has_checks = bool(request.passes) or symmetry
    require_possible(request.method, request.limits, request.threads, request.audit, has_checks)
    model = model_of(model)
    if symmetry:
        require_exchanges(model.system, False)
    require_justified(model, (), request)
    left_out = (*model.left_out, *model.own_questions)
    request = replace(request, reduces=is_automatic)
    with checkpoints_of(model, Asking("explore", {"passes": passes}), request):
        if not is_automatic:
            return conclude(model, (), request, search(model, watch_invariants, request), left_out)
        chosen = search_reduced(model, watch_invariants, request)
        return concluded(model, (), chosen, left_out)


def watch_invariants(model: Model) -> Watches:
    """The model's own invariants are watched even if nothing is asked."""
    return watch_goals((), model.system.invariants)
