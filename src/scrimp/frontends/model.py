"""Model: what a front end makes of a file."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from scrimp.system.expressions import Expression
from scrimp.system.system import System


class Scope(Protocol):
    """The names of a model, and the syntax in which an expression over them is written."""

    def expression(self, text: str) -> Expression:
        """Parse `text`; raises ModelError."""


@dataclass(frozen=True)
class Model:
    """A system and the file it was read from. `property_process` names the process that states a liveness property; it
    is no part of the system.

    `identity`, where there is one, stands for this system and no other; a copy made by `replace` has none.
    """

    path: str
    language: str
    system: System
    property_process: str | None
    scope: Scope
    identity: str = field(default="", init=False, compare=False)

    def identified(self, identity: str) -> Model:
        """The same model under a name that changes whenever its system would."""
        object.__setattr__(self, "identity", identity)
        return self

    def expression(self, text: str) -> Expression:
        """An expression over the system in the model's own syntax; raises ModelError, whose file is `<expression>`."""
        return self.scope.expression(text)
