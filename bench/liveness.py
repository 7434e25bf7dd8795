"""Searches for infinite runs beside SPIN's, on the same models, in one run.

    python -m bench.liveness [--rounds N] [--only NAME ...]

SPIN is used as in the other benchmarks, without reduction (`spin -a -o1 -o2 -o3`, `gcc -O2 -DNOREDUCE`), with `pan -a`
for formulas, `pan -l` for progress, and `-f` for weak fairness. All properties hold, so that both tools visit
everything. SPIN visits states a second time, or once for each process, and counts transitions again; so besides
transitions per second, the table compares the time that the whole search takes. Time is that of the processor, by the
process that searches, from its start to its end, so that a busy machine disturbs less. Figures are medians over the
rounds.
"""

from __future__ import annotations

import argparse
import re
import resource
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import scrimp
from bench.instances import CORPUS, require_corpus

METHODS = ("dfs/full", "bfs/full", "dfs/full:compress=tree", "dfs/full:compress=cleary")
PROGRESS = "progress"
# What SPIN's table has beside each state vector: a pointer, a length and marks.
OVERHEAD = 16


@dataclass(frozen=True)
class Case:
    """A model of the corpus, and a formula or `PROGRESS`; `fair` asks for weak fairness."""

    name: str
    file: str
    formula: str
    fair: bool = False

    @property
    def label(self) -> str:
        return f"{self.name}{' -f' if self.fair else ''}"


@dataclass(frozen=True)
class Figures:
    """Of one search: `bytes` are those of a state in the table."""

    transitions: float
    seconds: float
    bytes: float

    @property
    def speed(self) -> float:
        return self.transitions / self.seconds


QUESTIONS = (
    ("elevator.1", "beem_pm/elevator.1.pm", "[] (Person_0@waiting -> <> Person_0@in_elevator)"),
    ("krebs.1", "beem_pm/krebs.1.pm", "[] ((puryvat > 0) -> <> (puryvat == 0))"),
    ("szymanski.4", "beem_pm/szymanski.4.pm", "[] (P_0@CS -> <> P_0@NCS)"),
    ("peterson.4", "beem_pm/peterson.4.pm", "[] <> (step[0] <= 3)"),
    ("lamport.3", "beem_pm/lamport.3.pm", "[] <> (y <= 4)"),
    ("leader", "spin_dist/LTL/leader.pml", "<> [] (nr_leaders == 1)"),
    ("i-protocol", "spins_case_studies/case_studies/i-protocol/code/spin/i3", PROGRESS),
)
# With fairness, SPIN takes more than eight minutes for it.
LARGE = "leader"
CASES = tuple(
    Case(*question, fair) for question in QUESTIONS for fair in (False, True) if not (fair and question[0] == LARGE)
)


def processor_seconds() -> float:
    """Of all processes that were started and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def text_of(case: Case) -> str:
    """The model without formulas of its own, and with the formula of the case."""
    text = (CORPUS / "promela" / case.file).read_text(errors="replace")
    text = re.sub(r"(?m)^\s*ltl\b[^{]*\{[^}]*\}", "", text)
    return text if case.formula == PROGRESS else f"{text}\nltl measured {{ {case.formula} }}\n"


class Spin:
    """SPIN's verifier for a case."""

    def __init__(self, case: Case, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        (folder / "model.pml").write_text(text_of(case))
        progress = case.formula == PROGRESS
        self.options = ["-l" if progress else "-a", *(["-f"] if case.fair else []), "-m10000000", "-w24", "-n"]
        flags = ["-O2", "-DNOREDUCE", "-DNFAIR=5", *(["-DNP"] if progress else [])]
        self._run("spin", "-a", "-o1", "-o2", "-o3", "model.pml")
        self._run("gcc", *flags, "-o", "pan", "pan.c", "-w")

    def _run(self, *command: str) -> str:
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise SystemExit(f"{' '.join(command)}: {done.stderr or done.stdout}")
        return done.stdout

    def figures(self) -> Figures:
        began = processor_seconds()
        output = self._run(str(self.folder / "pan"), *self.options)
        seconds = processor_seconds() - began
        if "errors: 0" not in output or "Search not completed" in output:
            raise SystemExit(f"SPIN did not prove it:\n{output}")

        def number(pattern: str) -> float:
            found = re.search(pattern, output)
            return float(found[1]) if found else 0

        vector = number(r"State-vector (\d+) byte")
        return Figures(number(r"([\d.e+]+) transitions"), seconds, vector + OVERHEAD)


def figures(case: Case, method: str) -> Figures:
    model = scrimp.load(text=text_of(case), language="promela")
    asked = {"non_progress": True} if case.formula == PROGRESS else {"ltl": "measured"}
    fair = scrimp.Fairness.WEAK if case.fair else scrimp.Fairness.NONE
    began = processor_seconds()
    result = scrimp.check(model, method=method, fair=fair, threads=1, **asked)
    seconds = processor_seconds() - began
    if result.verdict is not scrimp.Verdict.PROVED:
        raise SystemExit(f"{case.label}, {method}: {result.verdict}: {result.reason}")
    numbers = result.statistics
    return Figures(numbers.transitions, seconds, numbers.state_bytes / numbers.states)


def middle(found: Sequence[Figures]) -> Figures:
    return Figures(
        median(each.transitions for each in found),
        median(each.seconds for each in found),
        median(each.bytes for each in found),
    )


def measured(case: Case, rounds: int, folder: Path) -> Iterator[tuple[str, Figures]]:
    spin = Spin(case, folder)
    for method in METHODS:
        figures(case, method)  # so that compiled models are in the cache
    found: dict[str, list[Figures]] = {}
    for _ in range(rounds):
        found.setdefault("spin", []).append(spin.figures())
        for method in METHODS:
            found.setdefault(method, []).append(figures(case, method))
    yield from ((name, middle(each)) for name, each in found.items())


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.liveness")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", nargs="*", default=[], metavar="NAME")
    options = parser.parse_args()
    require_corpus()
    ratios: dict[tuple[bool, str], list[tuple[float, float, float]]] = {}
    print(f"{'':<16} {'':<26} {'M tr/s':>7} {'×':>6} {'seconds':>8} {'×':>6} {'bytes':>6}")
    with TemporaryDirectory() as folder:
        for number, case in enumerate(CASES):
            if options.only and case.name not in options.only:
                continue
            found = dict(measured(case, options.rounds, Path(folder) / str(number)))
            spin = found["spin"]
            for name, each in found.items():
                ratio = each.speed / spin.speed, spin.seconds / each.seconds, each.bytes / spin.bytes
                ratios.setdefault((case.fair, name), []).append(ratio)
                print(
                    f"{case.label:<16} {name:<26} {each.speed / 1e6:7.2f} {ratio[0]:6.2f} {each.seconds:8.3f}"
                    f" {ratio[1]:6.2f} {each.bytes:6.1f}",
                    flush=True,
                )
    print("\ngeometric means against SPIN: transitions/s, time, bytes per state")
    for (fair, name), values in ratios.items():
        means = [prod(column) ** (1 / len(values)) for column in zip(*values, strict=True)]
        print(f"{'fair' if fair else '':<5} {name:<26} " + " ".join(f"{mean:6.2f}" for mean in means))


if __name__ == "__main__":
    main()
