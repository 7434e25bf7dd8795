"""A campaign: tasks carried out one after another. Each run is recorded as it finishes, and the time left is shown."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeAlias

from scrimp.laboratory.journal import Journal
from scrimp.laboratory.task import Run, Task
from scrimp.numbers import duration
from scrimp.outputs.files import require_writable
from scrimp.outputs.live import anyone_watching

Perform: TypeAlias = Callable[[Task], Run]


def carry_out(tasks: Sequence[Task], journal: Journal, perform: Perform, quiet: bool = False) -> list[Run]:
    """The runs of all tasks. Those in the journal are not repeated; an interrupt loses no finished run."""
    left = [task for task in dict.fromkeys(tasks) if task not in journal.runs]
    if left:
        require_writable(journal.path)  # before a search is run in vain
    with _progress(len(left), quiet) as report:
        for task in left:
            report(task, None)
            run = perform(task)
            journal.add(run)
            report(task, run)
    return [journal.runs[task] for task in dict.fromkeys(tasks)]


Report: TypeAlias = Callable[[Task, Run | None], None]


@contextmanager
def _progress(total: int, quiet: bool) -> Iterator[Report]:
    """Reports when a task begins and when its run is finished: as a bar on a terminal, elsewhere as a line per run."""
    if quiet or not total:
        yield lambda task, run: None
    elif anyone_watching():
        with _bar(total) as report:
            yield report
    else:
        done = 0

        def report_line(task: Task, run: Run | None) -> None:
            nonlocal done
            if run is not None:
                done += 1
                print(f"{done}/{total} {_named(task)}: {_outcome(run)}", file=sys.stderr, flush=True)

        yield report_line


@contextmanager
def _bar(total: int) -> Iterator[Report]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (MofNCompleteColumn(), BarColumn(bar_width=30), TimeRemainingColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        bar = progress.add_task("", total=total)

        def report(task: Task, run: Run | None) -> None:
            progress.update(bar, description=_named(task), advance=0 if run is None else 1)

        yield report


def _named(task: Task) -> str:
    return f"{task.model.rpartition('/')[2]} {task.method}"


def _outcome(run: Run) -> str:
    return duration(run.wall_seconds) if run.is_complete else f"{run.status}: {run.message}"
