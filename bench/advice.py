"""How good the advice of `scrimp methods --advise` is, on the corpus: what it predicts against what was measured.

    python -m bench.advice measure              # every candidate within little memory; takes a while, and resumes
    python -m bench.advice sample               # samples the same models, as the advice does but for a shorter time
    python -m bench.advice report               # writes docs/results/advice.md and docs/results/advice.csv

Families whose name has an even hash were used to find the constants of the predictions, the others were not.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from math import exp, log
from pathlib import Path

from bench.corpus import family, models

import scrimp
from scrimp.laboratory.advice.advise import Advice, advice_of
from scrimp.laboratory.advice.prediction import Prediction
from scrimp.laboratory.advice.sample import CANDIDATES, Sample, sample_from_dict, take
from scrimp.laboratory.advice.size import Range
from scrimp.laboratory.bench import Matrix, measure
from scrimp.laboratory.journal import Journal
from scrimp.laboratory.tables import csv_text, markdown
from scrimp.laboratory.task import Run

# So little that many models do not fit; the interpreter takes most of it, and leaves the engine this.
MEMORY, BUDGET = 44 * 2**20, 9 * 2**20
SECONDS = 5.0

# Depth first with all states stored needs what breadth first does, and is never faster.
METHODS = tuple(method for method in CANDIDATES if method != "dfs/full")

# So that most samples are far from the end, as those are for which anybody asks for advice.
SAMPLE_SECONDS = 0.03

# The recommendation is good where no other method is faster by more than this factor, or this many seconds.
GOOD_FACTOR, GOOD_SECONDS = 1.5, 0.1


def is_for_training(model: str) -> bool:
    return sha256(family(model).encode()).digest()[-1] % 2 == 0


def measure_all(folder: Path) -> None:
    for model in models():
        matrix = Matrix(
            models=(model,), methods=METHODS, options=("--ignore-property",), seconds=SECONDS, memory=MEMORY
        )
        measure(matrix, folder)


def sample_all(output: Path) -> None:
    done = read_samples(output)
    for path in models():
        if path in done:
            continue
        model = scrimp.load(path, ignore_property=True)
        take(model, "bfs/full", 0.001)  # compiled, and the engine loaded
        samples = [take(model, method, SAMPLE_SECONDS).to_dict() for method in CANDIDATES]
        with output.open("a") as file:
            file.write(json.dumps({"model": path, "samples": samples}) + "\n")


def read_samples(path: Path) -> dict[str, list[Sample]]:
    records = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
    return {record["model"]: [sample_from_dict(each) for each in record["samples"]] for record in records}


@dataclass(frozen=True, slots=True)
class Case:
    """A model with the advice on it, and what each method came to."""

    model: str
    advice: Advice
    runs: dict[str, Run]

    @property
    def name(self) -> str:
        return Path(self.model).name

    @property
    def states(self) -> int | None:
        exact = [run for method, run in self.complete.items() if method.startswith("bfs/full")]
        return exact[0].number("states") if exact else None

    @property
    def complete(self) -> dict[str, Run]:
        return {method: run for method, run in self.runs.items() if run.is_complete}

    @property
    def best(self) -> str:
        return min(self.complete, key=lambda method: self.complete[method].number("seconds"))

    @property
    def is_good(self) -> bool:
        return self.would_be_good(self.advice.recommended.method)

    def would_be_good(self, method: str) -> bool:
        run = self.complete.get(method)
        if run is None:
            return False
        best = self.complete[self.best].number("seconds")
        return bool(run.number("seconds") <= max(GOOD_FACTOR * best, best + GOOD_SECONDS))


def cases(folder: Path, samples: dict[str, list[Sample]]) -> list[Case]:
    """Models of which every method was tried, and one at least completed."""
    runs: dict[str, dict[str, Run]] = {}
    for task, run in Journal(folder).runs.items():
        runs.setdefault(task.model, {})[task.method] = run
    found = []
    for model, of_model in runs.items():
        tried = [sample for sample in samples.get(model, []) if sample.method in of_model]
        if len(of_model) == len(METHODS) and tried and any(run.is_complete for run in of_model.values()):
            found.append(Case(model, advice_of(tried, BUDGET), of_model))
    return found


def factors(some: Sequence[Case], predicted: Callable[[Prediction], Range], name: str) -> list[tuple[float, bool]]:
    """By how much each prediction was off, and whether what was measured is within its range."""
    return [
        _error(predicted(each), run.number(name))
        for case in some
        for each in case.advice.predictions
        if (run := case.complete.get(each.method)) and not each.is_measured and run.number(name)
    ]


def _error(told: Range, measured: float) -> tuple[float, bool]:
    return abs(log(told.likely / measured)), told.low <= measured <= told.high


def state_factors(some: Sequence[Case]) -> list[tuple[float, bool]]:
    return [
        (
            abs(log(case.advice.states.likely / case.states)),
            case.advice.states.low <= case.states <= case.advice.states.high,
        )
        for case in some
        if case.states and not case.advice.states.is_known
    ]


def _row(name: str, found: Sequence[tuple[float, bool]]) -> list[str]:
    if not found:
        return [name, "0", "–", "–", "–"]
    errors = sorted(error for error, _ in found)
    within = sum(is_within for _, is_within in found) / len(found)
    middle, most = errors[len(errors) // 2], errors[min(len(errors) - 1, len(errors) * 4 // 5)]
    return [name, f"{len(found)}", f"{exp(middle):.1f}", f"{exp(most):.1f}", f"{within:.0%}"]


def error_rows(some: Sequence[Case]) -> Iterator[list[str]]:
    yield _row("states", state_factors(some))
    yield _row("bytes held", factors(some, lambda each: each.held, "bytes_peak"))
    yield _row("seconds", factors(some, lambda each: each.seconds, "seconds"))


def _constant(method: str, test: Sequence[Case], train: Sequence[Case]) -> list[str]:
    counts = [sum(case.would_be_good(method) for case in some) for some in (test, train)]
    return [f"`{method}`", f"{counts[0]} of {len(test)}", f"{counts[1]} of {len(train)}"]


def report(found: Sequence[Case]) -> str:
    test = [case for case in found if not is_for_training(case.model)]
    train = [case for case in found if is_for_training(case.model)]
    good = {name: sum(case.is_good for case in some) for name, some in (("test", test), ("train", train))}
    header = ["", "predictions", "off by a factor of, median", "in four of five at most", "within the range told"]
    misses = [
        [
            case.name,
            "test" if case in test else "training",
            case.advice.recommended.method,
            case.runs[case.advice.recommended.method].status,
            case.best,
            f"{case.complete[case.best].number('seconds'):.2f} s",
        ]
        for case in found
        if not case.is_good
    ]
    return f"""# How good the advice is

