"""One task as a process of its own: the command `scrimp`, its record, and its memory, measured from outside."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any

from scrimp.laboratory.process import Finished, run
from scrimp.laboratory.task import Run, Status, Task
from scrimp.strategies import Method
from scrimp.verdict import Ending

# A search keeps its own time limit; reading and compiling the model before it may take as long again, and this.
PREPARATION_SECONDS = 120.0

# A search that visited everything and proves nothing, because its method is inexact, is complete as well.
STATUS: Mapping[Ending, Status] = {Ending.CLOSED: "complete", Ending.TIME: "time", Ending.MEMORY: "memory"}

PROVED, REFUTED, BAD_INPUT, UNDETERMINED = range(4)


def search(task: Task) -> Run:
    """Carry out a task with scrimp."""
    outer = None if task.seconds is None else 2 * task.seconds + PREPARATION_SECONDS
    return run_of(task, run(command_line(task), seconds=outer))


def prepare(task: Task) -> None:
    """Compile the task's model, so that no measured run has a compiler among its child processes."""
    method = Method.parse(task.method).options if takes_backward(task) else ()
    command = [*scrimp(), "explore", task.model, *method, *task.options, "--depth", "1", "--quiet"]
    run(command, seconds=PREPARATION_SECONDS)


def takes_backward(task: Task) -> bool:
    """Whether the task needs backward transitions, which are compiled separately."""
    return Method.parse(task.method).store.uses_in_degrees


def scrimp() -> list[str]:
    return [sys.executable, "-m", "scrimp"]


def command_line(task: Task) -> list[str]:
    limits = [] if task.seconds is None else ["--time", f"{task.seconds:g}s"]
    limits += [] if task.memory is None else ["--memory", str(task.memory)]
    method = Method.parse(task.method).options
    return [*scrimp(), task.command, task.model, *method, *task.options, *limits, "--json", "-", "--quiet"]


def run_of(task: Task, finished: Finished) -> Run:
    """The run of a process that has finished."""
    record = _record(finished.output) if finished.exit_code in (PROVED, REFUTED, UNDETERMINED) else None
    status, message = _judged(finished, record)
    return Run(task, status, message, finished.wall_seconds, finished.rss_peak, numbers_of(record or {}))


def _record(output: str) -> dict[str, Any] | None:
    try:
        record = json.loads(output)
    except ValueError:
        return None
    return record if isinstance(record, dict) else None


def _judged(finished: Finished, record: dict[str, Any] | None) -> tuple[Status, str]:
    complaint = (finished.errors.strip().splitlines() or [""])[-1].removeprefix("scrimp: error: ")
    if finished.ended_by == "time":
        return "time", "the process took too long and was stopped"
    if finished.exit_code == BAD_INPUT:
        return "refused", complaint
    if record is None:
        return "failed", complaint or f"exit code {finished.exit_code} and no record"
    if finished.exit_code != UNDETERMINED:
        return "complete", ""
    return STATUS.get(Ending(record["ending"]), "undetermined"), str(record["reason"])


def numbers_of(record: dict[str, Any]) -> dict[str, Any]:
    """The numbers of a record, without lists and traces: there may be millions of levels and steps."""
    return {name: value for name, value in record.items() if not isinstance(value, list) and name != "trace"}
