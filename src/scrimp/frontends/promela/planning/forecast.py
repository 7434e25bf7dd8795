"""Predicts plans: follows each process that starts others, without the other processes, as far as values are known.

A plan that proves too small gets what is missing and, if a `run` is known to start many processes, room for as many
again, so that a model is compiled again only a logarithmic number of times.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from scrimp.frontends.promela.automata.automaton import Automaton, Edge
from scrimp.frontends.promela.planning.channels import Numbering
from scrimp.frontends.promela.planning.known_values import KnownValues
from scrimp.frontends.promela.planning.plan import MOST_PROCESSES, Plan, Start, run_of
from scrimp.frontends.promela.planning.storage import parameter_leaves
from scrimp.frontends.promela.planning.uses import deciding
from scrimp.frontends.promela.program import syntax
from scrimp.frontends.promela.program.syntax import Program

_MOST_STEPS = 4_000
_MOST_GUESSES = 8
# Foreseen starts that never happen make events dependent that are not, and reductions weaker: the plan of a model that
# starts few processes has no more of them than it needs.
_OFTEN = 8


def first_plan(program: Program, automata: Mapping[str, Automaton]) -> Plan:
    """The initial processes, and those that they are foreseen to start."""
    slots = tuple((p.name,) for p in program.proctypes if p.kind != "claim" for _ in range(p.active))
    forecast = _Forecast(program, automata, Plan(slots, {}))
    for slot, (name,) in enumerate(slots):
        forecast.follow(_Process(slot, name, ()))
    return forecast.plan


def grown(program: Program, automata: Mapping[str, Automaton], plan: Plan, start: Start) -> Plan:
    """A plan with one more start, or with arbitrary arguments for a start that it has, and what the started process is
    foreseen to start in turn. A `run` that was executed often is expected to be executed as often again."""
    edge, run = _edge_of(automata, plan, start)
    unknown = (None,) * len(run.arguments)
    known = [other for other in plan.starts if other.edge == start.edge]
    if len(known) < _OFTEN:
        forecast = _Forecast(program, automata, plan.with_start(start, run.proctype, unknown))
        forecast.follow(_Process(start.slot, run.proctype, unknown))
        return forecast.plan
    plan = _anywhere(automata, plan.with_start(start, run.proctype, unknown), start.edge, run.proctype, unknown)
    forecast = _Forecast(program, automata, plan, repeats=len(known), most_slots=2 * start.slot)
    forecast.go_on(start, edge, unknown)
    return forecast.plan


def _anywhere(
    automata: Mapping[str, Automaton], plan: Plan, edge: int, proctype: str, unknown: tuple[None, ...]
) -> Plan:
    """The plan in which every process that has this `run` may execute it, with any arguments, for every slot that has
    room for the proctype."""
    creators = [slot for slot, names in enumerate(plan.slots) if _has_edge(automata, names, edge)]
    slots = [slot for slot, names in enumerate(plan.slots) if proctype in names]
    starts = [Start(creator, edge, slot) for creator in creators for slot in slots if creator < slot]
    return plan.with_arguments(dict.fromkeys(starts, unknown))


def _has_edge(automata: Mapping[str, Automaton], names: tuple[str, ...], identifier: int) -> bool:
    return any(
        edge.identifier == identifier for name in names for edges in automata[name].edges.values() for edge in edges
    )


def _edge_of(automata: Mapping[str, Automaton], plan: Plan, start: Start) -> tuple[Edge, syntax.Run]:
    """The edge of the creator that starts another process, and its `run`."""
    for name in plan.slots[start.creator]:
        for edges in automata[name].edges.values():
            for edge in edges:
                run = run_of(edge)
                if edge.identifier == start.edge and run is not None:
                    return edge, run
    raise AssertionError(f"no edge {start.edge} starts a process")


class _Process(NamedTuple):
    slot: int
    name: str
    arguments: tuple[int | None, ...]


@dataclass(frozen=True)
class _Moment:
    """A state in which a followed process may be; `guesses` counts the steps up to it that were not certain."""

    state: int
    values: KnownValues
    alive: int
    guesses: int

    def key(self) -> Hashable:
        return self.state, self.alive, self.values.key()

    def ways(self, automaton: Automaton) -> list[Edge]:
        """The edges that may be executable, as far as is known."""
        possible: list[Edge] = []
        certain = False
        for edge in automaton.edges.get(self.state, ()):
            truth = self._truth(edge, certain)
            if truth != 0:
                possible.append(edge)
            certain = certain or bool(truth)
        return possible

    def _truth(self, edge: Edge, certain: bool) -> int | None:
        """Whether an edge is executable; `certain`: an earlier edge is known to be."""
        match edge.statement:
            case syntax.Condition(test):
                return 1 if run_of(edge) else self.values.value(test, self.alive)
            case syntax.Else():
                return 0 if certain else None
            case syntax.Assign() | syntax.Assert() | syntax.SetPriority() | syntax.Print():
                return 1
        return None

    def is_guess(self, ways: list[Edge]) -> bool:
        """Whether taking one of these edges is a guess."""
        doubtful = (e for e in ways if isinstance(e.statement, syntax.Condition) and self._truth(e, False) is None)
        return len(ways) > 1 or any(doubtful)


class _Forecast:
    """`repeats` limits the number of guesses, and the depth of recursion in proctypes that start themselves."""

    def __init__(
        self,
        program: Program,
        automata: Mapping[str, Automaton],
        plan: Plan,
        repeats: int | None = None,
        most_slots: int = MOST_PROCESSES,
    ) -> None:
        self.plan = plan
        self._most_slots = min(most_slots, MOST_PROCESSES)
        self._most_guesses = _MOST_GUESSES if repeats is None else repeats
        self._recursions = repeats or 0
        self._automata = automata
        self._proctypes = {p.name: p for p in program.proctypes}
        self._numbering = Numbering(program)
        self._globals = program.globals
        self._steps = 0

    def follow(self, process: _Process, above: tuple[str, ...] = ()) -> None:
        """Follow a process, and then the processes that it starts. A first plan does not follow recursion, whose depth
        mostly depends on messages."""
        automaton = self._automata[process.name]
        if not any(run_of(edge) for edges in automaton.edges.values() for edge in edges):
            return
        known = self._known_at_first(process, KnownValues({}, deciding(automaton)))
        first = _Moment(automaton.initial, known, len(self.plan.slots), 0)
        self._follow_all(self._walk(process, automaton, first), (*above, process.name))

    def go_on(self, start: Start, edge: Edge, arguments: tuple[int | None, ...]) -> None:
        """Follow a process that is started, and its creator after that, without known values of the creator's
        variables."""
        run = run_of(edge)
        assert run is not None
        names = self.plan.slots[start.creator]
        creator = next(name for name in names if _has_edge(self._automata, (name,), start.edge))
        automaton = self._automata[creator]
        self._follow_all([_Process(start.slot, run.proctype, arguments)], (creator,))
        moment = _Moment(edge.target, KnownValues({}, deciding(automaton)), start.slot + 1, 0)
        children = self._walk(_Process(start.creator, creator, ()), automaton, moment)
        self._follow_all(children, (creator,))

    def _follow_all(self, children: list[_Process], above: tuple[str, ...]) -> None:
        for child in dict.fromkeys(children):
            if self._steps < _MOST_STEPS and above.count(child.name) <= self._recursions:
                self.follow(child, above)

    def _walk(self, process: _Process, automaton: Automaton, first: _Moment) -> list[_Process]:
        """The processes that a process is seen to start; also adds them to the plan."""
        children: list[_Process] = []
        seen: set[Hashable] = set()
        waiting = [first]
        while waiting and self._steps < _MOST_STEPS:
            now = waiting.pop()
            key = now.key()
            if key in seen or now.alive >= self._most_slots or now.guesses > self._most_guesses:
                continue
            seen.add(key)
            self._steps += 1
            ways = now.ways(automaton)
            guesses = now.guesses + now.is_guess(ways)
            for edge in reversed(ways):
                started = self._started(process.slot, edge, now)
                children += started
                after = now.values.copy()
                after.execute(edge, now.alive)
                waiting.append(_Moment(edge.target, after, now.alive + len(started), guesses))
        return children

    def _known_at_first(self, process: _Process, values: KnownValues) -> KnownValues:
        """The values when a process starts, if no other process has changed any."""
        proctype = self._proctypes[process.name]
        values.know(self._numbering.global_channels())
        for symbol in self._globals:
            values.initialise(symbol)
        for leaf, argument in zip(parameter_leaves(proctype), process.arguments, strict=False):
            if len(leaf) == 1 and leaf[0] in values.followed:
                values.set(leaf[0], 0, argument)
        values.know(self._numbering.local_channels(self.plan.slots, process.slot, process.name))
        for symbol in proctype.locals[proctype.parameters :]:
            if symbol.at_creation:
                values.initialise(symbol)
        return values

    def _started(self, creator: int, edge: Edge, now: _Moment) -> list[_Process]:
        """The process that an edge starts, if any."""
        run = run_of(edge)
        if run is None:
            return []
        given = tuple(now.values.value(argument) for argument in run.arguments)
        self.plan = self.plan.with_start(Start(creator, edge.identifier, now.alive), run.proctype, given)
        return [_Process(now.alive, run.proctype, given)]
