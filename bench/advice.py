"""How good the advice of `scrimp methods --advise` is, on the corpus: predictions compared with measurements.

    python -m bench.advice measure              # runs every candidate with little memory; takes a while, and resumes
    python -m bench.advice sample               # samples the same models, as the advice does but for a shorter time
    python -m bench.advice report               # writes docs/results/advice.md and results/advice.csv

Models are in three sets. Of the families of `bench.corpus`, those whose name has an even hash were used to find the
constants of the predictions (`training`), the others were not (`test`). Families without a model there were not looked
at until the constants were chosen (`fresh`).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from math import exp, log
from pathlib import Path

import scrimp
from bench.corpus import MOST_STATES, family, models, sizes
from scrimp.laboratory.advice.advise import Advice, advice_of
from scrimp.laboratory.advice.prediction import Prediction
from scrimp.laboratory.advice.sample import CANDIDATES, Sample, sample_from_dict, take
from scrimp.laboratory.advice.size import Range
from scrimp.laboratory.bench import Matrix, measure
from scrimp.laboratory.journal import Journal
from scrimp.laboratory.tables import csv_text, markdown, wrapped_page
from scrimp.laboratory.task import Run

# The memory of the interpreter; the engine gets the rest.
INTERPRETER = 35 * 2**20

METHODS = tuple(str(method) for method in CANDIDATES)

# The recommendation is good unless another method is faster by more than this factor and this many seconds.
GOOD_FACTOR, GOOD_SECONDS = 1.5, 0.1


@dataclass(frozen=True, slots=True)
class Limits:
    """So little memory that many models do not fit, and samples so short that most are far from complete, as they are
    for the models on which users need advice."""

    memory: int
    seconds: float
    sample_seconds: float

    @property
    def budget(self) -> int:
        return self.memory - INTERPRETER


# Fresh models are four times as large as the others.
LIMITS = {
    "fresh": Limits(71 * 2**20, 10.0, 0.12),
    "test": Limits(44 * 2**20, 5.0, 0.03),
    "training": Limits(44 * 2**20, 5.0, 0.03),
}
FRESH_STATES = 3_000_000


def sets() -> dict[str, str]:
    """The set of each model."""
    return {model: _half(model) for model in models()} | dict.fromkeys(fresh_models(), "fresh")


def _half(model: str) -> str:
    return "training" if _hash(family(model))[-1] % 2 == 0 else "test"


def fresh_models() -> list[str]:
    """Of each family that has no model in the other sets, the model of at most three million states whose name has the
    smallest hash."""
    known = {family(model) for model in models()}
    found: dict[str, list[str]] = {}
    for model, states in sizes():
        if MOST_STATES < states <= FRESH_STATES and family(model) not in known:
            found.setdefault(family(model), []).append(model)
    return sorted(min(some, key=lambda model: _hash(Path(model).name)) for some in found.values())


def _hash(name: str) -> bytes:
    return sha256(name.encode()).digest()


def measure_all(folder: Path) -> None:
    for model, name in sets().items():
        limits = LIMITS[name]
        measure(
            Matrix(
                models=(model,),
                methods=METHODS,
                options=("--ignore-property",),
                seconds=limits.seconds,
                memory=limits.memory,
            ),
            folder,
        )


def sample_all(output: Path) -> None:
    done = read_samples(output)
    for path, name in sets().items():
        if path in done:
            continue
        model = scrimp.load(path, ignore_property=True)
        take(model, CANDIDATES[0], 0.001)  # compiles the model, and loads the engine
        samples = [take(model, method, LIMITS[name].sample_seconds).to_dict() for method in CANDIDATES]
        with output.open("a") as file:
            file.write(json.dumps({"model": path, "samples": samples}) + "\n")


def read_samples(path: Path) -> dict[str, list[Sample]]:
    records = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
    return {record["model"]: [sample_from_dict(each) for each in record["samples"]] for record in records}


@dataclass(frozen=True, slots=True)
class Case:
    """A model, the advice on it, and the run of each method."""

    model: str
    set: str
    advice: Advice
    runs: dict[str, Run]

    @property
    def name(self) -> str:
        return Path(self.model).name

    @property
    def states(self) -> int | None:
        exact = [run for method, run in self.complete.items() if method.startswith(("bfs/auto", "bfs/full"))]
        return exact[0].number("states") if exact else None

    @property
    def complete(self) -> dict[str, Run]:
        return {method: run for method, run in self.runs.items() if run.is_complete}

    @property
    def best(self) -> str:
        return min(self.complete, key=lambda method: self.complete[method].number("seconds"))

    @property
    def is_good(self) -> bool:
        return self.would_be_good(str(self.advice.recommended.method))

    def would_be_good(self, method: str, slack: float = GOOD_SECONDS) -> bool:
        """Whether no method is much faster than this one."""
        run = self.complete.get(method)
        if run is None:
            return False
        best = self.complete[self.best].number("seconds")
        return bool(run.number("seconds") <= max(GOOD_FACTOR * best, best + slack))


def cases(folder: Path, samples: dict[str, list[Sample]]) -> list[Case]:
    """Models on which every method was tried and at least one completed."""
    runs: dict[str, dict[str, Run]] = {}
    for task, run in Journal(folder).runs.items():
        runs.setdefault(task.model, {})[task.method] = run
    found = []
    for model, name in sets().items():
        of_model = runs.get(model, {})
        tried = [sample for sample in samples.get(model, []) if str(sample.method) in METHODS]
        if set(METHODS) <= set(of_model) and tried and any(run.is_complete for run in of_model.values()):
            found.append(Case(model, name, advice_of(tried, LIMITS[name].budget), of_model))
    return found


def factors(some: Sequence[Case], predicted: Callable[[Prediction], Range], name: str) -> list[tuple[float, bool]]:
    """By how much each prediction was off, and whether the measured value is within its range."""
    return [
        _error(predicted(each), run.number(name))
        for case in some
        for each in case.advice.predictions
        if (run := case.complete.get(str(each.method))) and not each.is_measured and run.number(name)
    ]


def _error(predicted: Range, measured: float) -> tuple[float, bool]:
    return abs(log(predicted.likely / measured)), predicted.low <= measured <= predicted.high


def state_factors(some: Sequence[Case]) -> list[tuple[float, bool]]:
    return [_error(case.advice.states, case.states) for case in some if case.states and not case.advice.states.is_known]


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


def _share(some: Sequence[Case], method: Callable[[Case], str]) -> str:
    """On how many of the cases the method is good; in brackets, on how many it is within the factor alone."""
    good, strictly = (sum(case.would_be_good(method(case), slack) for case in some) for slack in (GOOD_SECONDS, 0.0))
    return f"{good} ({strictly}) of {len(some)}"


def shares(by_set: Mapping[str, Sequence[Case]]) -> str:
    """The recommendation compared with always using the same method."""
    rows = [["**the recommended method**", *(f"**{_share(some, _recommended)}**" for some in by_set.values())]]
    for method in METHODS:
        rows.append([f"always `{method}`", *(_share(some, _always(method)) for some in by_set.values())])
    return markdown(["", *by_set], rows)


def _recommended(case: Case) -> str:
    return str(case.advice.recommended.method)


def _always(method: str) -> Callable[[Case], str]:
    return lambda _: method


def errors(by_set: Mapping[str, Sequence[Case]]) -> str:
    header = [
        "set",
        "",
        "predictions",
        "off by a factor of (median)",
        "in four of five at most",
        "within the predicted range",
    ]
    return markdown(header, [[name, *row] for name, some in by_set.items() for row in error_rows(some)])


def misses(found: Sequence[Case]) -> str:
    rows = [
        [
            case.name,
            case.set,
            _recommended(case),
            case.runs[_recommended(case)].status,
            case.best,
            f"{case.complete[case.best].number('seconds'):.2f} s",
        ]
        for case in found
        if not case.is_good
    ]
    return markdown(["model", "set", "recommended", "its status", "best", "time of the best"], rows)


def report(found: Sequence[Case]) -> str:
    by_set = {name: [case for case in found if case.set == name] for name in LIMITS}
    good = {name: sum(case.is_good for case in some) / max(len(some), 1) for name, some in by_set.items()}
    sizes_of = {name: len(some) for name, some in by_set.items()}
    old, fresh = LIMITS["test"], LIMITS["fresh"]
    return f"""# How good the advice is

