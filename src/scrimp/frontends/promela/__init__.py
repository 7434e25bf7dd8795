"""Promela, the language of SPIN, read as SPIN 6.5 reads it. docs/promela.md lists the differences.

The parser is imported when something is parsed: a model from the cache does not need it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from scrimp.errors import ModelError, OptionError
from scrimp.frontends.model import Claim, Formula, Model, SpinNumbers
from scrimp.frontends.promela.automata.automaton import Automaton
from scrimp.frontends.promela.automata.build import build, build_all
from scrimp.frontends.promela.lowering.lower import Lowered, lower
from scrimp.frontends.promela.planning.forecast import first_plan, grown
from scrimp.frontends.promela.planning.plan import Plan, Start
from scrimp.frontends.promela.planning.world import Instance, Traced, World
from scrimp.frontends.promela.program.syntax import Proctype, Program, RemoteLabel, walk
from scrimp.frontends.promela.text.formulas import LabelReference
from scrimp.left_out import IGNORED, LeftOut
from scrimp.system.claims import NotSeparable, observed, separated
from scrimp.system.expressions import Expression
from scrimp.system.reference import State
from scrimp.system.system import RUN_OUT
from scrimp.system.violations import ViolationKind

UNMATCHED = LeftOut(
    "scope",
    "",
    "executions that the never claim does not match",
    "an execution is searched only as far as the never claim matches it",
)


@dataclass(frozen=True)
class PromelaScope:
    """Expressions outside all processes: over global names, and remote references to those of processes."""

    program: Program
    lowered: Lowered

    def expression(self, text: str) -> Expression:
        from scrimp.frontends.promela.program.parse import parse_expression

        return self.lowered.scope().value(parse_expression(text, self.program))


@dataclass(frozen=True)
class PromelaGrowth:
    """The model as read, from which a system can be made for any plan."""

    path: str
    program: Program
    automata: Mapping[str, Automaton]
    claim: str | None
    is_automaton: bool
    traced: Traced | None
    left_out: tuple[LeftOut, ...]
    formulas: tuple[Formula, ...]
    plan: Plan
    empty_channels: bool

    def model(self) -> Model:
        world = World(self.program, self.automata, self.plan, self.claim, self.empty_channels, self.traced)
        lowered = lower(Path(self.path).name, world)
        accepting = lowered.scope().accepting()
        claims: tuple[Claim, ...] = ()
        if self.is_automaton:
            lowered, claims = _automaton(world, lowered, accepting)
        is_watched = lowered.system.claim is not None
        scope = PromelaScope(self.program, lowered)
        return Model(
            self.path,
            "promela",
            lowered.system,
            None,
            scope,
            growth=self,
            vocabulary=lowered.vocabulary,
            warnings=self.program.warnings,
            spin=SpinNumbers(lowered.statements, self._claim_number() if is_watched else None),
            left_out=(*self.left_out, *([UNMATCHED] if is_watched else [])),
            formulas=self.formulas,
            claims=claims,
            watched_by=_own_name(world.claim) if is_watched and world.claim is not None else None,
            no_progress=lowered.scope().no_progress(),
            accepting=accepting,
        )

    def _claim_number(self) -> int:
        assert self.claim is not None
        return [*self.automata].index(self.claim)

    def unclaimed(self) -> Model:
        return replace(self, claim=None, is_automaton=False).model()

    def record(self) -> Any:
        starts = [
            [start.creator, start.edge, start.slot, list(arguments)] for start, arguments in self.plan.starts.items()
        ]
        plan = self.plan
        return [[list(names) for names in plan.slots], starts, plan.any_channel, plan.any_number]

    def restored(self, record: Any) -> Model:
        slots, starts, any_channel, any_number = record
        known = {Start(creator, edge, slot): tuple(arguments) for creator, edge, slot, arguments in starts}
        return replace(self, plan=Plan(tuple(map(tuple, slots)), known, any_channel, any_number)).model()

    def grown(self, needs: Iterable[tuple[str, State]]) -> Model:
        """A model with room for unforeseen starts (`run CREATOR EDGE`), for any number of a channel (`channel`), or for
        any number of starts (`numbers`)."""
        plan = self.plan
        slots = len(plan.slots)
        starts: dict[Start, None] = {}
        for need, state in needs:
            if need == "channel":
                plan = replace(plan, any_channel=True)
                continue
            if need == RUN_OUT:
                plan = replace(plan, any_number=True)
                continue
            _, creator, edge = need.split()
            alive = sum(location != 0 for location in state.locations[:slots])
            starts[Start(int(creator), int(edge), alive)] = None
        for start in starts:
            # An earlier need may already have made room for this start.
            if start in self.plan.starts or start not in plan.starts:
                plan = grown(self.program, self.automata, plan, start)
        return replace(self, plan=plan).model()


def read_model(
    path: str, text: str, defines: Mapping[str, str], ignore_property: bool, empty_channels: bool = False
) -> Model:
    """The model of a text; raises ModelError, or OptionError for `empty_channels` under a claim."""
    try:
        return _read(path, text, defines, ignore_property, empty_channels).model()
    except ModelError as error:
        if error.file:
            raise
        raise replace(error, file=path) from None


def _read(
    path: str, text: str, defines: Mapping[str, str], ignore_property: bool, empty_channels: bool
) -> PromelaGrowth:
    from scrimp.frontends.promela.program.parse import parse_model

    program = parse_model(path, text, defines)
    names = [proctype.name for proctype in program.proctypes]
    labels = [(each.proctype, each.label) for block in program.formulas for each in block.labels]
    automata = dict(zip(names, build_all(program.proctypes, file=path, labels=labels), strict=True))
    program = replace(program, warnings=(*program.warnings, *dict.fromkeys(_never_at(path, program, automata))))
    claim = next((p.name for p in program.proctypes if p.kind == "claim"), None)
    traced = None if ignore_property else _traced(program.trace, path)
    if ignore_property:
        claim = None
    is_automaton = claim is not None and automata[claim].may_accept_for_ever()
    if claim is not None and empty_channels:
        raise OptionError(
            "--empty-channels: with a never claim, every end state is valid; use --ignore-claims to ignore it"
        )
    left_out = tuple(_left_out(program, automata, claim, ignore_property))
    blocks = () if ignore_property else program.formulas
    formulas = tuple(Formula(block.name, block.text, path, positions=block.positions) for block in blocks)
    plan = first_plan(program, automata)
    return PromelaGrowth(path, program, automata, claim, is_automaton, traced, left_out, formulas, plan, empty_channels)


def _automaton(world: World, lowered: Lowered, accepting: Expression | None) -> tuple[Lowered, tuple[Claim, ...]]:
    """A model and its claim as an automaton. If the claim only reads states, the model is without it."""
    instance = world.claim
    assert instance is not None
    states = instance.automaton.accept_states & instance.locations.keys()
    locations = frozenset(instance.locations[state] for state in states)
    moves = False
    try:
        system, automaton, atoms = separated(lowered.system, locations, accepting)
    except NotSeparable:
        moves = True
        system, automaton, atoms = observed(lowered.system, locations, accepting)
    name = _own_name(instance)
    claim = Claim(ViolationKind.NEVER, name, f"never claim {name}".rstrip(), automaton, atoms, moves)
    return replace(lowered, system=system), (claim,)


def _never_at(path: str, program: Program, automata: Mapping[str, Automaton]) -> Iterator[str]:
    """Warnings of references to labels at which no process ever stops."""
    references: list[LabelReference | RemoteLabel] = [each for block in program.formulas for each in block.labels]
    for own in program.proctypes:
        references += (part for part in walk(own.body) if isinstance(part, RemoteLabel))
    for reference in references:
        proctype, label, position = reference.proctype, reference.label, reference.position
        automaton = automata.get(proctype)
        if automaton is not None and label in automaton.labels and automaton.labels[label] not in automaton.edges:
            message = (
                f"warning: {proctype}@{label} is always false, because no process stops at this label; "
                "that of an option's first statement belongs in front of the 'if' or 'do'"
            )
            yield str(ModelError(position.file or path, position.line, position.column, message))


def _traced(trace: Proctype | None, path: str) -> Traced | None:
    if trace is None:
        return None
    return Traced("trace" if trace.kind == "trace" else "notrace", build(trace, file=path))


def _own_name(claim: Instance) -> str:
    return "" if claim.name.startswith(":") else claim.name


def _left_out(
    program: Program, automata: Mapping[str, Automaton], claim: str | None, ignores_property: bool
) -> Iterator[LeftOut]:
    """The properties of the model that its system, with `claim` if there is one, does not check."""
    for block in program.formulas if ignores_property else ():
        yield LeftOut("ltl", block.name, f"ltl formula {block.name}".rstrip(), IGNORED)
    if program.trace is not None and ignores_property:
        yield LeftOut(program.trace.kind, "", f"{program.trace.kind} assertion", IGNORED)
    claims = [proctype.name for proctype in program.proctypes if proctype.kind == "claim"]
    for name in claims:
        if name != claim:
            shown = "" if name.startswith(":") else name
            reason = IGNORED if ignores_property else "only the first claim is checked"
            yield LeftOut("never", shown, f"never claim {shown}".rstrip(), reason)
    processes = [automata[proctype.name] for proctype in program.proctypes if proctype.kind != "claim"]
    if any(process.may_accept_for_ever() for process in processes):
        yield LeftOut("accept", "", "accept labels", "--acceptance checks them")
    if any(process.progress_states for process in processes):
        yield LeftOut("progress", "", "progress labels", "--progress checks them")
    if claim is not None:
        yield LeftOut("deadlock", "", "deadlocks", "with a never claim, every end state is valid")
