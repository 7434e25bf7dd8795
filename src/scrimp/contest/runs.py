"""Formulas about all runs of a net."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from scrimp.frontends.model import Model
from scrimp.frontends.pnml.contest import ContestProperty, OnAllRuns
from scrimp.ltl.formula import is_next_free, negation
from scrimp.ltl.translate import translate
from scrimp.properties import LTL
from scrimp.result import Result
from scrimp.runs import Terms, decide_runs
from scrimp.temporal import MOST_ATOMS, Question
from scrimp.verdict import Verdict

VIOLATED = "a run violates it"


def check_all_runs(model: Model, asked: Sequence[ContestProperty], terms: Terms) -> list[Result]:
    """Decide formulas of linear temporal logic; a dead marking is repeated forever. The net is searched as written:
    formulas share native code (see `_with_shared_atoms`), and together they look at most places."""
    terms = replace(terms, request=replace(terms.request, passes=()))
    questions = list(_with_shared_atoms(list(map(_question, asked))))
    return [_reworded(result) for result in decide_runs(model, questions, terms)]


def _question(asked: ContestProperty) -> Question:
    assert isinstance(asked.question, OnAllRuns)
    formula = asked.question.formula
    return Question(LTL(asked.id, str(formula)), translate(negation(formula)), is_next_free=is_next_free(formula))


def _with_shared_atoms(questions: Sequence[Question]) -> Iterator[Question]:
    """The questions, as many in a row as possible over the same atoms: then native code, which evaluates atoms, is
    compiled once for all of them. On most nets that takes longer than a search."""
    left = list(questions)
    while left:
        atoms = dict.fromkeys(left[0].automaton.atoms)
        batch = 1
        for each in left[1:]:
            more = atoms | dict.fromkeys(each.automaton.atoms)
            if len(more) > MOST_ATOMS:
                break
            atoms, batch = more, batch + 1
        for each in left[:batch]:
            yield replace(each, automaton=each.automaton.over(tuple(atoms)))
        left = left[batch:]


def _reworded(result: Result) -> Result:
    if result.verdict is not Verdict.REFUTED:
        return result
    judgements = tuple(replace(each, reason=VIOLATED) for each in result.properties)
    return replace(result, reason=VIOLATED, properties=judgements)
