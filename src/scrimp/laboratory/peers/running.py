"""Running peers: each is prepared once for each model, in a folder of its own."""

from __future__ import annotations

import re
import shlex
import shutil
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from scrimp.laboratory.peers.adapter import Adapter
from scrimp.laboratory.process import Finished, run
from scrimp.laboratory.task import Run, Status, Task

PREPARATION_SECONDS = 300.0


def missing(adapter: Adapter) -> list[str]:
    """The commands that it needs and that are not installed."""
    return [command for command in adapter.needs if shutil.which(command) is None]


class Peers(ExitStack):
    """Adapters by name, as a context manager: at its end, the folders in which they were prepared are removed."""

    def __init__(self, adapters: Sequence[Adapter]) -> None:
        super().__init__()
        self._adapters = {adapter.name: adapter for adapter in adapters}
        self._folders: dict[tuple[str, str], Path] = {}
        self._complaints: dict[tuple[str, str], str] = {}

    def __contains__(self, method: str) -> bool:
        return method in self._adapters

    def search(self, task: Task) -> Run:
        adapter = self._adapters[task.method]
        folder = self._prepared(adapter, task.model)
        if complaint := self._complaints.get((adapter.name, task.model)):
            return Run(task, "refused", complaint)
        command = arguments(adapter.run, task.model)
        return run_of(adapter, task, run(command, directory=folder, seconds=task.seconds, memory=task.memory))

    def _prepared(self, adapter: Adapter, model: str) -> Path:
        key = (adapter.name, model)
        if key not in self._folders:
            folder = Path(self.enter_context(tempfile.TemporaryDirectory(prefix=f"scrimp-{adapter.name}-")))
            self._folders[key] = folder
            for line in adapter.prepare:
                finished = run(arguments(line, model), directory=folder, seconds=PREPARATION_SECONDS)
                if finished.exit_code != 0:
                    self._complaints[key] = f"{line.partition(' ')[0]}: {_last_line(finished)}"
                    break
        return self._folders[key]


def run_of(adapter: Adapter, task: Task, finished: Finished) -> Run:
    """The run of a peer; a report without a number of states does not count."""
    found = {name: number.read(finished.output) for name, number in adapter.numbers.items()}
    numbers: dict[str, Any] = {name: _plain(value) for name, value in found.items() if value is not None}
    if numbers.get("states") and "state_bytes" in numbers:
        numbers.setdefault("bytes_per_state", numbers["state_bytes"] / numbers["states"])
    numbers.setdefault("seconds", finished.wall_seconds)
    status, message = _judged(adapter, finished, numbers)
    return Run(task, status, message, finished.wall_seconds, finished.rss_peak, numbers)


def _judged(adapter: Adapter, finished: Finished, numbers: dict[str, Any]) -> tuple[Status, str]:
    if finished.ended_by == "time":
        return "time", "it took too long and was stopped"
    if finished.ended_by == "memory":
        return "memory", "it used too much memory and was stopped"
    if adapter.incomplete and (match := re.search(adapter.incomplete, finished.output + finished.errors)):
        return "undetermined", match[0]
    if "states" not in numbers:
        return "failed", f"exit code {finished.exit_code}: {_last_line(finished)}"
    return "complete", ""


def arguments(line: str, model: str) -> list[str]:
    """One of an adapter's command lines for a model."""
    return [part.replace("{model}", str(Path(model).resolve())) for part in shlex.split(line)]


def _last_line(finished: Finished) -> str:
    return ((finished.errors.strip() or finished.output.strip()).splitlines() or ["no output"])[-1]


def _plain(value: float) -> int | float:
    return int(value) if value == int(value) else value
