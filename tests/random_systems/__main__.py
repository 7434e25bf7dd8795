"""Random systems for each pass, for the structural reductions of nets, for each form of a reduction, for relations
between events, for symmetries, and for processes that are started and end.

    python -m tests.random_systems [--systems N] [--first N] [--seconds N] [--jobs N] [--only PART ...]
                                   [--explorer FILE]

Each subject gets N systems, or as many as there is time for; subjects take turns, a few seconds at a time. Passes are
compared on the reference interpreter with the system as it was, a net by the token game, and a form of a reduction
(order and reduction, as `random_explorer --list` names them) with an obvious search, by the engine's explorer. Systems
that are too large are not counted; `changed` says how many a pass changed, or how many have a symmetry. Every
difference is printed with its seed.
"""

from __future__ import annotations

import argparse
import gc
import os
import re
import subprocess
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path

from tests.passes.comparing import PROFILES, SINGLE_PASSES, differences
from tests.passes.nets import differences as differences_of_nets
from tests.passes.random_nets import NET_PROFILES
from tests.passes.random_stacks import KINDS as STACKS
from tests.passes.random_stacks import random_stack
from tests.passes.stacks import difference as difference_of_ends
from tests.reduction.outgrowing import MOST_STATES, outgrowing_complaint
from tests.reduction.profiles import PROFILES as RELATED_PROFILES
from tests.reduction.profiles import sampled_complaint
from tests.reduction.stacks import stack_complaint
from tests.symmetry.comparing import difference as difference_of_symmetry
from tests.symmetry.comparing import symmetry_of
from tests.symmetry.mutants import KINDS

from scrimp.passes import PASSES, Ends

EXPLORER = Path("build/editable/random_explorer")
FORM = re.compile(r"^  ((?:full|levels)/none/(?!none$)\S+)$", re.MULTILINE)
TRIALS = re.compile(r"^(\S+) +(\d+) +\d+ +(\d+)", re.MULTILINE)


@dataclass(frozen=True)
class Share:
    """What came of some systems: how many were tried, how many of them each of the things tried changed (if that is
    known), and the differences that were found, in words."""

    systems: int
    changed: Mapping[str, int] = field(default_factory=dict)
    found: tuple[str, ...] = ()


@dataclass(frozen=True)
class PassSubject:
    """All passes at once: most of the time goes into the answers of the system as it was."""

    name = "passes"
    share = 1_000
    parts = (*(each.name for each in SINGLE_PASSES), "all", "all for deadlocks")

    def run(self, first: int, count: int) -> Share:
        changed: Counter[str] = Counter()
        tried, found = 0, []
        names = list(PROFILES)
        for number in range(first, first + count):
            name, seed = names[number % len(names)], number // len(names)
            different = differences(seed, PROFILES[name])
            tried += different is not None
            for part, difference in different or ():
                changed[part] += 1
                found += [f"pass {part}, {name} {seed}: {difference}"] if difference else []
        return Share(tried, changed, tuple(found))


@dataclass(frozen=True)
class NetSubject:
    name = "nets"
    share = 1_000
    parts = ()

    def run(self, first: int, count: int) -> Share:
        found = []
        names = list(NET_PROFILES)
        for number in range(first, first + count):
            name, seed = names[number % len(names)], number // len(names)
            found += [f"{self.name}, {name} {seed}: {different}" for different in differences_of_nets(seed, name)]
        return Share(count, found=tuple(found))


@dataclass(frozen=True)
class RelationSubject:
    """Which events depend on each other, and what disabled ones wait for, in some states of each system."""

    name = "relations"
    share = 500
    parts = ()

    def run(self, first: int, count: int) -> Share:
        found = []
        names = list(RELATED_PROFILES)
        for number in range(first, first + count):
            name, seed = names[number % len(names)], number // len(names)
            if complaint := sampled_complaint(seed, RELATED_PROFILES[name]):
                found.append(f"{self.name}, {name} {seed}: {complaint}")
        return Share(count, found=tuple(found))


@dataclass(frozen=True)
class SymmetrySubject:
    name = "symmetry"
    share = 300
    parts = ()

    def run(self, first: int, count: int) -> Share:
        found, symmetric = [], 0
        names = list(KINDS)
        for number in range(first, first + count):
            name, seed = names[number % len(names)], number // len(names)
            system = KINDS[name](seed)
            symmetric += bool(symmetry_of(system).groups)
            if different := difference_of_symmetry(system, seed):
                found.append(f"{self.name}, {name} {seed}: {different}")
        return Share(count, {self.name: symmetric}, tuple(found))


@dataclass(frozen=True)
class StackSubject:
    """Promela models whose processes are started and end: early ends, alone and with all other passes."""

    name = "stacks"
    share = 100
    parts = ("ends of stacks", "all passes on stacks")

    def run(self, first: int, count: int) -> Share:
        changed: Counter[str] = Counter()
        found = []
        for kind, seed in _stacks(first, count):
            for part, passes in zip(self.parts, ((Ends(),), PASSES), strict=True):
                different = difference_of_ends(random_stack(seed, kind), passes)
                changed[part] += different is not None
                found += [f"{self.name}, {part}, {kind} {seed}: {different}"] if different else []
        return Share(count, changed, tuple(found))


