"""Random formulas on random systems: the verdict is that of an obvious search, and a lasso violates the formula by its
definition."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import pytest
from tests.liveness.explicit import Graph, TooLargeError, graph, has_run
from tests.ltl.random_words import NAMES, random_formula
from tests.random_systems import ALL_PROFILES, RANDOM_SYSTEMS, random_system

from scrimp.fairness import Fairness
from scrimp.frontends.model import Model
from scrimp.limits import Limits
from scrimp.ltl.automaton import Automaton, Cube, Edge
from scrimp.ltl.formula import Formula, is_next_free, negation
from scrimp.ltl.translate import translate
from scrimp.ltl.words import Letter, evaluate
from scrimp.properties import LTL
from scrimp.result import Result
from scrimp.runs import check_lassos
from scrimp.searching import Request
from scrimp.strategies import Method
from scrimp.system import reference
from scrimp.system.explicit import ExplicitSystem
from scrimp.system.expressions import At, Binary, Constant, Expression, Read
from scrimp.system.reference import State
from scrimp.system.system import System
from scrimp.temporal import Question, fair_processes
from scrimp.verdict import Verdict

PROFILES = [name for name in ALL_PROFILES if name not in ("claimed", "odd names", "wide", "promela")]
FORMULAS_EACH = 4
LARGEST = 150
REDUCED_SYSTEMS = RANDOM_SYSTEMS // 5
"""Fewer, because engine/tests/steady_selection_test.cpp has many."""
METHODS = {
    Fairness.NONE: ("dfs/full", "dfs/full:compress=cleary", "bfs/full"),
    Fairness.WEAK: ("bfs/full", "dfs/full:compress=tree", "dfs/full:compress=cleary"),
    Fairness.STRONG: ("dfs/full", "dfs/full:compress=rle", "dfs/full:compress=cleary"),
    Fairness.DECLARED: ("dfs/full",),
}


@dataclass(frozen=True)
class Atoms:
    """A scope that knows three atoms."""

    tests: dict[str, Expression]

    def expression(self, text: str) -> Expression:
        return self.tests[text]


def random_atom(system: System, source: random.Random) -> Expression:
    scalars = [number for number, variable in enumerate(system.variables) if variable.length is None]
    if scalars and source.random() < 0.5:
        return Binary("==", Read(source.choice(scalars)), Constant(source.choice((0, 1, 2))))
    process = source.randrange(len(system.processes))
    return At(process, source.randrange(len(system.processes[process].locations)))


def cases(profile: str) -> Iterator[tuple[Model, Graph, random.Random]]:
    for seed in range(RANDOM_SYSTEMS // 2):
        system = random_system(seed, profile=ALL_PROFILES[profile])
        source = random.Random(seed)
        tests = {name: random_atom(system, source) for name in NAMES}
        try:
            explored = graph(system, [*tests.values()], LARGEST)
        except TooLargeError:
            continue
        kinds = [source.choice((Fairness.NONE, Fairness.WEAK, Fairness.STRONG)) for _ in system.processes]
        fair = {process: kind for process, kind in enumerate(kinds) if kind is not Fairness.NONE}
        model = Model("random", "system", system, None, Atoms(tests), fair=fair)
        yield model.identified(f"liveness {profile} {seed}"), explored, source


def over_all_atoms(automaton: Automaton) -> Automaton:
    """The same automaton over all atoms, so that native code for a system is made only once."""
    place = [NAMES.index(name) for name in automaton.atoms]

    def moved(bits: int) -> int:
        return sum(1 << place[bit] for bit in range(len(place)) if bits >> bit & 1)

    edges = tuple(
        Edge(e.source, e.target, tuple(Cube(moved(c.true), moved(c.false)) for c in e.cubes), e.marks)
        for e in automaton.edges
    )
    return Automaton(tuple(NAMES), automaton.states, automaton.initial, edges, automaton.marks)


def decided(model: Model, automaton: Automaton, fairness: Fairness, method: str, *, audit: bool = False) -> Result:
    """Reduced methods must only be asked about formulas without X."""
    reduced = Method.parse(method)
    question = Question(LTL("p", "p", fairness=fairness), automaton, is_next_free=reduced.reduction.leaves_out)
    threads = 2 if reduced.order.has_levels else 1
    request = Request(
        method=reduced, limits=Limits(), threads=threads, seed=None, audit=audit, progress=None, stop_after=1
    )
    return check_lassos(model, question, request)


def word(model: Model, result: Result) -> tuple[list[Letter], list[Letter]]:
    """The letters of the run that was found."""
    trace = result.trace
    assert trace is not None
    assert trace.cycle is not None
    stem, state = letters(model, reference.initial(model.system), [step.event for step in trace.steps])
    cycle, _ = letters(model, state, [step.event for step in trace.cycle])
    return stem, cycle or [letter(model, state)]


def letters(model: Model, state: State, events: Sequence[int]) -> tuple[list[Letter], State]:
    found = []
    for event in events:
        if state.holder is None:
            found.append(letter(model, state))
        after = reference.fire(model.system, state, event)
        assert isinstance(after, State)
        state = after
    return found, state


def letter(model: Model, state: State) -> Letter:
    return frozenset(name for name in NAMES if reference.evaluate(model.system, state, model.expression(name)))


def questions(source: random.Random) -> Iterator[tuple[Formula, Automaton]]:
    for _ in range(FORMULAS_EACH):
        formula = random_formula(source, source.randint(2, 9))
        yield formula, over_all_atoms(translate(negation(formula)))


@pytest.mark.parametrize("fairness", Fairness)
@pytest.mark.parametrize("profile", PROFILES)
def test_verdicts_on_random_formulas_are_those_of_an_obvious_search(profile: str, fairness: Fairness) -> None:
    for model, explored, source in cases(profile):
        for formula, automaton in questions(source):
            violated = has_run(explored, automaton, fair_processes(model, fairness))
            for method in METHODS[fairness]:
                result = decided(model, automaton, fairness, method)
                assert result.verdict is (Verdict.REFUTED if violated else Verdict.PROVED), (model, formula, method)
                if violated:
                    assert not evaluate(formula, *word(model, result))


def reduced_methods(model: Model, number: int) -> Iterator[tuple[str, bool]]:
    """Methods with a reduction, and whether they are audited."""
    if not isinstance(model.system, ExplicitSystem):
        yield "dfs/full/stubborn", number % 2 == 0
        yield ("dfs/full/local", "dfs/full:compress=cleary/stubborn")[number % 2], number % 2 == 1


@pytest.mark.parametrize("profile", PROFILES)
def test_verdicts_of_reduced_searches_are_those_of_an_obvious_search(profile: str) -> None:
    for number, (model, explored, source) in enumerate(islice(cases(profile), REDUCED_SYSTEMS)):
        for formula, automaton in questions(source):
            if not is_next_free(formula):
                continue
            violated = has_run(explored, automaton, {})
            for method, audit in reduced_methods(model, number):
                result = decided(model, automaton, Fairness.NONE, method, audit=audit)
                assert result.verdict is (Verdict.REFUTED if violated else Verdict.PROVED), (model, formula, method)
                if violated:
                    assert not evaluate(formula, *word(model, result))
