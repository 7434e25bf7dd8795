"""A task is a search to carry out; a run is its outcome."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, Literal, TypeAlias

Status: TypeAlias = Literal["complete", "refused", "time", "memory", "undetermined", "failed"]
"""`complete`: everything was searched, or enough for a verdict. `refused`: the method cannot be used on this model; the
message says why. `time`, `memory`: a limit was reached. `undetermined`: cut short for another reason."""


@dataclass(frozen=True, slots=True)
class Task:
    """`model` is the path of a file; `method` a text that `Method.parse` reads, or the name of a peer; `options` are
    further arguments of the command line. `seconds` and `memory` are its limits. Tasks that differ only in `round` are
    repetitions. `content`, if it is known, identifies the version of the model's text, and of a peer's adapter."""

    model: str
    method: str
    options: tuple[str, ...] = ()
    command: Literal["explore", "check"] = "explore"
    seconds: float | None = None
    memory: int | None = None
    round: int = 0
    content: str = ""

    def to_dict(self) -> dict[str, Any]:
        """The settings that differ from their defaults, which `task_from_dict` knows."""
        usual = Task(self.model, self.method)
        return {
            name: list(value) if name == "options" else value
            for name, value in asdict(self).items()
            if name in ("model", "method") or value != getattr(usual, name)
        }


def task_from_dict(record: dict[str, Any]) -> Task:
    return Task(**record | {"options": tuple(record.get("options", ()))})


@dataclass(frozen=True, slots=True)
class Run:
    """`message` says why a run is not complete. `numbers` are those of the JSON record (docs/json.md), by the same
    names, without lists and traces; for a peer, those that it reports."""

    task: Task
    status: Status
    message: str = ""
    wall_seconds: float = 0.0
    rss_peak: int = 0
    numbers: dict[str, Any] = field(default_factory=dict)

    @property
    def is_complete(self) -> bool:
        return self.status == "complete"

    def number(self, name: str) -> Any:
        """One of the numbers; None if the run has none of that name."""
        return self.numbers.get(name)

    def to_dict(self) -> dict[str, Any]:
        return asdict(self) | {"task": self.task.to_dict(), "wall_seconds": round(self.wall_seconds, 4)}


def run_from_dict(record: dict[str, Any]) -> Run:
    return Run(**record | {"task": task_from_dict(record["task"])})
