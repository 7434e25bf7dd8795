"""Plans that are guessed: each process that starts others is followed alone, with the values that it knows."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from scrimp.frontends.promela.automata.automaton import Automaton, Edge
from scrimp.frontends.promela.planning.channels import Numbering
from scrimp.frontends.promela.planning.known_values import KnownValues
from scrimp.frontends.promela.planning.plan import MOST_PROCESSES, Plan, Start, run_of
from scrimp.frontends.promela.planning.storage import parameter_leaves
from scrimp.frontends.promela.program import syntax
from scrimp.frontends.promela.program.syntax import Program

_MOST_STEPS = 4_000
_MOST_GUESSES = 8


def first_plan(program: Program, automata: Mapping[str, Automaton]) -> Plan:
    """The processes that are there at first, and what those are foreseen to start."""
    slots = tuple((p.name,) for p in program.proctypes if p.kind != "claim" for _ in range(p.active))
    forecast = _Forecast(program, automata, Plan(slots, {}))
    for slot, (name,) in enumerate(slots):
        forecast.follow(_Process(slot, name, ()))
    return forecast.plan


def grown(program: Program, automata: Mapping[str, Automaton], plan: Plan, start: Start, name: str) -> Plan:
    """A plan with one more start, of a process of the proctype `name`, and what that is foreseen to start in turn."""
    unknown = (None,) * len(parameter_leaves(next(p for p in program.proctypes if p.name == name)))
    forecast = _Forecast(program, automata, plan.with_start(start, name, unknown))
    forecast.follow(_Process(start.slot, name, unknown))
    return forecast.plan


class _Process(NamedTuple):
    slot: int
    name: str
    arguments: tuple[int | None, ...]


@dataclass(frozen=True)
class _Moment:
    """Where a process that is followed may be; `guesses` counts how often it was not known how it went on."""

    state: int
    values: KnownValues
    alive: int
    guesses: int

    def key(self) -> Hashable:
        return self.state, self.alive, self.values.key()

    def is_too_far(self) -> bool:
        return self.alive >= MOST_PROCESSES or self.guesses > _MOST_GUESSES

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
        """Whether an edge is executable; `certain`: one before it is."""
        match edge.statement:
            case syntax.Condition(test):
                return 1 if run_of(edge) else self.values.value(test, self.alive)
            case syntax.Else():
                return 0 if certain else None
            case syntax.Assign() | syntax.Assert() | syntax.SetPriority() | syntax.Print():
                return 1
        return None

    def is_guess(self, ways: list[Edge]) -> bool:
        """Whether to go on by one of these edges is a guess."""
        doubtful = (e for e in ways if isinstance(e.statement, syntax.Condition) and self._truth(e, False) is None)
        return len(ways) > 1 or any(doubtful)


class _Forecast:
    def __init__(self, program: Program, automata: Mapping[str, Automaton], plan: Plan) -> None:
        self.plan = plan
        self._automata = automata
        self._proctypes = {p.name: p for p in program.proctypes}
        self._numbering = Numbering(program)
        self._globals = KnownValues(self._numbering.global_channels())
        for symbol in program.globals:
            self._globals.initialise(symbol)
        self._steps = 0

    def follow(self, process: _Process, above: tuple[str, ...] = ()) -> None:
        """Walk through a process alone, and through those it starts once it is known what it starts. Recursion is not
        followed: how far it goes mostly depends on messages."""
        automaton = self._automata[process.name]
        if not any(run_of(edge) for edges in automaton.edges.values() for edge in edges):
            return
        above = (*above, process.name)
        for child in dict.fromkeys(self._walk(process, automaton)):
            if self._steps < _MOST_STEPS and child.name not in above:
                self.follow(child, above)

    def _walk(self, process: _Process, automaton: Automaton) -> list[_Process]:
        """What a process is seen to start; the plan has room for it afterwards."""
        children: list[_Process] = []
        seen: set[Hashable] = set()
        waiting = [_Moment(automaton.initial, self._known_at_first(process), len(self.plan.slots), 0)]
        while waiting and self._steps < _MOST_STEPS:
            now = waiting.pop()
            if now.key() in seen or now.is_too_far():
                continue
            seen.add(now.key())
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

    def _known_at_first(self, process: _Process) -> KnownValues:
        proctype = self._proctypes[process.name]
        values = self._globals.copy()
        for leaf, argument in zip(parameter_leaves(proctype), process.arguments, strict=False):
            if len(leaf) == 1:
                values.set(leaf[0], 0, argument)
        values.know(self._numbering.local_channels(self.plan.slots, process.slot, process.name))
        for symbol in proctype.locals[proctype.parameters :]:
            if symbol.at_creation:
                values.initialise(symbol)
        return values

    def _started(self, creator: int, edge: Edge, now: _Moment) -> list[_Process]:
        """The process that an edge starts, if it does."""
        run = run_of(edge)
        if run is None:
            return []
        given = tuple(now.values.value(argument) for argument in run.arguments)
        self.plan = self.plan.with_start(Start(creator, edge.identifier, now.alive), run.proctype, given)
        return [_Process(now.alive, run.proctype, given)]
