"""Questions that are asked on the page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from scrimp.checking import check, explore
from scrimp.errors import OptionError
from scrimp.frontends.model import Model
from scrimp.record import Record
from scrimp.statistics import Progress
from scrimp.verdict import Ending, Verdict

KINDS = {
    "check": "everything that the model states",
    "invariant": "always",
    "reach": "reachable",
    "ltl": "ltl",
    "explore": "count all states",
}
NEEDS_TEXT = ("invariant", "reach", "ltl")


@dataclass(frozen=True, slots=True)
class Asked:
    """A question and the settings of its search, as the page sends them: texts, empty for the usual ones."""

    kind: str
    text: str = ""
    method: str = ""
    memory: str = ""
    time: str = ""
    fair: str = ""

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise OptionError(f"unknown question '{self.kind:.20}' (choices: {', '.join(KINDS)})")
        if self.kind in NEEDS_TEXT and not self.text.strip():
            raise OptionError("write the expression or formula first")

    @property
    def title(self) -> str:
        named = f"{KINDS[self.kind]} {self.text}" if self.kind in NEEDS_TEXT else KINDS[self.kind]
        return f"{named}, {self.fair} fairness" if self.fair else named

    def answer(self, model: Model, progress: Callable[[Progress], None]) -> Record:
        settings: dict[str, Any] = {
            "method": self.method or None,
            "memory": self.memory or None,
            "time": self.time or None,
            "progress": progress,
        }
        if self.kind == "explore":
            return explore(model, **settings)
        if self.fair:
            settings["fair"] = self.fair
        if self.kind == "check":
            return check(model, **settings)
        if self.kind == "ltl":
            return check(model, ltl=self.text, **settings)
        settings |= {self.kind: self.text, "allow_deadlock": True}  # deadlocks have their own question
        result = check(model, **settings)
        judged = next(each for each in result.properties if each.property.name == self.text)
        if result.ending is Ending.VIOLATIONS and judged.verdict is Verdict.UNDETERMINED:
            # Something else is wrong, and was found first.
            return check(model, violations="all", **settings)
        return result
