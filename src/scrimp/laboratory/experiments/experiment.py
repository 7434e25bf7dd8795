"""An experiment: the searches behind a table or figure of a paper, and the paper's numbers beside ours."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from scrimp.errors import OptionError
from scrimp.laboratory.searching import search
from scrimp.laboratory.task import Run, Task

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Runs: TypeAlias = Mapping[Task, Run]

PACKAGED = Path(__file__).parents[1] / "models"


@dataclass(frozen=True)
class Setting:
    """How an experiment is carried out: if `quick`, only a part that takes less than two minutes. `corpus` is the
    folder of other people's models, `models` that of scrimp's own. Tasks name a model by its folder and its path there,
    such as corpus/dve/brp/brp.4.dve, so that their runs do not depend on where these folders are."""

    quick: bool
    corpus: Path
    models: Path

    def of_corpus(self, name: str) -> str:
        """The name of a model in the corpus; raises OptionError if there is none."""
        return self._required(f"corpus/{name}", "the model corpus; set --corpus or SCRIMP_CORPUS")

    def beem(self, instance: str) -> str:
        return self.of_corpus(f"dve/{instance.rpartition('.')[0]}/{instance}.dve")

    def of_models(self, name: str) -> str:
        """The name of a model in the folder `models` of scrimp's repository."""
        return self._required(f"models/{name}", "the folder of scrimp's own models; set --models")

    def _required(self, name: str, what: str) -> str:
        if not self.path(name).is_file():
            raise OptionError(f"there is no {self.path(name)}, which belongs to {what}")
        return name

    def path(self, name: str) -> Path:
        """The path of a model of that name."""
        folder, _, rest = name.partition("/")
        return {"corpus": self.corpus, "models": self.models, "packaged": PACKAGED}[folder] / rest

    def counts(self, language: str) -> list[dict[str, str]]:
        """The table of the corpus's models in one language."""
        with self.path(self.of_corpus(f"{language}/counts.csv")).open() as table:
            return list(csv.DictReader(table))

    @cached_property
    def beem_states(self) -> dict[str, int]:
        """How many states BEEM's instances have, without those classified as planning, scheduling or puzzles, as in
        EWK09."""
        rows = [row for row in self.counts("dve") if row["states"].isdigit() and row["type"] not in LEFT_OUT]
        return {row["instance"]: int(row["states"]) for row in rows}

    def beem_between(self, least: int, most: int) -> list[str]:
        """Instances whose number of states is between `least` and `most`, the smallest first."""
        sizes = self.beem_states
        return sorted((name for name in sizes if least <= sizes[name] <= most), key=sizes.__getitem__)


LEFT_OUT = {"ps", "puzzle"}


def packaged(name: str) -> str:
    """The name of a model that comes with this package."""
    return f"packaged/{name}"


@dataclass(frozen=True, slots=True)
class Number:
    """A number of the paper and ours; either may be missing. `labels` say which number it is."""

    labels: tuple[str, ...]
    paper: float | None
    ours: float | None

    @property
    def difference(self) -> str:
        """`equal`, or by how much ours is higher or lower."""
        if self.paper is None or self.ours is None:
            return ""
        if self.paper == self.ours:
            return "equal"
        if self.paper == 0:
            return f"{self.ours:+g}"
        return f"{100 * (self.ours / self.paper - 1):+.3g}%"

    def to_dict(self, columns: Sequence[str]) -> dict[str, Any]:
        labels = dict(zip(columns, self.labels, strict=True))
        return labels | {"paper": self.paper, "ours": self.ours, "difference": self.difference}


@dataclass(frozen=True, kw_only=True)
class Experiment:
    """`tasks` returns the searches that are known to be needed, given the runs so far; it is called again until it
    returns no new ones. `numbers` then computes the numbers from the runs, which have the values named in `reads`;
    `columns` name the labels of the numbers, and the page shows the values of the column `across` side by side.
    `differs` has notes, mainly on differences from the paper; `minutes` is about how long the whole takes."""

    name: str
    title: str
    columns: tuple[str, ...]
    reads: tuple[str, ...]
    differs: tuple[str, ...]
    minutes: float
    tasks: Callable[[Setting, Runs], Iterable[Task]]
    numbers: Callable[[Setting, Runs], Sequence[Number]]
    across: str | None = None
    draw: Callable[[Setting, Runs, Sequence[Number]], Figure] | None = None
    perform: Callable[[Task], Run] = search


def complete(runs: Runs, task: Task) -> Run | None:
    """The run of a task; None if there is none, or it was cut short."""
    run = runs.get(task)
    return run if run is not None and run.is_complete else None


def number_of(runs: Runs, task: Task, name: str) -> float | None:
    """A number of a complete run."""
    run = complete(runs, task)
    value = None if run is None else run.number(name)
    return value if isinstance(value, int | float) else None
