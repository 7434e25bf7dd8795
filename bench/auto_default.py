"""What `check` saves by reducing automatically: states, and the time from a model's text to the verdict.

    SCRIMP_CACHE=off python -m bench.auto_default [--against WAY] [--seconds N] [--every N] [--output FILE]    # resumes

Models of the corpus are checked as `check` does by default, and in another way, in turn: with `--reduce none`, or as
`check` did before it had passes and reductions, with `--as-written --reduce none`. Sizes are those of the model as
written, by other tools. Besides the time on the clock there is that of the processors, by all threads and by the
compiler: on a busy machine it says more.
"""

from __future__ import annotations

import argparse
import csv
import gc
import json
import resource
import time
from collections.abc import Iterator, Sequence
from math import exp, log
from pathlib import Path
from typing import Any

import scrimp
from bench.instances import CORPUS, require_corpus

DEFAULT = "default"
WAYS: dict[str, dict[str, Any]] = {
    "none": {"reduction": "none"},
    "as written": {"reduction": "none", "as_written": True},
    DEFAULT: {},
}
SLOWEST = 5
SIZES = {"below 10⁵": (0, 10**5), "10⁵ to 10⁶": (10**5, 10**6), "above 10⁶": (10**6, 10**12)}


def files() -> Iterator[tuple[int, Path]]:
    for folder, column in (("dve", "states"), ("pnml", "states"), ("promela", "states_stored")):
        with (CORPUS / folder / ("spin_counts.csv" if folder == "promela" else "counts.csv")).open() as table:
            for row in csv.DictReader(table):
                if folder == "promela" and (row["mode"] != "plain" or row["result"] != "ok" or row["defines"]):
                    continue
                yield int(row[column]), CORPUS / folder / _file(folder, row)


def _file(folder: str, row: dict[str, str]) -> str:
    if folder == "promela":
        return row["file"]
    name = row["instance"]
    return f"{name.rpartition('.')[0]}/{name}.dve" if folder == "dve" else f"{name}.pnml"


def _processors() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def measure(path: Path, ways: Sequence[str], limits: dict[str, Any]) -> dict[str, Any]:
    row: dict[str, Any] = {"model": str(path.relative_to(CORPUS))}
    for way in ways:
        gc.collect()
        gc.freeze()  # a command would have nothing of earlier models to look through
        began, used = time.monotonic(), _processors()
        model = scrimp.load(
            path, language=None if path.suffix in (".dve", ".pnml") else "promela", ignore_property=True
        )
        result = scrimp.check(model, **limits, **WAYS[way])
        row[way] = {
            "verdict": result.verdict.value,
            "states": result.statistics.states,
            "seconds": round(time.monotonic() - began, 3),
            "processors": round(_processors() - used, 3),
            "reduction": result.reduction_reason,
        }
    return row


def _ratio(row: dict[str, Any], against: str, what: str) -> float:
    return float(max(row[DEFAULT][what], 1e-3) / max(row[against][what], 1e-3))


def _means(rows: Sequence[dict[str, Any]], against: str) -> str:
    """The geometric means of ratios: by default, against the other way."""
    means = {
        what: exp(sum(log(_ratio(row, against, what)) for row in rows) / len(rows))
        for what in ("states", "seconds", "processors")
    }
    return ", ".join(f"{what} {mean:.2f} ×" for what, mean in means.items())


def summary(rows: Sequence[dict[str, Any]], against: str) -> Iterator[str]:
    ways = against, DEFAULT
    for name, (low, high) in SIZES.items():
        group = [row for row in rows if low <= row["size"] < high]
        decided = [row for row in group if all(row[way]["verdict"] != "undetermined" for way in ways)]
        if not decided:
            continue
        counts = ", ".join(f"{way} {sum(row[way]['verdict'] != 'undetermined' for row in group)}" for way in ways)
        yield f"{name}: {len(decided)} decided both ways of {len(group)} ({counts}); {_means(decided, against)}"
        if reduced := [row for row in decided if row[DEFAULT]["states"] < row[against]["states"]]:
            yield f"  of these, {len(reduced)} reduced: {_means(reduced, against)}"
        for row in sorted(decided, key=lambda row: -_ratio(row, against, "processors"))[:SLOWEST]:
            times = " and ".join(f"{row[way]['processors']:.2f}" for way in reversed(ways))
            yield f"  slowest: {row['model']}: {_ratio(row, against, 'processors'):.2f} × ({times} s)"
    different = [row["model"] for row in rows if len({row[way]["verdict"] for way in ways} - {"undetermined"}) > 1]
    yield f"verdicts that differ: {different or 'none'}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--against", choices=[way for way in WAYS if way != DEFAULT], default="none")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--threads", type=int)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--least", type=int, default=0)
    parser.add_argument("--largest", type=int, default=20_000_000)
    parser.add_argument("--output", type=Path, default=Path("results/auto_default.ndjson"))
    asked = parser.parse_args()
    require_corpus()
    scrimp.check(scrimp.load(text="active proctype P() { skip }"))  # the first row should not count imports
    rows = [json.loads(line) for line in asked.output.read_text().splitlines()] if asked.output.exists() else []
    done = {row["model"] for row in rows}
    for size, path in sorted(files())[:: asked.every]:
        if not asked.least <= size <= asked.largest or str(path.relative_to(CORPUS)) in done:
            continue
        try:
            ways = [asked.against, DEFAULT][:: 1 if len(rows) % 2 else -1]  # which comes first changes
            limits = {"time": asked.seconds, "threads": asked.threads}
            row = {"size": size, **measure(path, ways, limits)}
        except scrimp.ScrimpError as error:
            print(path, error)
            continue
        rows.append(row)
        with asked.output.open("a") as record:
            record.write(json.dumps(row) + "\n")
    print("\n".join(summary(rows, asked.against)))


if __name__ == "__main__":
    main()
