"""Runs that the engine found, replayed by the reference interpreter and described in words: lassos, which are infinite,
and prefixes, which show a violation however they go on.

Nothing is taken on trust: the path must be replayable and the cycle must close, the automaton must accept the letters
of the run, or the monitor recognise those of the prefix, and every process must be treated fairly, if that was asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from scrimp.errors import OptionError
from scrimp.evidence import Violation
from scrimp.fairness import Fairness
from scrimp.findings import Found
from scrimp.frontends.model import Model
from scrimp.steps import Trace
from scrimp.system import reference
from scrimp.system.reference import EvaluationFault, Fault, State
from scrimp.system.system import System
from scrimp.system.violations import ViolationKind
from scrimp.temporal import Question, fair_processes
from scrimp.trace import ReplayedSteps, ReplayError
from scrimp.unfusing import Finding, FindingKind


@dataclass(frozen=True, slots=True)
class Run:
    """The ordinary states of a path, without its last, and those of the cycle; and what moves in the cycle, by the
    number of the step. A cycle without events repeats a state that has none."""

    stem: tuple[State, ...]
    cycle: tuple[State, ...]
    moves: tuple[tuple[int, frozenset[int]], ...]


def describe_lassos(model: Model, question: Question, findings: Sequence[Finding]) -> Found:
    """The violations of a question about infinite runs."""
    return Found(tuple(_violation(model, question, finding) for finding in findings), ())


def _violation(model: Model, question: Question, finding: Finding) -> Violation:
    replayed = ReplayedSteps(model.system, finding.events, model.vocabulary)
    if isinstance(replayed.end, Fault):
        raise ReplayError(f"the path ends in a fault instead of a state: {replayed.end.message}")
    if finding.kind is FindingKind.WATCH:
        raise _unknown(model, question, replayed.end)
    if finding.kind is not FindingKind.LASSO:
        raise ReplayError(f"the finding of an infinite run is of kind {finding.kind}")
    trace = replayed.lasso(finding.cycle)
    if not violates(model, question, finding.events, finding.cycle):
        raise ReplayError("the run that was found satisfies the property")
    run = _run(model.system, finding.events, finding.cycle)
    fair = tuple(fairness_lines(model.system, fair_processes(model, question.asked.fairness), run))
    asked = question.asked
    return Violation(ViolationKind(asked.kind), asked.name, asked.violated, trace, fair)


def describe_prefix(model: Model, question: Question, finding: Finding) -> Violation:
    """A violation that a finite run shows, perhaps only when its last state, which has no events, is repeated."""
    replayed = ReplayedSteps(model.system, finding.events, model.vocabulary)
    if isinstance(replayed.end, Fault):
        raise ReplayError(f"the path ends in a fault instead of a state: {replayed.end.message}")
    try:
        trace = Trace(replayed) if has_bad_prefix(model, question, finding.events) else replayed.lasso(())
        is_shown = trace.cycle is None or violates(model, question, finding.events, ())
    except EvaluationFault:
        raise _unknown(model, question, replayed.end) from None
    if not is_shown:
        raise ReplayError("the run that was found may satisfy the property")
    asked = question.asked
    fair = () if asked.fairness is Fairness.NONE else (f"{asked.fairness.value}ly fair runs begin in this way, too",)
    return Violation(ViolationKind(asked.kind), asked.name, asked.violated, trace, fair)


def has_bad_prefix(model: Model, question: Question, events: Sequence[int]) -> bool:
    """Whether a path, which can be followed, violates the property of a question, however it goes on."""
    if question.monitor is None:
        return False
    stem, end = _states(model.system, reference.initial(model.system), events)
    letter = _letters(model, question)
    return end.holder is None and question.monitor.is_bad(map(letter, (*stem, end)))


def _letters(model: Model, question: Question) -> Callable[[State], int]:
    """The letters that the automaton of a question reads."""
    tests = question.atoms(model)
    return lambda state: sum(
        bool(reference.evaluate(model.system, state, test)) << bit for bit, test in enumerate(tests)
    )


def violates(model: Model, question: Question, events: Sequence[int], cycle: Sequence[int]) -> bool:
    """Whether the run of a path and a cycle, which can be followed, violates the property of a question."""
    if not cycle and not question.repeats_ends:
        return False
    run = _run(model.system, events, cycle)
    if not run.cycle:  # all its states are transient
        return False
    letter = _letters(model, question)
    return question.automaton.accepts([*map(letter, run.stem)], [*map(letter, run.cycle)])


def _run(system: System, events: Sequence[int], cycle: Sequence[int]) -> Run:
    """The run of a path and a cycle. The cycle begins in the first ordinary state on it."""
    stem, state = _states(system, reference.initial(system), events)
    around, _ = _states(system, state, cycle)
    first = len(events) + 1
    moves = tuple((first + place, _movers(system, [event])) for place, event in enumerate(cycle))
    return Run(stem, around if cycle else (state,), moves)


def _states(system: System, state: State, events: Sequence[int]) -> tuple[tuple[State, ...], State]:
    """The ordinary states in which events were fired, and the state after the last event."""
    found = []
    for event in events:
        if state.holder is None:
            found.append(state)
        after = reference.fire(system, state, event)
        assert isinstance(after, State)
        state = after
    return tuple(found), state


def _unknown(model: Model, question: Question, state: State) -> Exception:
    for text in question.automaton.atoms:
        try:
            reference.evaluate(model.system, state, question.atom(model, text))
        except EvaluationFault as fault:
            return OptionError(f"{question.asked.text}: {text} cannot be evaluated in a reachable state: {fault}")
    return ReplayError("all atoms can be evaluated in the state in which one could not")


def fairness_lines(system: System, fair: Mapping[int, Fairness], run: Run) -> Iterator[str]:
    """For each process to which runs must be fair, why the cycle is; raises ReplayError if it is not."""
    if not fair:
        return
    able = [_movers(system, reference.enabled(system, state)) for state in run.cycle]
    for process, fairness in sorted(fair.items()):
        if process == system.claim:
            continue
        name = system.processes[process].name
        step = next((number for number, moved in run.moves if process in moved), None)
        if step is not None:
            yield f"fair to {name}: it moves in step {step}"
        elif not any(process in each for each in able):
            yield f"fair to {name}: it cannot move in the cycle"
        elif fairness is Fairness.WEAK and not all(process in each for each in able):
            yield f"fair to {name}: it cannot move in some state of the cycle"
        else:
            raise ReplayError(f"the cycle is not fair to {name}: it can move and never does")


def _movers(system: System, events: Sequence[int]) -> frozenset[int]:
    return frozenset(move.process for event in events for move in system.transitions[event].moves)