@dataclass(frozen=True)
class StackRelationSubject:
    """Relations between events in some states of these models after all passes, and what is known of events that
    outgrow systems without room for some of the processes."""

    name = "relations of stacks"
    share = 100
    parts = ()

    def run(self, first: int, count: int) -> Share:
        found = []
        for kind, seed in _stacks(first, count):
            complaints = stack_complaint(seed, kind, 12), outgrowing_complaint(seed, kind, MOST_STATES)
            found += [f"{self.name}, {kind} {seed}: {complaint}" for complaint in complaints if complaint]
        return Share(count, found=tuple(found))


def _stacks(first: int, count: int) -> Iterator[tuple[str, int]]:
    for number in range(first, first + count):
        yield STACKS[number % len(STACKS)], number // len(STACKS)


@dataclass(frozen=True)
class FormSubject:
    form: str
    explorer: Path
    share = 10_000
    parts = ()

    @property
    def name(self) -> str:
        return f"form {self.form.replace('full/none/', 'dfs/').replace('levels/none/', 'bfs/')}"

    def run(self, first: int, count: int) -> Share:
        asked = ["--systems", str(count), "--first", str(first), "--method", f"={self.form}"]
        ran = subprocess.run([str(self.explorer), *asked], capture_output=True, text=True, check=False)
        if ran.returncode == 0 and (tried := TRIALS.search(ran.stdout)):
            return Share(int(tried[2]))
        return Share(0, found=(f"{self.name}, from seed {first}: {ran.stdout}{ran.stderr}",))


Subject = (
    FormSubject | PassSubject | NetSubject | RelationSubject | SymmetrySubject | StackSubject | StackRelationSubject
)


def subjects(explorer: Path) -> Iterator[Subject]:
    listed = subprocess.run([str(explorer), "--list"], capture_output=True, text=True, check=True).stdout
    yield from (FormSubject(form, explorer) for form in FORM.findall(listed) if "printed" not in form)
    yield from (PassSubject(), NetSubject(), RelationSubject(), SymmetrySubject())
    yield from (StackSubject(), StackRelationSubject())


def _begin() -> None:
    """Systems are made and dropped at once: looking for cycles among them would take a tenth of the time."""
    gc.set_threshold(200_000)


@dataclass
class Campaign:
    """Subjects in turn, on several processors, until each has had its systems or the time is up."""

    subjects: Sequence[Subject]
    systems: int
    first: int
    deadline: float
    tried: dict[str, int] = field(default_factory=dict)
    changed: Counter[str] = field(default_factory=Counter)
    found: list[str] = field(default_factory=list)

    def run(self, jobs: int) -> None:
        self.tried = {subject.name: 0 for subject in self.subjects}
        shares = self._shares()
        with ProcessPoolExecutor(max_workers=jobs, initializer=_begin) as pool:
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
        """Some numbers of systems for a subject, from where it left off, until it has tried enough of them."""
        begun = dict.fromkeys(self.tried, self.first)
        for subject in cycle(self.subjects):
            if time.monotonic() >= self.deadline or all(number >= self.systems for number in self.tried.values()):
                return
            if self.tried[subject.name] < self.systems:
                yield subject, begun[subject.name], subject.share
                begun[subject.name] += subject.share

    def _take(self, subject: Subject, share: Share) -> None:
        self.tried[subject.name] += share.systems
        self.changed.update(share.changed)
        self.found += share.found
        for each in share.found:
            print(each, flush=True)

    def report(self) -> Iterator[str]:
        yield f"{'':40}  {'systems':>9}  {'changed':>9}"
        for subject in self.subjects:
            tried = self.tried[subject.name]
            for name in subject.parts or (subject.name,):
                shown = f"pass {name}" if subject.parts else name
                changed = f"{self.changed[name]:,}" if name in self.changed else ""
                yield f"{shown:40}  {tried:>9,}  {changed:>9}".rstrip()
        yield f"{len(self.found)} differences"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.random_systems", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--systems", type=int, default=1_000_000, help="for each subject (default 1,000,000)")
    parser.add_argument("--first", type=int, default=0, help="the number of the first system")
    parser.add_argument("--seconds", type=float, default=480, help="begin nothing after so long (default 480)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many at once")
    parser.add_argument("--only", nargs="+", default=[""], help="only subjects whose name contains one of these")
    parser.add_argument("--explorer", type=Path, default=EXPLORER, help=f"the engine's explorer (default {EXPLORER})")
    asked = parser.parse_args()
    chosen = [each for each in subjects(asked.explorer) if any(part in each.name for part in asked.only)]
    campaign = Campaign(chosen, asked.systems, asked.first, time.monotonic() + asked.seconds)
    campaign.run(asked.jobs)
    print("\n".join(campaign.report()))
    return int(bool(campaign.found))


if __name__ == "__main__":
    raise SystemExit(main())
