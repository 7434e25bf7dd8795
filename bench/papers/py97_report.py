"""Writes what py97.py measured beside the paper's numbers: docs/results/pseudo_root.md.

    python -m bench.papers.py97_report [--input FILE] [--output FILE]

What stands above the tables is written by hand, and kept.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from math import exp, log
from pathlib import Path
from statistics import fmean, median

from bench.papers.py97 import ORDERS, OUTPUT, Record, read

PAGE = Path("docs/results/pseudo_root.md")
MARK = "<!-- the tables: python -m bench.papers.py97_report -->"

# The paper's peaks, Tables 1 and 2; and section 4.3: explored, and the most stored.
PHILOSOPHERS = {3: 69, 4: 370, 5: 1940, 6: 10_171}
SCHEDULERS = {3: 11, 5: 50, 7: 206, 9: 816, 11: 3262}
PUZZLE = (23_679, 1_425)

Searches = Mapping[str, Record]
Row = Sequence[str]


def by_model(records: Sequence[Record], experiment: str) -> dict[str, dict[str, Record]]:
    found: dict[str, dict[str, Record]] = {}
    for record in records:
        if record.experiment == experiment:
            found.setdefault(record.model, {})[record.key] = record
    return found


def peak(record: Record | None) -> str:
    if record is None or record.refused:
        return "refused" if record is not None else ""
    return f"{record.stored:,}" if record.complete else f"more than {record.stored:,}"


def share(record: Record | None) -> str:
    if record is None or record.refused:
        return "refused" if record is not None else ""
    return f"{record.stored / record.visits:.0%}" if record.complete else "unfinished"


def ring(records: Sequence[Record], experiment: str, model: str, paper: Mapping[int, int]) -> Iterator[Row]:
    searches = by_model(records, experiment)
    for number, printed in paper.items():
        found = searches.get(f"{model} {number}", {})
        if "full" in found:
            peaks = (peak(found.get(key)) for key in (*ORDERS, "counted"))
            yield (str(number), f"{found['full'].visits:,}", f"{printed:,}", *peaks)


def puzzle(records: Sequence[Record]) -> Iterator[Row]:
    explored, stored = PUZZLE
    yield ("the paper", f"{explored:,}", f"{stored:,}", f"{stored / explored:.2%}")
    for found in by_model(records, "puzzle").values():
        for key, record in found.items():
            if key != "full" and record.complete:
                yield key, f"{record.visits:,}", peak(record), f"{record.stored / record.visits:.2%}"


def nets(records: Sequence[Record]) -> Iterator[Row]:
    """The time of a search that forgets, in terms of one that stores everything; mean and median come last."""
    ratios, shares = [], []
    for model, found in sorted(by_model(records, "nets").items(), key=lambda each: each[1]["full"].visits):
        full, ours = found["full"], found.get("breadth first")
        if ours is None or not (full.complete and ours.complete):
            continue
        ratios.append(ours.seconds / full.seconds)
        shares.append(ours.stored / ours.visits)
        times = (f"{full.seconds:.3f}", f"{ours.seconds:.3f}", f"{ratios[-1]:.1f}")
        yield (model.removesuffix(".pnml"), f"{ours.visits:,}", share(ours), *times)
    if ratios:
        yield ("geometric mean", "", f"{_mean(shares):.0%}", "", "", f"{_mean(ratios):.2f}")
        yield ("median", "", f"{median(shares):.0%}", "", "", f"{median(ratios):.2f}")


def families(records: Sequence[Record]) -> Iterator[Row]:
    for model, found in by_model(records, "families").items():
        if "full" in found and found["full"].complete:
            yield (model, f"{found['full'].visits:,}", *(share(found.get(key)) for key in (*ORDERS, "counted")))


def _mean(numbers: Sequence[float]) -> float:
    return exp(fmean(map(log, numbers)))


def table(title: str, head: Row, rows: Iterator[Row]) -> str:
    lines = [f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *rows)]
    return "\n".join((f"## {title}", "", *lines, ""))


def tables(records: Sequence[Record]) -> str:
    orders = (*ORDERS, "counted")
    rings = ("N", "states", "peak, paper", *orders)
    philosophers = ring(records, "philosophers", "hoare_philosophers", PHILOSOPHERS)
    schedulers = ring(records, "schedulers", "milner_schedulers", SCHEDULERS)
    return "\n".join(
        (
            table("Table 1: Hoare's philosophers", rings, philosophers),
            table("Table 2: Milner's schedulers", rings, schedulers),
            table("Section 4.3: the puzzle, until it is solved", ("", "explored", "peak", "of it"), puzzle(records)),
            table("Petri nets", ("net", "states", "peak", "`full`: s", "`pseudoroot`: s", "times"), nets(records)),
            table("Families", ("model", "states", *orders), families(records)),
        )
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="the numbers of PY97 and ours")
    parser.add_argument("--input", type=Path, nargs="+", default=[OUTPUT])
    parser.add_argument("--output", type=Path, default=PAGE)
    options = parser.parse_args()
    above = options.output.read_text().partition(MARK)[0]
    records = [record for path in options.input for record in read(path)]
    options.output.write_text(f"{above}{MARK}\n\n{tables(records)}")


if __name__ == "__main__":
    main()
