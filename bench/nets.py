"""What structural reductions leave of the nets of the corpus, if deadlocks are asked for.

    python -m bench.nets [--seconds N] [--largest N]     # measures; resumes
    python -m bench.nets --page                          # writes docs/results/nets.md from results/nets.ndjson

States as written are those of the corpus's table, so what other tools counted. Those of the smaller net are counted by
a search after all passes, for nets of at most `--largest` states.
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

import scrimp
from bench.instances import CORPUS, require_corpus
from scrimp.frontends.pnml.lower import source_of
from scrimp.laboratory.tables import markdown, wrapped
from scrimp.passes import Kept
from scrimp.passes.nets.draft import Draft
from scrimp.passes.nets.reducing import draft_of, reduce

RECORD = Path("results/nets.ndjson")
PAGE = Path("docs/results/nets.md")

INTRODUCTION = """The nets of the corpus before and after [structural
reductions](../passes.md#structural-reductions-of-nets), if deadlocks are asked for and no place is looked at: places
with arcs, transitions, and states. States of the smaller net are those after all passes; a dash: not searched, because
the net has more states than were allowed, or not finished in time. Seconds are those of the rules alone, on one
processor. Coloured nets are unfolded first. Made by `python -m bench.nets`; the record is `results/nets.ndjson`.
"""


def sizes(draft: Draft) -> tuple[int, int]:
    """The places with arcs, and the transitions."""
    places = sum(bool(draft.needing[place] or draft.giving[place] or draft.special[place]) for place in draft.places())
    return places, len(draft.transitions)


def measure(row: dict[str, str], largest: int, seconds: float) -> dict[str, Any]:
    model = scrimp.load(CORPUS / "pnml" / f"{row['instance']}.pnml")
    source = source_of(model.system)
    assert source is not None
    draft = draft_of(source, [], Kept.DEADLOCKS)
    before = sizes(draft)
    began = time.process_time()
    counts = reduce(draft)
    took = time.process_time() - began
    result = scrimp.explore(model, passes=True, time=seconds) if int(row["states"]) <= largest else None
    is_done = result is not None and result.ending is scrimp.Ending.CLOSED
    return {
        "model": row["instance"],
        "before": before,
        "after": sizes(draft),
        "states": int(row["states"]),
        "left": result.statistics.states if result is not None and is_done else None,
        "seconds": round(took, 3),
        "rules": {rule.what: count for rule, count in counts.items()},
    }


def page(rows: Sequence[dict[str, Any]]) -> Iterator[str]:
    searched = [row for row in rows if row["left"] is not None]
    yield "# What structural reductions leave of nets"
    yield ""
    yield wrapped(INTRODUCTION)
    yield ""
    places, transitions = (_mean([(row["after"][kind], row["before"][kind]) for row in rows]) for kind in (0, 1))
    states = _mean([(row["left"], row["states"]) for row in searched])
    yield wrapped(
        f"Geometric means of what is left: {places} of the places and {transitions} of the transitions of {len(rows)} "
        f"nets, and {states} of the states of {len(searched)}."
    )
    yield ""
    yield markdown(["rule", "nets", "times"], list(_rules(rows)))
    yield ""
    yield markdown(
        ["net", "places", "left", "transitions", "left", "states", "left", "seconds"],
        [
            [
                row["model"],
                *(f"{number:,}" for pair in zip(row["before"], row["after"], strict=True) for number in pair),
                f"{row['states']:,}",
                "—" if row["left"] is None else f"{row['left']:,}",
                f"{row['seconds']:.3f}",
            ]
            for row in sorted(rows, key=lambda row: row["model"])
        ],
    )


def _mean(pairs: Sequence[tuple[int, int]]) -> str:
    """The geometric mean of ratios; where nothing is left, one counts as left."""
    logs = [log(max(left, 1) / max(all_of_them, 1)) for left, all_of_them in pairs]
    return f"{exp(sum(logs) / len(logs)):.2f} ×" if logs else "—"


def _rules(rows: Sequence[dict[str, Any]]) -> Iterator[list[str]]:
    for what in sorted({what for row in rows for what in row["rules"]}):
        counts = [row["rules"][what] for row in rows if what in row["rules"]]
        yield [what, f"{len(counts):,}", f"{sum(counts):,}"]


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
    with (CORPUS / "pnml" / "counts.csv").open() as table:
        instances = sorted(csv.DictReader(table), key=lambda row: int(row["states"]))
    for row in instances:
        if row["instance"] not in done:
            with RECORD.open("a") as record:
                record.write(json.dumps(measure(row, asked.largest, asked.seconds)) + "\n")


if __name__ == "__main__":
    main()
