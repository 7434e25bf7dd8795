"""The same systems in Python and in Promela or DVE, with millions of states, in one run.

    python -m bench.languages [--rounds N] [--only NAME ...]

The models in Python are those of tests/modelling/same/, which have the same states and transitions as a model of
models/; here both have larger constants. DVE has no parameters for the number of processes, so the larger forms of
those models are written here. Both forms are searched by turns in one process with one thread; *whole* is the time of
the command in a new process, which compiles the model. Figures are the best of the rounds, since other work on the
machine only adds to them. The record is results/languages.json.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import geometric_mean
from tempfile import TemporaryDirectory

import scrimp
from scrimp.laboratory.tables import text_lines

ROOT = Path(__file__).parents[1]
SAME = ROOT / "tests" / "modelling" / "same"
RECORD = ROOT / "results" / "languages.json"
METHODS = ("bfs", "dfs")


@dataclass(frozen=True)
class Case:
    """A model of tests/modelling/same/ with its constants, and the other form: a file of models/ with the same
    constants or, if `text` is given, that text."""

    name: str
    constants: Mapping[str, int]
    text: Callable[..., str] | None = None

    @property
    def python(self) -> Path:
        return SAME / f"{self.name}.py"

    @property
    def language(self) -> str:
        return self.name.rpartition("_")[2]

    @property
    def label(self) -> str:
        return " ".join([self.name, *(f"{name}={value}" for name, value in self.constants.items())])

    def other(self, folder: Path) -> Path:
        if self.text is None:
            return ROOT / self.python.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ")
        path = folder / f"{self.name}.{self.language}"
        path.write_text(self.text(*self.constants.values()), encoding="utf-8")
        return path


def copies(file: str, count: int) -> str:
    """A model in DVE with more processes: copies of the first one."""
    text = (ROOT / "models" / file).read_text(encoding="utf-8")
    first = re.search(r"process (\w+?)(?:_0)? \{.*?\n\}\n", text, re.DOTALL)
    assert first is not None
    head, body = text[: first.start()], first.group()
    return head + "".join(_renumbered(body, first.group(1), me) for me in range(count)) + "system async;\n"


def _renumbered(body: str, name: str, me: int) -> str:
    return re.sub(rf"process {name}(_0)? ", f"process {name}_{me} ", body)


def broken_lock(clients: int) -> str:
    return re.sub(r"  assert .*\n", "", copies("broken_lock.dve", clients))


def ticket_lock(customers: int) -> str:
    text = copies("ticket_lock.dve", customers)
    return re.sub(r"const byte CUSTOMERS = \d+", f"const byte CUSTOMERS = {customers}", text)


def philosophers(count: int) -> str:
    return _philosophers(count, [(me, (me + 1) % count) for me in range(count)])


def philosophers_ordered(count: int) -> str:
    return _philosophers(count, [(min(me, (me + 1) % count), max(me, (me + 1) % count)) for me in range(count)])


def _philosophers(count: int, forks: Sequence[tuple[int, int]]) -> str:
    """models/philosophers.dve; `forks` are the numbers of the forks that each takes first and then."""
    lines = copies("philosophers.dve", count).replace("byte fork[4]", f"byte fork[{count}]").split("process ")
    bodies = [
        body.replace("fork[1]", f"fork[{then}+]").replace("fork[0]", f"fork[{first}]").replace("+]", "]")
        for body, (first, then) in zip(lines[1:], forks, strict=True)
    ]
    return "process ".join([lines[0], *bodies])


def hoare_philosophers(count: int) -> str:
    head, *bodies = copies("hoare_philosophers.dve", count).split("process ")
    head = re.sub(r"const byte N = \d+", f"const byte N = {count}", head).replace("byte fork[6]", f"byte fork[{count}]")
    numbered = [
        body.replace("fork[0]", f"fork[{me}]").replace("(0 + 1)", f"({me} + 1)").replace("0 < N", f"{me} < N")
        for me, body in enumerate(bodies)
    ]
    return "process ".join([head, *numbered])


def peterson(pairs: int) -> str:
    """Pairs of the processes of models/peterson.dve, each with its own variables."""
    text = (ROOT / "models" / "peterson.dve").read_text(encoding="utf-8")
    head, first, second = text.removesuffix("system async;\n").split("process ")
    bodies = []
    for pair in range(pairs):
        for body in (first, second):
            body = body.replace("wants[1]", f"wants[{2 * pair + 1}]").replace("wants[0]", f"wants[{2 * pair}]")
            body = body.replace("turn", f"turn[{pair}]")
            bodies.append(re.sub(r"(First|Second)\b", rf"\1_{pair}", body))
    head = head.replace("wants[2]", f"wants[{2 * pairs}]").replace("byte turn", f"byte turn[{pairs}]")
    return "process ".join([head, *bodies]) + "system async;\n"


CASES = (
    Case("broken_lock_dve", {"CLIENTS": 12}, broken_lock),
    Case("hoare_philosophers_dve", {"N": 9}, hoare_philosophers),
    Case("peterson_dve", {"PAIRS": 5}, peterson),
    Case("philosophers_dve", {"N": 12}, philosophers),
    Case("philosophers_ordered_dve", {"N": 13}, philosophers_ordered),
    Case("philosophers_ordered_pml", {"N": 11}),
    Case("philosophers_pml", {"N": 10}),
    Case("readers_writers_pml", {"READERS": 11, "WRITERS": 4}),
    Case("sliding_window_dve", {"WINDOW": 4, "MODULUS": 5, "CONTENTS": 6, "CAPACITY": 3}),
    Case("ticket_lock_dve", {"CUSTOMERS": 8}, ticket_lock),
)


@dataclass(frozen=True)
class Form:
    """One of the two forms of a case: a file and its constants."""

    path: Path
    constants: Mapping[str, int]

    @property
    def defines(self) -> dict[str, str]:
        return {name: str(value) for name, value in self.constants.items()}

    def loaded(self) -> scrimp.Model:
        return scrimp.load(self.path, defines=self.defines)

    def whole(self, order: str) -> float:
        """The time of the whole command, in a new process that compiles the model."""
        command = [sys.executable, "-m", "scrimp", "explore", str(self.path), "--order", order, "--store", "full"]
        command += ["--threads", "1", "--quiet", *(f"-D{name}={value}" for name, value in self.defines.items())]
        started = time.monotonic()
        subprocess.run(command, check=True, env={**os.environ, "SCRIMP_CACHE": "off"}, stdout=subprocess.DEVNULL)
        return time.monotonic() - started


def searches(forms: Sequence[Form], order: str, rounds: int) -> Iterator[list[scrimp.Statistics]]:
    """The searches of each form. The forms take turns, each first in every other round."""
    models = [form.loaded() for form in forms]
    runs: list[list[scrimp.Statistics]] = [[] for _ in forms]
    for number in range(rounds):
        turns = range(len(forms)) if number % 2 == 0 else reversed(range(len(forms)))
        for which in turns:
            result = scrimp.explore(models[which], order=order, store="full", threads=1)
            runs[which].append(result.statistics)
    yield from runs


def compared(case: Case, order: str, rounds: int) -> dict[str, object]:
    """The best times of both forms; a difference in states or transitions is an error."""
    with TemporaryDirectory() as folder:
        other = Form(case.other(Path(folder)), {} if case.text else case.constants)
        forms = {"python": Form(case.python, case.constants), "other": other}
        runs = dict(zip(forms, searches(list(forms.values()), order, rounds), strict=True))
        wholes: dict[str, list[float]] = {name: [] for name in forms}
        for _ in range((rounds + 1) // 2):
            for name, form in forms.items():
                wholes[name].append(form.whole(order))
    counts = {(each.states, each.transitions) for some in runs.values() for each in some}
    if len(counts) != 1:
        raise SystemExit(f"{case.label}: the forms differ in states or transitions: {sorted(counts)}")
    ((states, transitions),) = counts
    row: dict[str, object] = {"case": case.label, "order": order, "states": states, "transitions": transitions}
    for name, some in runs.items():
        seconds = min(each.seconds for each in some)
        row[name] = {"seconds": seconds, "whole": min(wholes[name]), "bits": some[0].bits_per_state}
    return row


HEADER = ("", "order", "states", "M tr/s", "Python", "× time", "bits", "Python", "whole s", "Python", "× whole")


def cells(row: Mapping[str, object]) -> list[str]:
    ours, theirs, transitions = row["python"], row["other"], row["transitions"]
    assert isinstance(ours, dict)
    assert isinstance(theirs, dict)
    assert isinstance(transitions, int)
    speeds = [f"{transitions / each['seconds'] / 1e6:.1f}" for each in (theirs, ours)]
    times = [f"{each['whole']:.2f}" for each in (theirs, ours)]
    return [
        str(row["case"]),
        str(row["order"]),
        f"{row['states']:,}",
        *speeds,
        f"{ratio(row, 'seconds'):.2f}",
        str(theirs["bits"]),
        str(ours["bits"]),
        *times,
        f"{ratio(row, 'whole'):.2f}",
    ]


def ratio(row: Mapping[str, object], figure: str) -> float:
    """How many times as long as the other form the one in Python takes."""
    ours, theirs = row["python"], row["other"]
    assert isinstance(ours, dict)
    assert isinstance(theirs, dict)
    return float(ours[figure] / theirs[figure])


def report(rows: Sequence[Mapping[str, object]]) -> Iterator[str]:
    yield from text_lines(HEADER, [cells(row) for row in rows])
    for figure in ("seconds", "whole"):
        ratios = [ratio(row, figure) for row in rows]
        yield f"× {figure}: geometric mean {geometric_mean(ratios):.2f}, at most {max(ratios):.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.languages")
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--record", action="store_true", help=f"write {RECORD.relative_to(ROOT)}")
    options = parser.parse_args()
    rows = []
    for case in CASES:
        if options.only and case.name not in options.only:
            continue
        for order in METHODS:
            rows.append(compared(case, order, options.rounds))
            print("  ".join(cells(rows[-1])), flush=True)
    print("\n".join(report(rows)))
    if options.record:
        text = json.dumps({"settings": {"rounds": options.rounds}, "rows": rows}, indent=1)
        RECORD.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