`scrimp methods --advise` recommends a method for a model and a memory limit. Here it is asked about {len(found)} models of the corpus, of 50,000 to 700,000 states, one of each family, with 44 MiB for a process that takes 30 of them itself. Many of the models do not fit.
So that samples are far from the end, each is {SAMPLE_SECONDS * 1000:.0f} ms long: with the five seconds of the command most of these models would be searched completely, and nothing be left to predict.

```
python -m bench.advice measure
python -m bench.advice sample
python -m bench.advice report
```

**The split.** Families whose name has an even SHA-256 were looked at when the constants of the predictions were chosen: {len(train)} models. No constant was chosen for the sake of the other {len(test)}, though how well they do was seen along the way.

**The recommendation** is good where no other method is faster by more than a factor of {GOOD_FACTOR} and {GOOD_SECONDS} seconds. It is on **{good["test"]} of {len(test)}** models of the test half ({good["test"] / max(len(test), 1):.0%}), and on {good["train"]} of {len(train)} of the training half. Times are of one run each,
on a machine that was busy with other things.

To take the same method always would have been good on so many:

{markdown(["always", "test half", "training half"], [_constant(method, test, train) for method in METHODS])}

## Errors of the predictions, test half

Searches that were cut short by memory or time have no numbers to compare with.

{markdown(header, list(error_rows(test)))}

## Errors of the predictions, training half

{markdown(header, list(error_rows(train)))}

## Where it was wrong

{markdown(["model", "half", "recommended", "which was", "best", "its time"], misses)}
"""  # noqa: E501


def table(found: Sequence[Case]) -> str:
    header = ["model", "half", "states", "estimated", "recommended", "its status", "its seconds", "best", "its seconds"]
    return csv_text(header, [_case_row(case) for case in found])


def _case_row(case: Case) -> list[object]:
    recommended = case.advice.recommended.method
    return [
        case.name,
        "training" if is_for_training(case.model) else "test",
        case.states,
        round(case.advice.states.likely),
        recommended,
        case.runs[recommended].status,
        case.runs[recommended].number("seconds"),
        case.best,
        case.complete[case.best].number("seconds"),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description="the error of the advice")
    parser.add_argument("verb", choices=["measure", "sample", "report"])
    parser.add_argument("--folder", type=Path, default=Path("bench/results/advice"))
    parser.add_argument("--results", type=Path, default=Path("docs/results"))
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    samples = options.folder / "samples.jsonl"
    if options.verb == "measure":
        measure_all(options.folder)
    elif options.verb == "sample":
        sample_all(samples)
    else:
        found = cases(options.folder, read_samples(samples))
        (options.results / "advice.md").write_text(report(found))
        (options.results / "advice.csv").write_text(table(found))


if __name__ == "__main__":
    main()
