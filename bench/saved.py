"""What passes and reductions save on the DVE models and nets of the corpus; and that they change no answer.

    python -m bench.saved [--seconds N] [--largest N]     # measures; takes a while, and resumes
    python -m bench.saved --page                          # writes docs/results/saved.md from results/saved.ndjson

Every model of at most `--largest` states is searched to the end: as written, after all passes but the structural
reductions of nets, after all passes, and then with `--reduce auto`; and it is checked for deadlocks only, with passes
and `--reduce auto`. A search that does not end within the time counts as missing.
"""

from __future__ import annotations

import argparse
import csv
import json
import time
from collections.abc import Iterator, Sequence
from math import exp, log
from pathlib import Path
from typing import Any
from unittest.mock import patch

import scrimp
from bench.instances import CORPUS, require_corpus
from scrimp.laboratory.tables import markdown, wrapped
from scrimp.passes import PASSES, NetReduction

RECORD = Path("results/saved.ndjson")
PAGE = Path("docs/results/saved.md")

WRITTEN, OTHERS, ALL, REDUCED, DEADLOCK = "as written", "other passes", "passes", "passes, auto", "deadlock"
WAYS = (WRITTEN, OTHERS, ALL, REDUCED, DEADLOCK)

INTRODUCTION = """States of the models of the corpus: as written; after all [passes](../passes.md) but the structural
reductions of nets; after all passes; with `--reduce auto`, too; and with `--only deadlock --reduce auto`, if there is
no deadlock. A dash: the search was not finished in time, or found a deadlock. All ways agree on deadlocks; none lists a
transition as never executed that is, and those missing from its list are among those that it says are not known. The
last column is over fewer models than the others. Made by `python -m bench.saved`; the record, with times, is
`results/saved.ndjson`.
"""


def files(largest: int) -> Iterator[Path]:
    """The models of at most this many states, smallest first: of a DVE family, the first two instances."""
    found: list[tuple[int, Path]] = []
    for folder in ("dve", "pnml"):
        with (CORPUS / folder / "counts.csv").open() as table:
            for row in csv.DictReader(table):
                family, _, number = row["instance"].rpartition(".")
                path = f"{family}/{row['instance']}.dve" if folder == "dve" else f"{row['instance']}.pnml"
                if int(row["states"]) <= largest and (folder == "pnml" or int(number) <= 2):
                    found.append((int(row["states"]), CORPUS / folder / path))
    return (path for _, path in sorted(found) if path.exists())


def search(model: scrimp.Model, way: str, seconds: float) -> scrimp.Result:
    if way == DEADLOCK:
        return scrimp.check(model, only="deadlock", reduction="auto", time=seconds)
    passes = tuple(each for each in PASSES if way != OTHERS or not isinstance(each, NetReduction))
    reduction = "auto" if way == REDUCED else None
    with patch("scrimp.checking.PASSES", passes):
        return scrimp.explore(model, passes=way != WRITTEN, reduction=reduction, time=seconds)


def measure(path: Path, seconds: float) -> dict[str, Any]:
    """The states and seconds of a model by each way that ended, whether it has a deadlock, and what differs."""
    model = scrimp.load(path, ignore_property=True)
    results: dict[str, scrimp.Result] = {}
    took: dict[str, float] = {}
    for way in WAYS:
        began = time.monotonic()
        results[way] = search(model, way, seconds)
        took[way] = round(time.monotonic() - began, 2)
    ended = {way: each for way, each in results.items() if each.ending is scrimp.Ending.CLOSED}
    return {
        "model": path.name,
        "states": {way: each.statistics.states for way, each in ended.items()},
        "seconds": took,
        "deadlock": has_deadlock(results),
        "passes": [note.text for note in results[ALL].passes if note.name == NetReduction.name],
        "differences": list(differences(results)),
    }


def has_deadlock(results: dict[str, scrimp.Result]) -> bool | None:
    if results[DEADLOCK].verdict is scrimp.Verdict.UNDETERMINED:
        return None
    return results[DEADLOCK].verdict is scrimp.Verdict.REFUTED


def differences(results: dict[str, scrimp.Result]) -> Iterator[str]:
    ended = {way: each for way, each in results.items() if each.ending is scrimp.Ending.CLOSED and way != DEADLOCK}
    dead = {way: each.statistics.deadlocks > 0 for way, each in ended.items()}
    known = has_deadlock(results)
    if len({*dead.values(), *([] if known is None else [known])}) > 1:
        yield f"deadlocks: {dead}, {known}"
    if WRITTEN not in ended:
        return
    own = set(ended[WRITTEN].unreached)
    for way, each in ended.items():
        lost = own - set(each.unreached)
        if set(each.unreached) - own or len(lost) > each.unknown_coverage:
            yield f"transitions never executed, {way}: {len(each.unreached)}, not {len(own)}"


def page(rows: Sequence[dict[str, Any]]) -> Iterator[str]:
    yield "# What passes and reductions save"
    yield ""
    yield wrapped(INTRODUCTION)
    yield ""
    yield "Geometric means of states, relative to the model as written, over the models finished both ways:"
    yield ""
    kinds = {"DVE": ".dve", "nets": ".pnml"}
    table = [
        [kind, *(_mean([row for row in rows if row["model"].endswith(suffix)], way) for way in WAYS[1:])]
        for kind, suffix in kinds.items()
    ]
    yield markdown(["models", *WAYS[1:]], table)
    for kind, suffix in kinds.items():
        yield ""
        yield f"## {kind}"
        yield ""
        chosen = [row for row in rows if row["model"].endswith(suffix)]
        yield markdown(
            ["model", *WAYS],
            [
                [Path(row["model"]).stem, *(f"{row['states'][way]:,}" if way in row["states"] else "—" for way in WAYS)]
                for row in sorted(chosen, key=lambda row: row["model"])
            ],
        )


def _mean(rows: Sequence[dict[str, Any]], way: str) -> str:
    logs = [
        log(row["states"][way] / row["states"][WRITTEN])
        for row in rows
        if WRITTEN in row["states"] and row["states"].get(way)
    ]
    return f"{exp(sum(logs) / len(logs)):.2f} × ({len(logs)})" if logs else "—"


def stored() -> list[dict[str, Any]]:
    return [json.loads(line) for line in RECORD.read_text().splitlines()] if RECORD.exists() else []


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--largest", type=int, default=200_000)
    parser.add_argument("--page", action="store_true")
    asked = parser.parse_args()
    if asked.page:
        PAGE.write_text("\n".join(page(stored())) + "\n")
        return
    require_corpus()
    done = {row["model"] for row in stored()}
    for path in files(asked.largest):
        if path.name not in done:
            try:
                row = measure(path, asked.seconds)
            except scrimp.ScrimpError as error:
                row = {"model": path.name, "states": {}, "seconds": {}, "differences": [str(error)]}
            print(path.name, row["states"], *row["differences"], flush=True)
            with RECORD.open("a") as record:
                record.write(json.dumps(row) + "\n")


if __name__ == "__main__":
    main()
