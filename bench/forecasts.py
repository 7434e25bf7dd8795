"""How often the truth lies within a forecast: replays the levels of corpus models.

    python -m bench.forecasts --measure [--most-states N] [--seconds N]    # searches the corpus, and resumes
    python -m bench.forecasts                                              # replays results/levels.ndjson

A forecast is given what a running search knows when it begins a level. The one that is judged is the first after 10,
25, 50 and 75% of the states were expanded. Both write docs/results/forecasts.md.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import exp, log
from pathlib import Path
from statistics import median
from typing import Any

import scrimp
from bench.corpus import sizes
from bench.instances import CORPUS, require_corpus
from scrimp.forecast import Range, Standing, all_states, summed
from scrimp.laboratory.tables import markdown, wrapped

RECORD = Path("results/levels.ndjson")
PAGE = Path("docs/results/forecasts.md")
LEAST_STATES, MOST_STATES = 20_000, 3_000_000
SHARES = (0.10, 0.25, 0.50, 0.75)

INTRODUCTION = """While a breadth-first search runs, scrimp says how many states it will visit, as a range, from the
sizes of its levels so far (`src/scrimp/forecast.py`). Here are the levels of {models} models of the corpus, replayed:
for each of them, the forecast at the first level that began after a share of the states was expanded. *Said*: how
many of these searches had a forecast; too little is known in the others. *Within*: how many of those contain the true
number; *fewer* and *more*: the truth was below or above. *Width*: the upper end of the range divided by the lower one,
and *off*: the factor between the likely number and the truth, both in the median.
"""
CONCLUSION = """Levels that still grow like a power of their number might do so forever; then nothing is said. That
leaves few forecasts at the beginning, and many of those are about a first hump after which larger ones follow: nothing
shows that, which is why *more* is frequent there. Made by `python -m bench.forecasts`; the levels
are in `results/levels.ndjson`.
"""


def measure(most: int, seconds: float) -> None:
    """Add the levels of models that are not in the record."""
    known = {each["model"] for each in records()}
    with RECORD.open("a", encoding="utf-8") as record:
        for path, size in sorted(sizes(), key=lambda each: each[1]):
            name = str(Path(path).relative_to(CORPUS))
            if not LEAST_STATES <= size <= most or name in known:
                continue
            print(name, flush=True)
            try:
                result = scrimp.explore(path, time=seconds)
            except scrimp.ScrimpError as error:
                print(f"  {error}")
                continue
            if result.ending is scrimp.Ending.CLOSED:
                levels = [states for states, _ in result.statistics.levels]
                print(json.dumps({"model": name, "levels": levels}, separators=(",", ":")), file=record, flush=True)


def records() -> list[dict[str, Any]]:
    return [json.loads(line) for line in RECORD.read_text(encoding="utf-8").splitlines()] if RECORD.exists() else []


@dataclass(frozen=True, slots=True)
class Replayed:
    """A forecast, and what became of it."""

    forecast: Range | None
    truth: int

    @property
    def is_within(self) -> bool:
        return self.forecast is not None and self.forecast.least <= self.truth <= self.forecast.most


def replayed(levels: Sequence[int], share: float) -> Replayed | None:
    """The forecast after so much of a search; None if the search ends with that level."""
    truth, expanded = sum(levels), 0
    for depth, size in enumerate(levels[:-1]):
        if expanded >= share * truth:
            standing = _standing(levels, depth)
            complete = standing.complete
            return Replayed(all_states(complete, standing.states - sum(complete)), truth)
        expanded += size
    return None


def _standing(levels: Sequence[int], depth: int) -> Standing:
    """What a search knows when it begins level `depth`."""
    entries, width = summed(levels[:depth])
    states = sum(levels[: depth + 1])
    return Standing(0.0, states, levels[depth], entries, width, depth, levels[depth])


def rows(models: Sequence[dict[str, Any]]) -> Iterator[list[str]]:
    for share in SHARES:
        found = [each for model in models if (each := replayed(model["levels"], share)) is not None]
        said = [(each.forecast, each.truth) for each in found if each.forecast is not None]
        fewer = sum(truth < forecast.least for forecast, truth in said)
        more = sum(truth > forecast.most for forecast, truth in said)
        yield [
            f"{share:.0%}",
            f"{len(said)} of {len(found)}",
            f"{(len(said) - fewer - more) / len(said):.0%}",
            str(fewer),
            str(more),
            f"{median(forecast.most / forecast.least for forecast, _ in said):.1f}",
            f"{exp(median(abs(log(forecast.likely / truth)) for forecast, truth in said)):.2f}",
        ]


def page() -> str:
    models = records()
    table = markdown(["expanded", "said", "within", "fewer", "more", "width", "off"], list(rows(models)))
    introduction = wrapped(INTRODUCTION.format(models=len(models)))
    return f"# How often forecasts are right\n\n{introduction}\n\n{table}\n\n{wrapped(CONCLUSION)}\n"


def main() -> None:
    parser = argparse.ArgumentParser(description="how often the truth lies within a forecast")
    parser.add_argument("--measure", action="store_true")
    parser.add_argument("--most-states", type=int, default=MOST_STATES)
    parser.add_argument("--seconds", type=float, default=20.0)
    options = parser.parse_args()
    if options.measure:
        require_corpus()
        measure(options.most_states, options.seconds)
    PAGE.write_text(page(), encoding="utf-8")
    print(page())


if __name__ == "__main__":
    main()
