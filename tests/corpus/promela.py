"""The Promela part of the corpus: SPIN's counts, and scrimp's beside them."""

from __future__ import annotations

import csv
import shlex
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.corpus.corpus import CORPUS

import scrimp
from scrimp.frontends import SUFFIXES

# Polls a rendezvous channel. SPIN calls that an error and not executable; scrimp calls it a fault, which counts as a
# transition.
DIFFERENT = {"spins_case_studies/regression/20110228_channel_poll.prom"}


@dataclass(frozen=True, slots=True)
class PromelaCount:
    """One row of SPIN's table: a file, what was defined, and the counts of a search without optimisations or claims."""

    file: str
    defines: tuple[tuple[str, str], ...]
    states: int
    edges: int
    depth: int
    errors: int

    def __str__(self) -> str:
        return " ".join([self.file, *(f"-D{name}={value}" for name, value in self.defines)])

    @property
    def path(self) -> Path:
        return CORPUS / "promela" / self.file


def promela_counts(largest: int) -> list[PromelaCount]:
    """Every row of at most `largest` states, smallest first; none if the corpus is absent."""
    if not CORPUS.is_dir():
        return []
    with (CORPUS / "promela" / "spin_counts.csv").open() as table:
        rows = [_row(row) for row in csv.DictReader(table) if (row["mode"], row["result"]) == ("plain", "ok")]
    compared = (row for row in rows if row.states <= largest and row.file not in DIFFERENT)
    return sorted(compared, key=lambda row: (row.states, row.file))


def load(count: PromelaCount) -> scrimp.Model:
    with _with_suffix(count.path) as path:
        return scrimp.load(path, defines=dict(count.defines), ignore_property=True)


@contextmanager
def _with_suffix(path: Path) -> Iterator[Path]:
    """The file, or a link to it with the suffix of its language if its own name has another."""
    if path.suffix.lower() in SUFFIXES:
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="scrimp-corpus-") as folder:
        named = Path(folder) / f"{path.name}.pml"
        named.symlink_to(path)
        yield named


def _row(row: dict[str, str]) -> PromelaCount:
    return PromelaCount(
        file=row["file"],
        defines=tuple(_define(option) for option in shlex.split(row["defines"])),
        states=int(row["states_stored"]),
        edges=int(row["edges"]),
        depth=int(row["depth"]),
        errors=int(row["errors_c0"]),
    )


def _define(option: str) -> tuple[str, str]:
    name, _, value = option.removeprefix("-D").partition("=")
    return name, value or "1"
