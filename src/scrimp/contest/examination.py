"""An examination: the questions of a property file, the searches that answer them, and the answers."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from scrimp.arguments import require_kind, require_seed
from scrimp.compatibility import require_possible
from scrimp.contest.bounds import find_bounds
from scrimp.contest.formulas import BoundFormula, BranchingFormula
from scrimp.contest.questions import MOST_GOALS, reach
from scrimp.contest.runs import check_all_runs
from scrimp.errors import OptionError
from scrimp.frontends import read_text
from scrimp.frontends.model import Model
from scrimp.frontends.pnml.contest import (
    DEADLOCK,
    Branching,
    ContestProperty,
    OnAllRuns,
    UpperBound,
    read_properties,
)
from scrimp.frontends.pnml.properties import NetScope
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
from scrimp.numbers import counted
from scrimp.passes import PASSES
from scrimp.properties import Judgement
from scrimp.result import Result
from scrimp.runs import Terms
from scrimp.searching import ProgressObserver, Request
from scrimp.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to one formula.

    Attributes:
        id: the formula's name in the file.
        answer: `"TRUE"`, `"FALSE"` or a number of tokens; None if it is not known.
        reason: why.

    Example:
        >>> import scrimp
        >>> scrimp.examine("models/philosophers.pnml", "models/philosophers.xml").answers[0]
        Answer(id='two-eat', answer='FALSE', reason='no such marking is reachable')
    """

    id: str
    answer: str | None
    reason: str


@dataclass(frozen=True, slots=True)
class Examination:
    """The answers to all formulas of a property file.

    Attributes:
        result: all searches together. Its verdict is REFUTED if some formula is FALSE, and its properties are the
            formulas in the order of the file.

    Example:
        >>> import scrimp
        >>> examined = scrimp.examine("models/philosophers.pnml", "models/philosophers.xml")
        >>> {each.id: each.answer for each in examined.answers}
        {'two-eat': 'FALSE', 'can-go-on': 'FALSE', 'forks': '3'}
    """

    result: Result

    @property
    def answers(self) -> tuple[Answer, ...]:
        """The answers, in the order of the file."""
        return tuple(Answer(each.property.name, _answer(each), each.reason) for each in self.result.properties)


def examine(
    model: AnyModel,
    properties: str | os.PathLike[str],
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
    as_written: bool = False,
    audit: bool = False,
    progress: ProgressObserver | None = None,
) -> Examination:
    """Answer the formulas of a property file of the Model Checking Contest about a Petri net.

    Args:
        model: the net, or the path of its file.
        properties: the path of the property file, which may be compressed (`.gz`); `"ReachabilityDeadlock"` stands for
            the examination of that name, which has no file.
        order: as for `check`.
        store: as for `check`.
        reduction: as for `check`.
        method: as for `check`.
        memory: as for `check`.
        time: as for `check`; it limits each search.
        depth: as for `check`.
        threads: as for `check`.
        shuffle: as for `check`.
        seed: as for `check`.
        as_written: as for `check`.
        audit: as for `check`.
        progress: as for `check`.

    Returns:
        An answer to each formula; none to those of CTL.

    Raises:
        OptionError: for an argument that cannot be used, or a combination that could not justify an answer.
        ModelError: for a mistake in the property file, or if all of its formulas are of CTL.

    Example:
        >>> import scrimp
        >>> scrimp.examine("models/philosophers.pnml", "ReachabilityDeadlock").answers
        (Answer(id='ReachabilityDeadlock', answer='TRUE', reason='a dead marking is reachable'),)
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
        passes=() if as_written or choice.method.store.uses_in_degrees else PASSES,
    )
    require_kind("as_written", as_written, bool, "True or False")
    require_possible(request.method, request.limits, request.threads, request.audit, bool(request.passes))
    model = model_of(model)
    asked = _asked(model, Path(properties))
    about_markings = [each for each in asked if not isinstance(each.question, UpperBound | OnAllRuns | Branching)]
    about_runs = [each for each in asked if isinstance(each.question, OnAllRuns)]
    bounds = {each.id: each.question for each in asked if isinstance(each.question, UpperBound)}
    branching = {each.id: each.question for each in asked if isinstance(each.question, Branching)}
    results = [reach(model, batch, request) for batch in _batches(about_markings)]
    if about_runs:
        results += check_all_runs(
            model,
            about_runs,
            Terms(
                request,
                choice,
                order is not None or method is not None,
                store is not None or method is not None,
                threads,
            ),
        )
    judgements = {each.property.name: each for result in results for each in result.properties}
    judgements.update((name, _unanswered(name, question)) for name, question in branching.items())
    if bounds:
        found, result = find_bounds(model, bounds, request)
        judgements.update((each.property.name, each) for each in found)
        results.append(replace(result, goals=()))
    return Examination(_together(results, [judgements[each.id] for each in asked]))


def _asked(model: Model, file: Path) -> tuple[ContestProperty, ...]:
    if not isinstance(model.scope, NetScope):
        raise OptionError(f"--properties is about Petri nets, and this model is in {model.language}")
    if str(file) == DEADLOCK.id and not file.exists():
        return (DEADLOCK,)
    asked = read_properties(str(file), read_text(file), model.scope.net)
    branching = [each.question for each in asked if isinstance(each.question, Branching)]
    if len(branching) == len(asked):
        raise branching[0].error
    return asked


def _unanswered(name: str, question: Branching) -> Judgement:
    error = question.error
    return Judgement(BranchingFormula(name), Verdict.UNDETERMINED, f"line {error.line}: {error.message}")


def _batches(asked: Sequence[ContestProperty]) -> Iterator[Sequence[ContestProperty]]:
    for start in range(0, len(asked), MOST_GOALS):
        yield asked[start : start + MOST_GOALS]


def _together(results: Sequence[Result], judgements: Sequence[Judgement]) -> Result:
    """The results of several searches of a net as one, with the numbers of the largest search."""
    return replace(
        max(results, key=lambda result: result.statistics.states),
        verdict=Verdict.all_of(each.verdict for each in judgements),
        reason=_summary(judgements),
        properties=tuple(judgements),
        left_out=(),
        violations=tuple(violation for result in results for violation in result.violations),
        goals=tuple(goal for result in results for goal in result.goals),
    )


def _summary(judgements: Sequence[Judgement]) -> str:
    """`9 formulas are TRUE, 7 are FALSE`."""
    answers = Counter(_answer(each) for each in judgements)
    words = {"TRUE": "TRUE", "FALSE": "FALSE", None: "unknown"}
    counts = {word: answers.pop(answer, 0) for answer, word in words.items()}
    parts = [f"{number} {'is' if number == 1 else 'are'} {word}" for word, number in counts.items() if number]
    return f"of {counted(len(judgements), 'formula')}, " + ", ".join(
        [*parts, *([f"{counted(answers.total(), 'bound')} known"] if answers else [])]
    )


def _answer(judgement: Judgement) -> str | None:
    if isinstance(judgement.property, BoundFormula):
        return None if judgement.property.tokens is None else str(judgement.property.tokens)
    return {Verdict.PROVED: "TRUE", Verdict.REFUTED: "FALSE", Verdict.UNDETERMINED: None}[judgement.verdict]
