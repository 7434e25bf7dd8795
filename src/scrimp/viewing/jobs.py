"""Searches that run beside the page: their progress, how they ended, and the traces they found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock, Thread

from scrimp.errors import ScrimpError
from scrimp.outputs.page_result import progress_record, result_record
from scrimp.outputs.page_states import Json
from scrimp.record import Record
from scrimp.statistics import Progress

# Of a longer search, every other sample is dropped again and again.
MOST_SAMPLES = 600
RUNNING = "running"

Searching = Callable[[Callable[[Progress], None]], "Record | None"]
"""A search, given the observer of its progress; None if what it looked for does not exist."""
Publishing = Callable[["Record | None"], list[int]]
"""Opens the traces of a result on the page; returns the numbers of their walks."""


class _Stopped(Exception):
    """The user has stopped the search."""


@dataclass
class Job:
    """One search. `samples` are seconds, states, transitions, depth, frontier and bytes; `stride` of the engine's
    reports lie between two of them. `live` is the last of its reports in full."""

    number: int
    title: str
    status: str = RUNNING
    message: str = ""
    result: Json = None
    live: Json = None
    walks: list[int] = field(default_factory=list)
    samples: list[list[float]] = field(default_factory=list)
    _stride: int = 1
    _seen: int = 0
    _stopping: bool = False

    def record(self) -> Json:
        return {
            "id": self.number,
            "title": self.title,
            "status": self.status,
            "message": self.message,
            "samples": self.samples,
            "live": self.live,
            "result": self.result,
            "walks": self.walks,
        }

    def stop(self) -> None:
        self._stopping = True

    def observe(self, progress: Progress) -> None:
        if self._stopping:
            raise _Stopped
        self.live = progress_record(progress)
        self._seen += 1
        if self._seen % self._stride:
            return
        now = progress
        self.samples = [
            *self.samples,
            [round(now.seconds, 2), now.states, now.transitions, now.depth, now.frontier, now.bytes],
        ]
        if len(self.samples) > MOST_SAMPLES:
            self.samples = self.samples[::2]
            self._stride *= 2


class Jobs:
    """All searches of a session, by number."""

    def __init__(self) -> None:
        self._jobs: list[Job] = []
        self._lock = Lock()

    def records(self) -> list[Json]:
        return [job.record() for job in self._jobs]

    def __getitem__(self, number: object) -> Job:
        if not isinstance(number, int) or not 0 <= number < len(self._jobs):
            raise ScrimpError(f"there is no search {number!r:.20}")
        return self._jobs[number]

    def start(self, title: str, searching: Searching, publishing: Publishing) -> Job:
        """Search in another thread."""
        with self._lock:
            job = Job(len(self._jobs), title)
            self._jobs.append(job)
        Thread(target=_run, args=(job, searching, publishing), daemon=True).start()
        return job

    def finished(self, title: str, result: Record, publishing: Publishing) -> Job:
        """A search that has ended already."""
        job = Job(len(self._jobs), title)
        self._jobs.append(job)
        _run(job, lambda observer: result, publishing)
        return job

    def stop_all(self) -> None:
        for job in self._jobs:
            job.stop()


def _run(job: Job, searching: Searching, publishing: Publishing) -> None:
    try:
        result = searching(job.observe)
        job.walks = publishing(result)
        job.result = None if result is None else result_record(result)
        job.status, job.live = "done", None
    except _Stopped:
        job.status, job.message = "stopped", "stopped before the end: nothing is decided"
    except ScrimpError as error:
        job.status, job.message = "refused", str(error)
    except Exception as error:  # a defect of ours is shown on the page, which stays usable
        job.status, job.message = "failed", f"{type(error).__name__}: {error}: this is a defect in scrimp"
