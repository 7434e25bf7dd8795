"""Model: what a front end makes of a file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from scrimp.left_out import LeftOut
from scrimp.system.expressions import Expression
from scrimp.system.reference import State
from scrimp.system.system import Move, System
from scrimp.vocabulary import PLAIN, Vocabulary


class Scope(Protocol):
    """The names of a model, and the syntax in which an expression over them is written."""

    def expression(self, text: str) -> Expression:
        """Parse `text`; raises ModelError."""


class Growth(Protocol):
    def grown(self, need: str, state: State) -> Model:
        """The same model with room for what `Outgrow(need)` asked for in a state; its `growth` grows on."""


@dataclass(frozen=True, slots=True)
class SpinNumbers:
    """The numbers by which SPIN knows the statements of moves, and the proctype that is the claim. What is inside a
    step of SPIN's, as of a `d_step`, has none."""

    statements: Mapping[Move, int]
    claim: int | None = None


@dataclass(frozen=True)
class Model:
    """A system and the file it was read from. `liveness` says what in the model asks a liveness question, as "property
    process 'never'"; it is no part of the system. `left_out` lists the questions of the model that its system does not
    ask: those that are ignored, and those of `liveness`. `growth`, where the language knows no bounds, makes a larger
    system for the same model. `spin` is given for models that SPIN can read, too.

    `identity`, where there is one, stands for this system and no other; a copy made by `replace` has none.
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
    identity: str = field(default="", init=False, compare=False)

    def identified(self, identity: str) -> Model:
        """The same model under a name that changes whenever its system would."""
        object.__setattr__(self, "identity", identity)
        return self

    def expression(self, text: str) -> Expression:
        """An expression over the system in the model's own syntax; raises ModelError, whose file is `<expression>`."""
        return self.scope.expression(text)
