"""What a search that leaves checkpoints was asked, as `search.json` has it, and what is to be said when it stops."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from importlib.metadata import version
from typing import Any, Literal

from scrimp.checkpoints.folder import Checkpointing, create, discard, occupied
from scrimp.checkpoints.setup import system_digest
from scrimp.compatibility import require_savable
from scrimp.errors import ScrimpError
from scrimp.frontends.model import Model
from scrimp.numbers import counted
from scrimp.runner import CheckpointReport
from scrimp.searching import Request
from scrimp.verdict import Ending


@dataclass(frozen=True, slots=True)
class Asking:
    """A function, `check` or `explore`, and those of its arguments that are the question."""

    function: Literal["check", "explore"]
    arguments: Mapping[str, Any]


@contextmanager
def checkpoints_of(model: Model, asked: Asking, request: Request) -> Iterator[None]:
    """Prepare the folder of a search, and keep it from others; nothing if the search leaves no checkpoints."""
    if request.checkpoint is None:
        yield
        return
    require_savable(request.method, request.audit, request.reduces)
    folder = request.checkpoint.folder
    if not request.checkpoint.resumes:
        create(folder, _record(model, asked, request))
    try:
        with occupied(folder):
            yield
    except ScrimpError:  # it was refused, and the next attempt may name the same folder
        if not request.checkpoint.resumes:
            discard(folder)
        raise


def _record(model: Model, asked: Asking, request: Request) -> dict[str, Any]:
    origin = model.origin
    return {
        "scrimp": version("scrimp"),
        "model": model.path,
        "file": None if origin is None else {**asdict(origin), "file": str(origin.file)},
        "system": system_digest(model.system),
        "asked": asdict(asked),
        "method": str(request.method),
        "memory": request.limits.memory,
        "depth": request.limits.depth,
        "threads": request.threads,
        "seed": request.seed,
        "every": 0.0 if request.checkpoint is None else request.checkpoint.every,
    }


@dataclass(frozen=True, slots=True)
class Stopped:
    """How to go on after a search that leaves checkpoints was cut short."""

    folder: str = ""
    states: int = 0
    complaint: str = ""

    def cause(self, ending: Ending) -> str:
        return self.complaint if ending is Ending.DISK else ""

    def remedy(self, ending: Ending) -> str:
        if not self.folder or ending in (Ending.CLOSED, Ending.VIOLATIONS, Ending.DEPTH):
            return ""
        needed = {Ending.MEMORY: ", with a larger --memory or another --store", Ending.DISK: ", when there is room"}
        begins = f"`scrimp resume {shlex.quote(self.folder)}` continues it from {counted(self.states, 'state')}"
        return begins + needed.get(ending, "")


def stopped_checkpoints(asked: Checkpointing | None, report: CheckpointReport | None) -> Stopped:
    if asked is None or report is None:
        return Stopped()
    return Stopped(str(asked.folder), report.states, report.complaint)
