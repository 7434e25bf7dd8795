"""Random safety formulas on random systems: every method finds the verdict of an obvious search, and a finite run that
shows the violation."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

import pytest
from tests.liveness.explicit import Graph, has_run
from tests.liveness.test_random_systems import cases, over_all_atoms
from tests.ltl.random_words import NAMES, random_formula

from scrimp.compatibility import Choice, why_not_searched
from scrimp.frontends.model import Model
from scrimp.limits import Limits
from scrimp.ltl.automaton import Automaton
from scrimp.ltl.formula import Formula, negation
from scrimp.ltl.translate import translate
from scrimp.ltl.words import evaluate
from scrimp.properties import LTL
from scrimp.result import Result
from scrimp.runs import Terms, check_prefixes, decide_runs
from scrimp.searching import Request
from scrimp.strategies import Method
from scrimp.system import reference
from scrimp.system.reference import State
from scrimp.temporal import Question
from scrimp.verdict import Verdict

PROFILES = ("default", "held", "messages", "timeouts", "synchronous")
METHODS = ("bfs/full", "dfs/full:compress=cleary", "dfs/cache:states=200", "bfs/comback:hash=8", "bfs/snapshots")
REDUCED = (
    "dfs/full/stubborn",
    "dfs/full/local+sleep",
    "dfs/full/overman",
    "dfs/full/sleep",
    "dfs/cache:states=200/stubborn",
)
FORMULAS_EACH = 3
REPEATED = 40  # how often the last state of a run is read, at most


def questions(source: random.Random) -> Iterator[tuple[Formula, Question]]:
    """Formulas that are safety, and neither true nor false."""
    found = 0
    while found < FORMULAS_EACH:
        formula = random_formula(source, source.randint(3, 9))
        question = Question(LTL("p", "p"), over_all_atoms(translate(negation(formula))))
        if question.monitor is not None and question.monitor.automaton.states > 1:
            found += 1
            yield formula, question


def request(method: str, audit: bool = False) -> Request:
    return Request(
        method=Method.parse(method), limits=Limits(), threads=1, seed=None, audit=audit, progress=None, stop_after=1
    )


def methods(model: Model, question: Question) -> Iterator[tuple[str, bool]]:
    """Methods that can decide a question, and whether their choices are audited."""
    assert question.monitor is not None
    yield from ((method, False) for method in METHODS)
    if question.monitor.is_stutter_invariant:
        for method in REDUCED:
            if why_not_searched(Method.parse(method).reduction, model.system) is None:
                yield method, True


def ends_in_faults_only(explored: Graph) -> bool:
    """Whether some state has no successor, and is no end either: then not every finite run can go on."""
    return any(not edges for edges in explored.edges)


def run_of(model: Model, result: Result) -> list[State]:
    """The ordinary states of the run that was found."""
    assert result.trace is not None
    states = [reference.initial(model.system)]
    for step in result.trace.steps:
        after = reference.fire(model.system, states[-1], step.event)
        assert isinstance(after, State)
        states.append(after)
    ends = [] if result.trace.cycle is None else states[-1:] * REPEATED
    return [state for state in states if state.holder is None] + ends


def letters(model: Model, states: Sequence[State]) -> list[frozenset[str]]:
    def holds(name: str, state: State) -> bool:
        return bool(reference.evaluate(model.system, state, model.expression(name)))

    return [frozenset(name for name in NAMES if holds(name, state)) for state in states]


def is_bad(formula: Formula, prefix: list[frozenset[str]], source: random.Random) -> bool:
    """Whether a prefix violates a formula however it goes on, as far as some ways to go on show."""
    ways = [[frozenset(name for name in NAMES if source.random() < 0.5) for _ in range(3)] for _ in range(20)]
    return not any(evaluate(formula, prefix, way) for way in ways)


@pytest.mark.parametrize("profile", PROFILES)
def test_every_method_finds_violations_of_safety_formulas(profile: str) -> None:
    for model, explored, source in cases(profile):
        for formula, question in questions(source):
            violated = has_run(explored, question.automaton, {})
            for method, audit in methods(model, question):
                result = check_prefixes(model, question, request(method, audit))
                if result.verdict is Verdict.REFUTED:
                    assert is_bad(formula, letters(model, run_of(model, result)), source), (model, formula, method)
                    assert violated or ends_in_faults_only(explored), (model, formula, method)
                else:
                    assert (result.verdict, violated) == (Verdict.PROVED, False), (model, formula, method)


INVARIANTS = ("[] a", "[] (a -> b)", "[] ! (a && c)", "[] (b || c)")


def invariant(text: str) -> tuple[Formula, Automaton]:
    from scrimp.ltl.parse import parse

    formula = parse(text)
    return formula, over_all_atoms(translate(negation(formula)))


@pytest.mark.parametrize("method", ["bfs/full", "dfs/full/stubborn"])
def test_one_search_decides_all_invariants(method: str) -> None:
    formulas = [invariant(text) for text in INVARIANTS]
    for model, explored, source in cases("held"):
        asked = [Question(LTL(f"p{place}", ""), automaton) for place, (_, automaton) in enumerate(formulas)]
        wanted = request(method)
        for (formula, automaton), result in zip(
            formulas, decide_runs(model, asked, Terms(wanted, Choice(wanted.method), True, True, None)), strict=True
        ):
            violated = has_run(explored, automaton, {})
            assert result.verdict is (Verdict.REFUTED if violated else Verdict.PROVED), (model, formula)
            if violated:
                assert is_bad(formula, letters(model, run_of(model, result)), source)
