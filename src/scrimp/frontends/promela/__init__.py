"""Promela, the language of SPIN, read as SPIN 6.5 reads it. docs/promela.md lists the differences.

The parser is imported when something is parsed: a model from the cache does not need it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from shlex import quote

from scrimp.errors import ModelError, OptionError
from scrimp.frontends.model import Model, SpinNumbers
from scrimp.frontends.promela.automata.automaton import Automaton
from scrimp.frontends.promela.automata.build import build_all
from scrimp.frontends.promela.lowering.lower import Lowered, lower
from scrimp.frontends.promela.planning.forecast import first_plan, grown
from scrimp.frontends.promela.planning.plan import Plan, Start
from scrimp.frontends.promela.planning.world import World
from scrimp.frontends.promela.program.syntax import Program
from scrimp.left_out import IGNORED, LIVENESS, LeftOut
from scrimp.system.expressions import Expression
from scrimp.system.reference import State


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
    liveness: str | None
    left_out: tuple[LeftOut, ...]
    plan: Plan
    empty_channels: bool

    def model(self) -> Model:
        world = World(self.program, self.automata, self.plan, self.claim, self.empty_channels)
        lowered = lower(Path(self.path).name, world)
        scope = PromelaScope(self.program, lowered)
        return Model(
            self.path,
            "promela",
            lowered.system,
            self.liveness,
            scope,
            growth=self,
            vocabulary=lowered.vocabulary,
            warnings=self.program.warnings,
            spin=SpinNumbers(lowered.statements, None if self.claim is None else [*self.automata].index(self.claim)),
            left_out=self.left_out,
            refusal="" if self.liveness is None else self._refusal(scope),
        )

    def _refusal(self, scope: PromelaScope) -> str:
        """Why the first property that scrimp does not check is refused, if it may be no liveness question."""
        if not self.program.refused:
            return ""
        position, text, invariant = self.program.refused[0]
        hint = ""
        with suppress(ModelError):
            scope.expression(invariant)
            hint = f"; --ignore-property --invariant {quote(invariant)} checks this one"
        where = f"{position.file or self.path}:{position.line}:{position.column}"
        unchecked = f"scrimp does not check {_plural(text)} yet"
        return f"{where}: {text}: {unchecked}; --ignore-property checks the rest{hint}"

    def grown(self, needs: Iterable[tuple[str, State]]) -> Model:
        """A model with room for unforeseen starts (`run CREATOR EDGE`), or for any number of a channel (`channel`)."""
        plan = self.plan
        slots = len(plan.slots)
        starts: dict[Start, None] = {}
        for need, state in needs:
            if need == "channel":
                plan = replace(plan, any_channel=True)
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
    automata = dict(zip(names, build_all(program.proctypes, file=path), strict=True))
    claim = next((p.name for p in program.proctypes if p.kind == "claim"), None)
    liveness = None if ignore_property else _liveness_question(program, automata, claim)
    if ignore_property or liveness is not None:
        claim = None
    if claim is not None and empty_channels:
        raise OptionError(
            "--empty-channels: with a never claim, every end state is valid; use --ignore-claims to ignore it"
        )
    left_out = tuple(_left_out(program, automata, claim, IGNORED if ignore_property else LIVENESS))
    plan = first_plan(program, automata)
    return PromelaGrowth(path, program, automata, claim, liveness, left_out, plan, empty_channels)


def _liveness_question(program: Program, automata: Mapping[str, Automaton], claim: str | None) -> str | None:
    """The first property of a model that scrimp cannot check, if any: a formula, or one about infinite runs."""
    if program.refused:
        return program.refused[0].text
    if claim is not None and automata[claim].may_accept_for_ever():
        return "never claim with accept labels in a loop"
    return None


def _left_out(program: Program, automata: Mapping[str, Automaton], claim: str | None, reason: str) -> Iterator[LeftOut]:
    """The properties of the model that its system, with `claim` if there is one, does not check."""
    for _, text, _ in program.refused:
        kind, _, name = text.partition(" ")
        name = name.removeprefix("formula").removeprefix("assertion").strip()
        yield LeftOut(kind, name, text, IGNORED if reason == IGNORED else f"{_plural(text)} are not checked yet")
    claims = [proctype.name for proctype in program.proctypes if proctype.kind == "claim"]
    for name in claims:
        if name != claim:
            shown = "" if name.startswith(":") else name
            others = reason if claim is None else "only the first claim is checked"
            yield LeftOut("never", shown, f"never claim {shown}".rstrip(), others)
    processes = [automata[proctype.name] for proctype in program.proctypes if proctype.kind != "claim"]
    if any(process.may_accept_for_ever() for process in processes):
        yield LeftOut("accept", "", "accept labels", LIVENESS)
    if any(process.progress_states for process in processes):
        yield LeftOut("progress", "", "progress labels", LIVENESS)
    if claim is not None:
        yield LeftOut("deadlock", "", "deadlocks", "with a never claim, every end state is valid")
        unmatched = "executions that the never claim does not match"
        yield LeftOut("scope", "", unmatched, "an execution is searched only as far as the never claim matches it")


def _plural(refused: str) -> str:
    """The kind of a refused property, in the plural: `ltl formulas` for `ltl formula p`."""
    kind, what = refused.split()[:2]
    return f"{kind} {what}s"
