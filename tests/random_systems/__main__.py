"""Random systems for each pass, for the structural reductions of nets, and for each form of a reduction.

    python -m tests.random_systems [--systems N] [--seconds N] [--jobs N] [--only PART] [--explorer FILE]

Each subject gets N systems, or as many as there is time for; subjects take turns, a few seconds at a time. A pass is
compared on the reference interpreter with the system as it was, a net by the token game, and a form of a reduction
(order and reduction, as `random_explorer --list` names them) with an obvious search, by the engine's explorer. Every
difference is printed with its seed.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, field
from itertools import chain, cycle
from pathlib import Path

from tests.passes.comparing import PROFILES, difference
from tests.passes.nets import differences
from tests.passes.random_nets import NET_PROFILES

from scrimp.passes import PASSES, Pass

EXPLORER = Path("build/editable/random_explorer")
FORM = re.compile(r"^  ((?:full|levels)/none/(?!none$)\S+)$", re.MULTILINE)
TRIALS = re.compile(r"^(\S+) +(\d+) +\d+ +(\d+)", re.MULTILINE)


@dataclass(frozen=True)
class Share:
    """What came of some systems: how many were tried, and the differences that were found, in words."""

    systems: int
    found: tuple[str, ...] = ()


@dataclass(frozen=True)
class PassSubject:
    passes: tuple[Pass, ...]
    share = 1_000

    @property
    def name(self) -> str:
        return "pass " + ("all" if len(self.passes) > 1 else self.passes[0].name)

    def run(self, first: int, count: int) -> Share:
        found = []
        names = list(PROFILES)
        for number in range(first, first + count):
            name, seed = names[number % len(names)], number // len(names)
            if different := difference(seed, PROFILES[name], self.passes):
                found.append(f"{self.name}, {name} {seed}: {different}")
        return Share(count, tuple(found))


@dataclass(frozen=True)
class NetSubject:
    name = "nets"
    share = 1_000

    def run(self, first: int, count: int) -> Share:
        found = []
        names = list(NET_PROFILES)
        for number in range(first, first + count):
            name, seed = names[number % len(names)], number // len(names)
            found += [f"{self.name}, {name} {seed}: {different}" for different in differences(seed, name)]
        return Share(count, tuple(found))


@dataclass(frozen=True)
class FormSubject:
    form: str
    explorer: Path
    share = 10_000

    @property
    def name(self) -> str:
        return f"form {self.form.replace('full/none/', 'dfs/').replace('levels/none/', 'bfs/')}"

    def run(self, first: int, count: int) -> Share:
        asked = ["--systems", str(count), "--first", str(first), "--method", f"={self.form}"]
        ran = subprocess.run([str(self.explorer), *asked], capture_output=True, text=True, check=False)
        if ran.returncode == 0 and (tried := TRIALS.search(ran.stdout)):
            return Share(int(tried[2]))
        return Share(0, (f"{self.name}, from seed {first}: {ran.stdout}{ran.stderr}",))


Subject = PassSubject | NetSubject | FormSubject


def subjects(explorer: Path) -> Iterator[Subject]:
    listed = subprocess.run([str(explorer), "--list"], capture_output=True, text=True, check=True).stdout
    yield from (FormSubject(form, explorer) for form in FORM.findall(listed) if "printed" not in form)
    yield from (PassSubject((each,)) for each in PASSES)
    yield PassSubject(PASSES)
    yield NetSubject()


@dataclass
class Campaign:
    """Subjects in turn, on several processors, until each has had its systems or the time is up."""

    subjects: Sequence[Subject]
    systems: int
    deadline: float
    tried: dict[str, int] = field(default_factory=dict)
    found: list[str] = field(default_factory=list)

    def run(self, jobs: int) -> None:
        self.tried = {subject.name: 0 for subject in self.subjects}
        shares = self._shares()
        with ProcessPoolExecutor(max_workers=jobs) as pool:
            running: dict[Future[Share], Subject] = {}
            while True:
                for subject, first, count in shares:
                    running[pool.submit(subject.run, first, count)] = subject
                    if len(running) == jobs:
                        break
                if not running:
                    return
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    self._take(running.pop(future), future.result())

    def _shares(self) -> Iterator[tuple[Subject, int, int]]:
        begun = dict.fromkeys(self.tried, 0)
        for subject in cycle(self.subjects):
            if time.monotonic() >= self.deadline or all(number >= self.systems for number in begun.values()):
                return
            first = begun[subject.name]
            if first < self.systems:
                count = min(subject.share, self.systems - first)
                begun[subject.name] += count
                yield subject, first, count

    def _take(self, subject: Subject, share: Share) -> None:
        self.tried[subject.name] += share.systems
        self.found += share.found
        for each in share.found:
            print(each, flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.random_systems", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--systems", type=int, default=1_000_000, help="for each subject (default 1,000,000)")
    parser.add_argument("--seconds", type=float, default=480, help="begin nothing after so long (default 480)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many at once")
    parser.add_argument("--only", default="", help="only subjects whose name contains this")
    parser.add_argument("--explorer", type=Path, default=EXPLORER, help=f"the engine's explorer (default {EXPLORER})")
    asked = parser.parse_args()
    chosen = [subject for subject in subjects(asked.explorer) if asked.only in subject.name]
    campaign = Campaign(chosen, asked.systems, time.monotonic() + asked.seconds)
    campaign.run(asked.jobs)
    width = max(map(len, chain(campaign.tried, [""])))
    for name, tried in campaign.tried.items():
        print(f"{name:{width}}  {tried:>9,}")
    print(f"{sum(campaign.tried.values()):,} trials, {len(campaign.found)} differences")
    return int(bool(campaign.found))


if __name__ == "__main__":
    raise SystemExit(main())
