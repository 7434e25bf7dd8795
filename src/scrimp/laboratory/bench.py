"""`scrimp bench`: every method on every model, in rounds, and the medians of the results."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from itertools import product
from pathlib import Path
from random import Random
from statistics import median
from typing import Any, Literal, TypeAlias

from scrimp.compatibility import why_one_thread
from scrimp.disk_cache import key_of
from scrimp.laboratory.campaign import carry_out
from scrimp.laboratory.journal import Journal
from scrimp.laboratory.peers.adapter import Adapter
from scrimp.laboratory.peers.running import Peers
from scrimp.laboratory.searching import prepare, search, takes_backward
from scrimp.laboratory.task import Run, Status, Task
from scrimp.strategies import Method

# The methods that are measured by default: exact ones, from the fastest to the smallest.
USUAL_METHODS = (
    *("bfs/full", "bfs/full:compress=tree", "bfs/full:compress=cleary", "bfs/comback", "bfs/snapshots"),
    *("bfs/pseudoroot", "dfs/full", "dfs/full/sleep", "dfs/full/stubborn"),
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Matrix:
    """The runs to measure: `methods` are texts that `Method.parse` reads. `contents` has a fingerprint of each model's
    text, so that runs of earlier versions, or by other adapters, do not count. Searches by methods that can use several
    threads have `threads`; None: as many as `scrimp` takes."""

    models: tuple[str, ...]
    methods: tuple[str, ...]
    peers: tuple[Adapter, ...] = ()
    options: tuple[str, ...] = ()
    command: Literal["explore", "check"] = "explore"
    seconds: float | None = None
    memory: int | None = None
    threads: int | None = None
    rounds: int = 1
    contents: Mapping[str, str] = field(default_factory=dict)

    def tasks(self) -> list[Task]:
        """Round after round, each in an order of its own, so that a slow minute of the machine affects all methods
        alike."""
        return [task for number in range(self.rounds) for task in self._round(number)]

    def _round(self, number: int) -> list[Task]:
        pairs = [
            (model, method, (*self.options, *self._threads(method)), "")
            for model, method in product(self.models, self.methods)
        ]
        pairs += [
            (model, peer.name, (), key_of(repr(peer))[:8])
            for model, peer in product(self.models, self.peers)
            if peer.reads(Path(model))
        ]
        Random(number).shuffle(pairs)
        return [
            Task(model, method, options, self.command, self.seconds, self.memory, number, self._content(model, adapter))
            for model, method, options, adapter in pairs
        ]

    def _threads(self, method: str) -> tuple[str, ...]:
        if self.threads is None or why_one_thread(Method.parse(method)):
            return ()
        return ("--threads", str(self.threads))

    def _content(self, model: str, adapter: str) -> str:
        return self.contents[model] + adapter if model in self.contents else ""


@dataclass(frozen=True, slots=True)
class Cell:
    """One method on one model: the typical time of its rounds, usually the median, and the most memory of any.
    `bytes_peak` is the peak of the engine, `rss_peak` that of the process."""

    model: str
    method: str
    status: Status
    message: str
    verdict: str | None
    states: int | None
    states_exact: bool
    visits: int | None
    transitions: int | None
    seconds: float | None
    wall_seconds: float
    rss_peak: int
    bytes_peak: int | None
    bytes_per_state: float | None
    rounds: int
    threads: int | None = None

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


# The numbers of a cell that stand in the record under the same name.
NUMBERS = ("states", "visits", "transitions", "bytes_peak", "bytes_per_state", "threads")

COLUMNS = tuple(field.name for field in fields(Cell))


def measure(matrix: Matrix, folder: Path, quiet: bool = False) -> list[Cell]:
    """Carry out the runs that are not in the folder yet; returns the cells of the whole matrix."""
    runs = perform(matrix.tasks(), matrix.peers, folder, quiet)
    return cells(runs, matrix.models, [*matrix.methods, *(peer.name for peer in matrix.peers)])


def perform(tasks: Sequence[Task], adapters: Sequence[Adapter], folder: Path, quiet: bool = False) -> list[Run]:
    """The runs of all tasks, by scrimp or by the peer that a task's method names; those in the folder are not
    repeated."""
    compiled: set[tuple[str, bool]] = set()

    def search_or_ask(task: Task) -> Run:
        if task.method in peers:
            return peers.search(task)
        needed = (task.model, takes_backward(task))
        if needed not in compiled:
            prepare(task)
            compiled.add(needed)
        return search(task)

    with Peers(adapters) as peers:
        return carry_out(tasks, Journal(folder), search_or_ask, quiet)


Typical: TypeAlias = Callable[[Iterable[float]], float]


def cells(runs: Iterable[Run], models: Iterable[str], methods: Iterable[str], typical: Typical = median) -> list[Cell]:
    """The cells, in the order of the models and methods; `typical` reduces the times of the rounds to one."""
    found: dict[tuple[str, str], list[Run]] = {}
    for run in runs:
        found.setdefault((run.task.model, run.task.method), []).append(run)
    return [_cell(found[pair], typical) for pair in product(models, methods) if pair in found]


def _cell(rounds: Sequence[Run], typical: Typical) -> Cell:
    """The cell of some rounds. If one is incomplete, it stands for all: the others might have ended like it."""
    worst = next((run for run in rounds if not run.is_complete), rounds[0])
    seconds, wall_seconds = worst.number("seconds"), worst.wall_seconds
    if worst.is_complete:
        seconds = typical(run.number("seconds") for run in rounds)
        wall_seconds = typical(run.wall_seconds for run in rounds)
    return Cell(
        model=worst.task.model,
        method=worst.task.method,
        status=worst.status,
        message=worst.message,
        verdict=worst.number("verdict") if worst.task.command == "check" else None,
        states_exact=worst.number("states_exact") is not False,
        seconds=seconds,
        wall_seconds=wall_seconds,
        rss_peak=max(run.rss_peak for run in rounds),
        rounds=len(rounds),
        **{name: worst.number(name) for name in NUMBERS},
    )
