"""The shortest trace to a given state."""

from __future__ import annotations

from collections.abc import Callable

from scrimp.errors import OptionError
from scrimp.findings import describe
from scrimp.frontends.model import Model
from scrimp.inputs import limits_of, threads_of
from scrimp.searching import Request, search
from scrimp.statistics import Progress
from scrimp.steps import Trace
from scrimp.strategies import Method
from scrimp.system.expressions import At, Binary, Constant, Expression, Length, Message, Read, conjunction
from scrimp.system.reference import State
from scrimp.system.system import Invariant, System
from scrimp.unfusing import unfused
from scrimp.walking import Walk, follow
from scrimp.watches import Watches

THIS_STATE = "this state"


def shortest_trace(model: Model, walk: Walk, place: int, progress: Callable[[Progress], None]) -> Trace:
    """A trace that passes as few states as possible to the state after the first `place` steps of a walk, by a
    breadth-first search. The state is reachable, so there is one."""
    state = walk.state(place)
    if not isinstance(state, State):
        raise OptionError("the last step leads to no state")
    if state.holder is not None:
        raise OptionError("this state is inside an atomic sequence, and searches pass it; choose the one after it")

    def watching(searched: Model) -> Watches:
        return Watches((Invariant(THIS_STATE, equals(_in(searched, walk, place), searched.system)),), ())

    method = Method()
    request = Request(
        method=method,
        limits=limits_of(None, None, None),
        threads=threads_of(None, method),
        stop_after=1,
        traces=1,
        seed=None,
        audit=False,
        progress=progress,
    )
    searched = search(model, watching, request)
    findings = [unfused(searched.model.system, searched.native.chains, each) for each in searched.outcome.findings]
    goal = describe(searched.model, searched.watches, findings).goals[0]
    if goal.witness is None:
        raise OptionError(f"the search ended before it found the state: {searched.outcome.reason}")
    return goal.witness


def _in(searched: Model, walk: Walk, place: int) -> State:
    """The state of a walk in a system that may have grown since."""
    if searched.system is walk.system:
        state = walk.state(place)
    else:
        again = Walk(searched)
        follow(again, walk.steps(0, place), "the walk")
        state = again.end
    assert isinstance(state, State)
    return state


def equals(state: State, system: System) -> Expression:
    """Whether a state is the given one."""
    tests: list[Expression] = [At(process, location) for process, location in enumerate(state.locations)]
    for variable, values in enumerate(state.values):
        is_array = system.variables[variable].length is not None
        for element, value in enumerate(values):
            tests.append(Binary("==", Read(variable, Constant(element) if is_array else None), Constant(value)))
    for channel, messages in enumerate(state.channels):
        tests.append(Binary("==", Length(channel), Constant(len(messages))))
        for place, message in enumerate(messages):
            for field, value in enumerate(message):
                tests.append(Binary("==", Message(channel, field, Constant(place)), Constant(value)))
    return conjunction(*tests)
