"""What a search found: the verdict, the traces behind it, the numbers, and the stable record of them all.

`Result.to_dict` is the record that `--json` writes; docs/json.md describes it and a test holds the two together.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from scrimp.evidence import Goal, Violation
from scrimp.left_out import LeftOut
from scrimp.properties import Judgement
from scrimp.statistics import Statistics
from scrimp.steps import Trace
from scrimp.strategies import Method, reported_record
from scrimp.verdict import Ending, Verdict

SCHEMA = 1


@dataclass(frozen=True, slots=True)
class Unreached:
    """A piece of the model's text that no reachable state executes. `file` is as for a StepMove."""

    process: str
    text: str
    line: int
    column: int
    file: str | None = None

    def to_dict(self) -> dict[str, Any]:
        return {name: value for name, value in asdict(self).items() if value is not None}


@dataclass(frozen=True, kw_only=True)
class Result:
    """The outcome of `check` or `explore`. `unreached` is empty unless the search closed. `properties` says what is
    known of each one asked; where none was, as by `explore`, the verdict is PROVED when every reachable state was
    visited. `left_out` lists what the verdict says nothing about: properties of the model that were ignored, and usual
    questions that were not asked. `order_reason` says why the order is not the usual one if nobody asked for it."""

    verdict: Verdict
    reason: str
    ending: Ending
    properties: tuple[Judgement, ...]
    model: str
    method: Method
    statistics: Statistics
    left_out: tuple[LeftOut, ...] = ()
    order_reason: str = ""
    violations: tuple[Violation, ...] = ()
    goals: tuple[Goal, ...] = ()
    unreached: tuple[Unreached, ...] = ()
    seed: int | None = None
    audit: bool = False

    @property
    def exit_code(self) -> int:
        return self.verdict.exit_code

    @property
    def went_level_by_level(self) -> bool:
        """Whether states were visited in the order of their distance from the initial one, so that traces to them are
        as short as they can be."""
        lost_its_levels = self.method.store.lost_its_levels(self.statistics.report)
        return self.method.order.finds_shortest_traces and not lost_its_levels

    @property
    def trace(self) -> Trace | None:
        """The first violation's trace or, where there is none, the first goal's witness."""
        traces = [violation.trace for violation in self.violations] + [goal.witness for goal in self.goals]
        return next((trace for trace in traces if trace is not None), None)

    def to_dict(self) -> dict[str, Any]:
        """The stable record of docs/json.md."""
        return {
            "schema": SCHEMA,
            "verdict": self.verdict.value,
            "reason": self.reason,
            "ending": self.ending.value,
            "property": [{"kind": each.property.kind, "name": each.property.name} for each in self.properties],
            "properties": [each.to_dict() for each in self.properties],
            "left_out": [each.to_dict() for each in self.left_out],
            "model": self.model,
            "strategy": {
                "method": str(self.method),
                **self.method.to_dict(),
                "order_reason": self.order_reason,
                "seed": self.seed,
                "audit": self.audit,
            },
            **self.statistics.to_dict(),
            **reported_record(self.statistics.report),
            "violations": [violation.to_dict() for violation in self.violations],
            "goals": [goal.to_dict() for goal in self.goals],
            "unreached": [each.to_dict() for each in self.unreached],
            "trace": None if self.trace is None else self.trace.to_dict(),
        }