`scrimp methods --advise` recommends a method for a model and a memory limit. Here it is asked about {len(found)} models of the corpus, one of each family, with so little memory that many do not fit; the interpreter takes {INTERPRETER >> 20} MiB of it.
Samples are short, so that they are far from complete: in the five seconds that the command samples by default, most of these models would be searched completely, and nothing would be left to predict. The methods are the exact ones that the command tries.

```
python -m bench.advice measure
python -m bench.advice sample
python -m bench.advice report
```

**The sets.**

- *training*: families whose name has an even SHA-256: {sizes_of["training"]} models of 50,000 to 700,000 states. The constants of the predictions were found on them. The limits are {old.memory >> 20} MiB and {old.seconds:g} s; samples take {1000 * old.sample_seconds:g} ms.
- *test*: the other families with models of this size: {sizes_of["test"]} models, with the same limits. No constant was chosen for their sake, though we saw their results along the way.
- *fresh*: families that have no model of this size, and were not looked at until the constants were chosen: {sizes_of["fresh"]} models. From each family we take the model of at most 3,000,000 states whose name has the smallest SHA-256. They are about four times as large; the limits are {fresh.memory >> 20} MiB and {fresh.seconds:g} s, and samples take {1000 * fresh.sample_seconds:g} ms.

Models that no method completes within the limits are left out.

**The recommendation** is good unless another method is faster by more than a factor of {GOOD_FACTOR} and by more than {GOOD_SECONDS} seconds. It is good on **{good["fresh"]:.0%} of the fresh models**, {good["test"]:.0%} of the test set and {good["training"]:.0%} of the training set. The numbers in brackets count only the factor,
however short the searches are. Times are those of one run each, and rough if the machine was busy.

{shares(by_set)}

## Errors of the predictions

Searches that ran out of memory or time have no numbers to compare with, and searches that a sample completed are not predicted.

{errors(by_set)}

## Where it was wrong

{misses(found)}
"""  # noqa: E501


def table(found: Sequence[Case]) -> str:
    header = ["model", "set", "states", "estimated", "recommended", "its status", "its seconds", "best", "its seconds"]
    return csv_text(header, [_case_row(case) for case in found])


def _case_row(case: Case) -> list[object]:
    recommended = _recommended(case)
    return [
        case.name,
        case.set,
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
    parser.add_argument("--folder", type=Path, default=Path("results/bench/advice"))
    parser.add_argument("--table", type=Path, default=Path("results/advice.csv"))
    parser.add_argument("--page", type=Path, default=Path("docs/results/advice.md"))
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    samples = options.folder / "samples.jsonl"
    if options.verb == "measure":
        measure_all(options.folder)
    elif options.verb == "sample":
        sample_all(samples)
    else:
        found = cases(options.folder, read_samples(samples))
        options.page.write_text(wrapped_page(report(found)))
        options.table.write_text(table(found))


if __name__ == "__main__":
    main()
