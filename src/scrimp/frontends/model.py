"""Model: a system that a front end has read from a file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from scrimp.left_out import LeftOut
from scrimp.numbers import counted
from scrimp.system.expressions import Expression
from scrimp.system.reference import State
from scrimp.system.system import Move, System
from scrimp.vocabulary import PLAIN, Vocabulary


class Scope(Protocol):
    """The names of a model, and the syntax in which an expression over them is written."""

    def expression(self, text: str) -> Expression:
        """Parse `text`; raises ModelError."""


class Growth(Protocol):
    def grown(self, needs: Iterable[tuple[str, State]]) -> Model:
        """The same model with room for every need of an `Outgrow`, each given with the state in which it arose. The
        result can grow further."""


@dataclass(frozen=True, slots=True)
class SpinNumbers:
    """SPIN's numbers of the statements of moves, and of the proctype that is the claim. Statements inside one of SPIN's
    steps, such as those of a `d_step`, have none."""

    statements: Mapping[Move, int]
    claim: int | None = None


@dataclass(frozen=True, repr=False)
class Model:
    """A model: a system, and the file it was read from. `load` makes one.

    Attributes:
        path: the file, as given to `load`.
        language: `"promela"`, `"dve"`, `"pnml"` or `"aut"`.
        system: the processes, variables, channels and transitions.
        liveness: a property of the model that scrimp cannot check, such as "property process 'never'", if there is
            one; it is not part of the system.
        scope: the names of the model, for expressions.
        growth: if the language sets no bounds, this makes a larger system for the same model.
        vocabulary: the names of the system's parts that users know.
        spin: SPIN's numbers of statements, for models that SPIN can read.
        left_out: the properties of the model that are not checked on its system: those that are ignored, and that of
            `liveness`.
        refusal: the message with which `check` refuses `liveness`, if that may be no liveness question.
        warnings: lines about doubtful text that was accepted, each with its position.
        identity: a key that identifies this system; a copy made by `replace` has none.

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
    liveness: str | None
    scope: Scope
    growth: Growth | None = None
    vocabulary: Vocabulary = field(default=PLAIN, compare=False)
    spin: SpinNumbers | None = field(default=None, compare=False)
    left_out: tuple[LeftOut, ...] = ()
    refusal: str = ""
    warnings: tuple[str, ...] = field(default=(), compare=False)
    identity: str = field(default="", init=False, compare=False)

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

    def expression(self, text: str) -> Expression:
        """An expression over the system in the model's own syntax; raises ModelError, whose file is `<expression>`."""
        return self.scope.expression(text)
