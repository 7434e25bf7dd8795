"""From the syntax tree of a model to its system."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from scrimp.errors import ModelError
from scrimp.frontends.dve import syntax
from scrimp.frontends.dve.declarations import Declarations
from scrimp.frontends.dve.expressions import ExpressionLowering
from scrimp.frontends.dve.interleaving import interleave
from scrimp.frontends.dve.lockstep import combine
from scrimp.frontends.dve.names import NamedProcess, Names, StateNames
from scrimp.frontends.dve.source import Source
from scrimp.frontends.dve.steps import ChannelUse, Step, StepLowering
from scrimp.frontends.dve.syntax import Accept, Assertion, Assertions, Commit, Init, States
from scrimp.frontends.dve.tokens import shortened
from scrimp.frontends.old_values import OldValues
from scrimp.ltl.automaton import Automaton
from scrimp.system.claims import MOST_GUARDS, Arc, claim_automaton
from scrimp.system.expressions import At, Binary, Expression, Unary, disjunction
from scrimp.system.system import Invariant, Process, System, Transition


@dataclass(frozen=True)
class Lowered:
    """A system, the names visible outside all processes, and the constants that were overridden; and the property
    process, if there is one: as an automaton with its atoms, or why it is none."""

    system: System
    names: Names
    overridden: frozenset[str]
    claim: tuple[Automaton, tuple[Expression, ...]] | str | None = None


@dataclass(frozen=True)
class _LoweredProcess:
    process: Process
    committed: frozenset[int]
    accepts_by_sets: bool
    steps: tuple[Step, ...]
    invariants: tuple[Invariant, ...]


def lower(source: Source, model: syntax.Model, overrides: Mapping[str, int]) -> Lowered:
    """The system of a model, without its property process, in which errors are still found; raises ModelError."""
    declarations = Declarations(source, overrides)
    for declaration in model.declarations:
        declarations.declare(declaration)
    ordinary, properties = _without_property(source, model)
    named = _declare_processes(declarations, ordinary, properties)
    names = Names(declarations.everywhere)
    channel_use = ChannelUse(source)
    lowered = [
        _lower_process(source, process, named_process, Names(names.everywhere, named_process), channel_use)
        for process, named_process in zip([*ordinary, *properties], named, strict=True)
    ]
    system = _compose(source, model, declarations, lowered[: len(ordinary)])
    claim = None
    if properties:
        has_variables = any(variable.owner == len(ordinary) for variable in declarations.variables)
        claim = "has variables" if has_variables else _claim(lowered[-1])
    return Lowered(system, names, frozenset(declarations.overridden), claim)


def _claim(process: _LoweredProcess) -> tuple[Automaton, tuple[Expression, ...]] | str:
    """A property process that only reads states, as an automaton; what else it does, if it does more."""
    if process.invariants:
        return "has assertions"
    if any(step.communication is not None for step in process.steps):
        return "communicates"
    if any(step.effect for step in process.steps):
        return "has effects"
    if process.accepts_by_sets:
        return "accepts by sets of states, not by 'accept STATE, …;'"
    arcs = [Arc(step.move.source, step.move.target, step.guard) for step in process.steps]
    made = claim_automaton(process.process.initial, arcs, process.process.accepting)
    return made if len(made[1]) <= MOST_GUARDS else f"has more than {MOST_GUARDS} guards"


def _without_property(source: Source, model: syntax.Model) -> tuple[list[syntax.Process], list[syntax.Process]]:
    """The ordinary processes, and separately the property process, if there is one."""
    if model.property_process is None:
        return list(model.processes), []
    name, offset = model.property_process.name, model.property_process.offset
    ordinary = [process for process in model.processes if process.name.name != name]
    if len(ordinary) == len(model.processes):
        raise source.error(offset, f"found '{shortened(name)}' as the property, expected the name of a process")
    if not ordinary:
        raise source.error(offset, f"there is no process besides the property process '{shortened(name)}'")
    return ordinary, [process for process in model.processes if process.name.name == name]


def _declare_processes(
    declarations: Declarations, ordinary: Sequence[syntax.Process], properties: Sequence[syntax.Process]
) -> list[NamedProcess]:
    """Declare all processes, then their contents; the variables of the property process come last."""
    processes = [*ordinary, *properties]
    named = [
        declarations.declare_process(process.name, index, observable=index < len(ordinary))
        for index, process in enumerate(processes)
    ]
    for process, named_process in zip(processes, named, strict=True):
        declarations.declare_inside(process, named_process)
    return named


def _compose(
    source: Source, model: syntax.Model, declarations: Declarations, processes: Sequence[_LoweredProcess]
) -> System:
    count = len(processes)
    variables = [variable for variable in declarations.variables if variable.owner is None or variable.owner < count]
    old_values = OldValues(variables)
    transitions: Iterator[Transition]
    if model.synchronous:
        transitions = combine(source, model.timing, [process.steps for process in processes], old_values)
    else:
        steps = [step for process in processes for step in process.steps]
        transitions = interleave(source, steps, old_values)
    made = tuple(transitions)
    committed = [At(index, state) for index, process in enumerate(processes) for state in sorted(process.committed)]
    return System(
        name=PurePath(source.file).stem,
        variables=tuple(variables),
        channels=tuple(declarations.channels),
        processes=tuple(process.process for process in processes),
        transitions=made,
        invariants=tuple(invariant for process in processes for invariant in process.invariants),
        committed=disjunction(*committed) if committed else None,
    )


def _lower_process(
    source: Source, process: syntax.Process, named: NamedProcess, names: Names, channel_use: ChannelUse
) -> _LoweredProcess:
    if not process.states:
        raise _missing(source, process, "states, expected 'state'")
    states = StateNames(source, named)
    committed: set[int] = set()
    accepting: set[int] = set()
    accepts_by_sets = False
    initial: int | None = None
    invariants: list[Invariant] = []
    for clause in process.clauses:
        match clause:
            case States():
                pass
            case Init(state):
                if initial is not None:
                    raise source.error(state.offset, "found a second initial state, expected one")
                initial = states.index(state)
            case Commit(committed_states):
                committed |= {states.index(state) for state in committed_states}
            case Accept(accepting_states, buchi):
                checked = {states.index(state) for state in accepting_states}
                accepting |= checked if buchi else set()
                accepts_by_sets = accepts_by_sets or not buchi
            case Assertions(assertions):
                invariants += [_invariant(source, process, states, names, assertion) for assertion in assertions]
    if initial is None:
        raise _missing(source, process, "initial state, expected 'init'")
    steps = StepLowering(source, names, named.index, states, frozenset(committed), channel_use)
    return _LoweredProcess(
        Process(process.name.name, tuple(state.name for state in process.states), initial, frozenset(accepting)),
        frozenset(committed),
        accepts_by_sets,
        tuple(steps.steps(process.transitions)),
        tuple(invariants),
    )


def _missing(source: Source, process: syntax.Process, what: str) -> ModelError:
    return source.error(process.name.offset, f"process '{shortened(process.name.name)}' has no {what}")


def _invariant(
    source: Source, process: syntax.Process, states: StateNames, names: Names, assertion: Assertion
) -> Invariant:
    """An assertion holds whenever the process is in its state."""
    elsewhere = Unary("!", At(states.process.index, states.index(assertion.state)))
    test = Binary("||", elsewhere, ExpressionLowering(source, names).lower(assertion.test))
    text = source.excerpt(assertion.state.offset, assertion.end)
    return Invariant(f"{process.name.name}.{text}", test, source.position(assertion.state.offset))
