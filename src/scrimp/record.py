"""What a search found: the verdict, the traces behind it, the numbers, and the stable record of them all.

`Record.to_dict` is the record that `--json` writes; docs/json.md describes it, and a test compares the two.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from scrimp.evidence import Goal, Violation
from scrimp.left_out import LeftOut
from scrimp.notes import Exchangeable, Note
from scrimp.properties import Judgement
from scrimp.statistics import Statistics
from scrimp.steps import Trace
from scrimp.strategies import Method, reported_record
from scrimp.verdict import Ending, Verdict

SCHEMA = 1


@dataclass(frozen=True, slots=True)
class Unreached:
    """A part of the model's text that is not executed in any reachable state.

    Attributes:
        process: the process that it belongs to.
        text: the text.
        line: its line in the file; lines and columns count from 1.
        column: likewise.
        file: the file, if it is an included one.

    Example:
        >>> import scrimp
        >>> model = scrimp.load(text="byte x; active proctype P() { if :: x > 0 -> x = 2 :: else fi }")
        >>> [each.text for each in scrimp.explore(model).unreached]
        ['x > 0', 'x = 2']
    """

    process: str
    text: str
    line: int
    column: int
    file: str | None = None

    def to_dict(self) -> dict[str, Any]:
        return {name: value for name, value in asdict(self).items() if value is not None}


@dataclass(frozen=True, kw_only=True)
class Record:
    """What a search found, as `Result` documents it."""

    verdict: Verdict
    reason: str
    ending: Ending
    properties: tuple[Judgement, ...]
    model: str
    method: Method
    statistics: Statistics
    left_out: tuple[LeftOut, ...] = ()
    order_reason: str = ""
    store_reason: str = ""
    reduction_reason: str = ""
    passes: tuple[Note, ...] = ()
    symmetry: tuple[Exchangeable, ...] = ()
    violations: tuple[Violation, ...] = ()
    goals: tuple[Goal, ...] = ()
    unreached: tuple[Unreached, ...] = ()
    unknown_coverage: int = 0
    seed: int | None = None
    audit: bool = False

    @property
    def exit_code(self) -> int:
        """The exit code of the command line: 0 proved, 1 refuted, 3 undetermined."""
        return self.verdict.exit_code

    @property
    def went_level_by_level(self) -> bool:
        """Whether states were visited in the order of their distance from the initial state, so that traces are as
        short as possible."""
        lost_its_levels = self.method.store.lost_its_levels(self.statistics.report)
        return self.method.order.finds_shortest_traces and not lost_its_levels

    @property
    def has_shortest_traces(self) -> bool:
        """Whether no trace to what was found passes fewer states of the model as written."""
        as_written = all(note.keeps_steps for note in self.passes) and not self.method.reduction.leaves_out
        return as_written and self.went_level_by_level and self.method.store.exact

    @property
    def trace(self) -> Trace | None:
        """The first violation's trace or, if there is none, the first goal's witness."""
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
                "store_reason": self.store_reason,
                "reduction_reason": self.reduction_reason,
                "passes": [asdict(note) for note in self.passes],
                "symmetry": [asdict(note) for note in self.symmetry],
                "seed": self.seed,
                "audit": self.audit,
            },
            **self.statistics.to_dict(),
            **reported_record(self.statistics.report),
            "violations": [violation.to_dict() for violation in self.violations],
            "goals": [goal.to_dict() for goal in self.goals],
            "unreached": [each.to_dict() for each in self.unreached],
            "unknown_coverage": self.unknown_coverage,
            "trace": None if self.trace is None else self.trace.to_dict(),
        }
