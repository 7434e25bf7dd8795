"""States that scrimp explores with its passes and reductions, against SPIN as it comes.

    python -m bench.spin_default [--reduce auto|none|…] [--seconds N] [--worst N] [--csv FILE]

SPIN merges statements, resets dead variables and reduces partial orders by default; its counts are the rows
`default_por` of the corpus, which do not stop at the first error. So `explore` is asked with `--passes`, which does not
stop either. Models that SPIN could not finish are left out.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import exp, log
from pathlib import Path

import scrimp
from bench.instances import CORPUS, require_corpus


@dataclass(frozen=True)
class Row:
    """The states of one model: as written, by SPIN's default, by ours; 0 if the search did not finish."""

    model: str
    spin: int
    ours: int
    method: str

    @property
    def ratio(self) -> float:
        return self.ours / self.spin


def spin_counts() -> Iterator[tuple[str, int]]:
    """The models that SPIN finished with default options, and the states it stored."""
    with (CORPUS / "promela" / "spin_counts.csv").open() as table:
        for row in csv.DictReader(table):
            if row["mode"] == "default_por" and row["result"] == "ok" and not row["defines"]:
                yield row["file"], int(row["states_stored"])


def measure(reduction: str, seconds: float) -> Iterator[Row]:
    for name, spin in spin_counts():
        model = scrimp.load(CORPUS / "promela" / name, language="promela", ignore_property=True)
        result = scrimp.explore(model, passes=True, reduction=reduction, time=seconds)
        finished = result.ending is scrimp.Ending.CLOSED
        yield Row(name, spin, result.statistics.states if finished else 0, str(result.method))


def summary(rows: Sequence[Row]) -> str:
    finished = [row for row in rows if row.ours]
    mean = exp(sum(log(row.ratio) for row in finished) / len(finished))
    above = [sum(row.ratio > limit for row in finished) for limit in (1, 2, 3)]
    return (
        f"{len(finished)} of {len(rows)} models finished; geometric mean of states {mean:.3f} × SPIN's; "
        f"above SPIN's: {above[0]} ({above[0] / len(finished):.0%}), above 2×: {above[1]}, above 3×: {above[2]}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--reduce", default="auto")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--worst", type=int, default=20)
    parser.add_argument("--csv", type=Path)
    asked = parser.parse_args()
    require_corpus()
    rows = list(measure(asked.reduce, asked.seconds))
    if asked.csv is not None:
        with asked.csv.open("w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(("model", "spin", "scrimp", "method"))
            writer.writerows((row.model, row.spin, row.ours, row.method) for row in rows)
    print("| model | SPIN | scrimp | ratio | method |\n| --- | --- | --- | --- | --- |")
    for row in sorted(rows, key=lambda row: -row.ratio)[: asked.worst]:
        print(f"| {row.model} | {row.spin:,} | {row.ours:,} | {row.ratio:.2f} | {row.method} |")
    print(summary(rows))


if __name__ == "__main__":
    main()
