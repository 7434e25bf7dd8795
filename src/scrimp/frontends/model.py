"""Model: a system that a front end has read from a file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from scrimp.fairness import Fairness
from scrimp.left_out import LeftOut
from scrimp.ltl.automaton import Automaton
from scrimp.numbers import counted
from scrimp.system.expressions import Expression
from scrimp.system.reference import State
from scrimp.system.system import Invariant, Move, Position, System
from scrimp.system.violations import ViolationKind
from scrimp.vocabulary import PLAIN, Vocabulary


class Scope(Protocol):
    """The names of a model, and the syntax in which an expression over them is written."""

    def expression(self, text: str) -> Expression:
        """Parse `text`; raises ModelError."""


class Growth(Protocol):
    def grown(self, needs: Iterable[tuple[str, State]]) -> Model:
        """The same model with room for every need of an `Outgrow`, each given with the state in which it arose. The
        result can grow further."""

    def unclaimed(self) -> Model:
        """The same model without its claim."""

    def record(self) -> Any:
        """The size of the model, as JSON has it."""

    def restored(self, record: Any) -> Model:
        """The same model in the size of a record."""


@dataclass(frozen=True, slots=True)
class Origin:
    """The file of a model and the arguments with which `load` read it."""

    file: Path
    language: str
    defines: Mapping[str, str]
    ignore_property: bool
    empty_channels: bool


@dataclass(frozen=True, slots=True)
class SpinNumbers:
    """SPIN's numbers of the statements of moves, and of the proctype that is the claim. Statements inside one of SPIN's
    steps, such as those of a `d_step`, have none."""

    statements: Mapping[Move, int]
    claim: int | None = None


@dataclass(frozen=True, slots=True)
class Formula:
    """An LTL formula of the model, with atoms in the model's language; `place` says where it stands, for messages, and
    `said` what the model says about it. If `place` is a file, `positions` has the offsets in the text at which its
    words begin, with their positions in the file."""

    name: str
    text: str
    place: str = "--ltl"
    said: str = ""
    positions: tuple[tuple[int, Position], ...] = ()


@dataclass(frozen=True, slots=True)
class Claim:
    """A never claim or property process of the model, as an automaton that accepts violations; `atoms` are the
    expressions that the automaton's atoms stand for. `moves`: it remains a process of the system, and the automaton is
    about the runs of both."""

    kind: ViolationKind
    name: str
    text: str
    automaton: Automaton
    atoms: tuple[Expression, ...]
    moves: bool = False


@dataclass(frozen=True, repr=False)
class Model:
    """A model: a system, and the file it was read from. `load` makes one.

    Attributes:
        path: the file, as given to `load`.
        language: `"promela"`, `"dve"`, `"python"`, `"pnml"` or `"aut"`.
        system: the processes, variables, channels and transitions.
        unchecked: why a property of the model cannot be checked, such as "property process 'never' has effects", if
            there is one; it is not part of the system.
        scope: the names of the model, for expressions.
        growth: if the language sets no bounds, this makes a larger system for the same model.
        vocabulary: the names of the system's parts that users know.
        spin: SPIN's numbers of statements, for models that SPIN can read.
        left_out: the properties of the model that are not checked on its system: those that are ignored, and that of
            `unchecked`.
        formulas: the model's formulas of linear temporal logic.
        claims: the model's claims about infinite runs.
        watched_by: the name of the claim that moves with the processes of the system, if there is one.
        fair: the processes to which infinite runs are fair, as the model declares them, and in which sense.
        no_progress: whether no process is at a progress label; None if the language has no such labels.
        accepting: whether some process is at an accept label; None if there are none.
        goals: what the model itself says must be reachable.
        warnings: lines about doubtful text that was accepted, each with its position.
        identity: a key that identifies this system; a copy made by `replace` has none.
        origin: how to read it again; None if it was not read from a file.

    Example:
        >>> import scrimp
        >>> model = scrimp.load("models/peterson.dve")
        >>> model
        <Model models/peterson.dve: dve, 2 processes, 2 variables, 8 transitions>
        >>> model.path, model.language
        ('models/peterson.dve', 'dve')
    """

    path: str
    language: str
    system: System
    unchecked: str | None
    scope: Scope
    growth: Growth | None = None
    vocabulary: Vocabulary = field(default=PLAIN, compare=False)
    spin: SpinNumbers | None = field(default=None, compare=False)
    left_out: tuple[LeftOut, ...] = ()
    formulas: tuple[Formula, ...] = ()
    claims: tuple[Claim, ...] = ()
    watched_by: str | None = None
    fair: Mapping[int, Fairness] = field(default_factory=dict)
    no_progress: Expression | None = None
    accepting: Expression | None = None
    goals: tuple[Invariant, ...] = ()
    warnings: tuple[str, ...] = field(default=(), compare=False)
    identity: str = field(default="", init=False, compare=False)
    origin: Origin | None = field(default=None, init=False, compare=False)

    def __repr__(self) -> str:
        system = self.system
        parts = [
            self.language,
            counted(len(system.processes), "process"),
            counted(len(system.variables), "variable"),
            counted(len(system.transitions), "transition"),
        ]
        return f"<Model {self.path}: {', '.join(parts)}>"

    def identified(self, identity: str) -> Model:
        """The same model, with a key that changes whenever its system would."""
        object.__setattr__(self, "identity", identity)
        return self

    def read_from(self, origin: Origin) -> Model:
        """The same model, with the way it was read."""
        object.__setattr__(self, "origin", origin)
        return self

    def unclaimed(self) -> Model:
        """The model without a claim that moves with its processes: questions about infinite runs have their own."""
        if self.system.claim is None or self.growth is None:
            return self
        model = self.growth.unclaimed()
        return model.identified(f"{self.identity} unclaimed") if self.identity else model

    @property
    def own_questions(self) -> tuple[LeftOut, ...]:
        """The model's own questions about infinite runs, as those that a search of single states leaves out."""
        formulas = [(ViolationKind.LTL, each.name, f"ltl formula {each.name}".rstrip()) for each in self.formulas]
        claims = [(each.kind, each.name, each.text) for each in self.claims]
        return tuple(LeftOut(*each, "it is about infinite runs: check decides it") for each in [*formulas, *claims])

    def expression(self, text: str) -> Expression:
        """An expression over the system in the model's own syntax; raises ModelError, whose file is `<expression>`."""
        return self.scope.expression(text)
