"""Trials: a search is killed, its disk is full or its files are damaged; then it is resumed. Its result must be that of
a search that was never interrupted. Only damage may end in a refusal instead.

Searches run in forked processes, each with its own group, which `faults.c`, loaded before the C library, kills at a
write point.
"""

from __future__ import annotations

import ctypes
import json
import os
import random
import shutil
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import scrimp
from scrimp import disk_cache, searching
from scrimp.frontends import Model
from scrimp.machine import ranges
from scrimp.machine.sampling import Sampler
from scrimp.system.reference import State

# Times, memory, disk, and everything that says that the search was resumed.
VOLATILE = {
    "seconds", "compile_seconds", "bytes_peak", "bytes_by_part", "bytes_per_state", "rss_peak", "threads", "resumed",
    "strategy", "disk", "compiler_rss_peak",
}  # fmt: skip
POINTS = (
    "search.write", "search.sync", "search.rename", "folder.sync", "states.write", "states.sync", "checkpoint.write",
    "checkpoint.sync", "checkpoint.rename", "checkpoint.remove",
)  # fmt: skip
PR_SET_CHILD_SUBREAPER = 36  # processes whose parent was killed become children of this one
DEEDS = ("kill", "after", "torn", "power", "full")
STORES = ("auto", "full", "full:compress=tree", "full:compress=cleary")

# Some levels have hundreds of states, and the violation is on a late one.
GRID = """\
byte a, b, c;
process Walk {
state q, r;
init q;
trans
 q -> q { guard a < 9; effect a = a + 1; },
 q -> q { guard b < 9; effect b = b + 1; },
 q -> q { guard c < 9; effect c = c + 1; },
 q -> r { guard a == 9 && b == 8 && c == 7; };
}
system async;
"""

# A counter whose field proves too narrow again and again.
WIDE = """\
int total;
byte step;
process Count {
state q;
init q;
trans
 q -> q { guard total < 1500 && step == 0; effect total = total + 17, step = 1; },
 q -> q { guard step == 1; effect step = 2; },
 q -> q { guard step == 2 && total > 3; effect step = 0; },
 q -> q { guard step == 2 && total % 5 == 0; effect total = total * 2, step = 0; };
}
system async;
"""

FORKING = """\
byte seen, x;
proctype Child(byte n) { x = n; x = x + 1; seen++ }
active proctype Main() {
  byte i;
  do
  :: i < 3 -> run Child(i); i++
  :: seen == 3 -> break
  od;
  assert(x != 3)
}
"""


class Hasty(Sampler):
    """A few states suggest how much room values need, so that it is too little."""

    def states(self, first: State) -> Iterator[State]:
        return islice(super().states(first), 5)


FORGETFUL = SimpleNamespace(
    recall=lambda _: None, keep=lambda *_: None, key_of=disk_cache.key_of, code_version=disk_cache.code_version
)
"""In place of the cache, for searches that do not know how much room values needed in those before."""


@dataclass(frozen=True)
class Task:
    """A search: its name, its model, and how it begins."""

    name: str
    model: Model
    begin: Callable[..., scrimp.Result]
    arguments: dict[str, Any]

    def uninterrupted(self) -> dict[str, Any]:
        return essence(self.begin(self.model, threads=1, **self.arguments))


def tasks() -> list[Task]:
    grid = scrimp.load(text=GRID, language="dve")
    wide = scrimp.load(text=WIDE, language="dve")
    forking = scrimp.load(text=FORKING, language="promela")
    found = [
        Task("explore grid", grid, scrimp.explore, {}),
        Task("check grid", grid, scrimp.check, {}),
        Task("all violations", grid, scrimp.check, {"violations": "all", "invariant": "a + b + c != 20"}),
        Task("reach", grid, scrimp.check, {"reach": ["a == 5 and b == 3", "a == 9 and c == 9"], "violations": "all"}),
        Task("shuffled", grid, scrimp.check, {"shuffle": True, "seed": 7, "violations": "all"}),
        Task("limited", grid, scrimp.explore, {"depth": 14}),
        Task("wide", wide, scrimp.explore, {}),
        Task("processes", forking, scrimp.check, {"violations": "all"}),
    ]
    by_depth = [
        Task(f"{task.name} by depth", task.model, task.begin, {**task.arguments, "order": "dfs"}) for task in found
    ]
    return found + by_depth


def essence(result: scrimp.Result) -> dict[str, Any]:
    """What must not depend on interruptions."""
    record = json.loads(json.dumps(result.to_dict()))
    return {name: value for name, value in record.items() if name not in VOLATILE}


class Faults:
    """The library that is loaded before the C library."""

    def __init__(self) -> None:
        self._library = ctypes.CDLL(None)

    def arm(self, folder: Path, point: str, count: int, deed: str) -> None:
        """For this process, and for those that it starts."""
        os.environ["SCRIMP_FAULT"] = f"{point} {count} {deed} {folder}"
        self._library.faults_arm(os.fsencode(folder), point.encode(), ctypes.c_long(count), deed.encode())


def in_child(work: Callable[[], object], kill_after: float | None = None) -> object:
    """The value of `work` in a forked process; None if it is killed, an error if it is refused."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.setpgid(0, 0)
        os.close(reader)
        try:
            value = ["value", work()]
        except scrimp.ScrimpError as error:
            value = ["refused", str(error)]
        except BaseException as error:
            value = ["defect", repr(error)]
        with os.fdopen(writer, "w") as pipe:
            json.dump(value, pipe)
        os._exit(0)
    os.close(writer)
    if kill_after is not None:
        time.sleep(kill_after)
        with suppress(PermissionError):  # it has its group already
            os.setpgid(child, child)
        os.killpg(child, signal.SIGKILL)
    with os.fdopen(reader) as pipe:
        text = pipe.read()
    os.waitpid(child, 0)
    with suppress(ChildProcessError):  # the process that searched for it, which holds the folder until it has ended
        while True:
            os.waitpid(-child, 0)
    if not text or not text.endswith("]"):
        return None
    kind, value = json.loads(text)
    if kind == "defect":
        raise AssertionError(value)
    return Refusal(value) if kind == "refused" else value


@dataclass(frozen=True)
class Refusal:
    message: str


@dataclass
class Tally:
    kills: int = 0
    resumptions: int = 0
    damaged: int = 0
    refusals: int = 0
    full: int = 0


class Trials:
    """Trials with random moments, from a seed."""

    def __init__(self, folder: Path, seed: int) -> None:
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)
        self.random = random.Random(seed)
        self.folder = folder
        self.faults = Faults()
        self.tally = Tally()
        searching.WORTH_SHARING = 8  # so that threads share rounds of small levels
        for name, value in (("Sampler", Hasty), ("disk_cache", FORGETFUL)):
            setattr(ranges, name, value)
        self.tasks = tasks()
        self.expected = {task.name: task.uninterrupted() for task in self.tasks}

    def killed_at(self, task: Task, point: str, count: int, deed: str) -> None:
        """A search that dies at a write point; then others, until one ends."""
        folder = self._begin(task, point, count, deed)
        self._finish(task, folder, f"{point} {count} {deed}")

    def killed_at_random(self, task: Task) -> None:
        """A search that dies at random moments, and so do the first ones that continue it."""
        point, deed = self.random.choice(POINTS), self.random.choice(DEEDS[:4])
        folder = self._begin(task, point, self.random.randrange(40), deed)
        for _ in range(self.random.randrange(4)):
            if not (folder / "search.json").exists():
                break
            if self.random.random() < 0.5:
                delay = self.random.random() * 0.15
                value = in_child(lambda: self._resume(task, folder), kill_after=delay)
            else:
                point, count = self.random.choice(POINTS), self.random.randrange(30)
                deed = self.random.choice(DEEDS[:4])
                value = in_child(partial(self._resume, task, folder, point, count, deed))
            self.tally.kills += value is None
            self._judge(task, value, "resumed", may_refuse=False)
            self.tally.resumptions += 1
        self._finish(task, folder, "random moments")

    def damaged(self, task: Task) -> None:
        """A search whose files are cut or changed after a kill."""
        folder = self._begin(task, "checkpoint.rename", self.random.randrange(2, 12), "kill")
        files = [file for file in sorted(folder.iterdir()) if file.is_file() and file.stat().st_size]
        if not files:
            return
        file = self.random.choice(files)
        content = bytearray(file.read_bytes())
        if self.random.random() < 0.5:
            del content[self.random.randrange(len(content)) :]
        else:
            content[self.random.randrange(len(content))] ^= 1 << self.random.randrange(8)
        file.write_bytes(content)
        self.tally.damaged += 1
        self._finish(task, folder, f"damaged {file.name}", may_refuse=True)

    def _begin(self, task: Task, point: str, count: int, deed: str) -> Path:
        folder = self.folder / "search"
        shutil.rmtree(folder, ignore_errors=True)

        def begin() -> dict[str, Any]:
            self.faults.arm(folder, point, count, deed)
            return essence(task.begin(task.model, checkpoint=folder, checkpoint_every=0, threads=1, **task.arguments))

        value = in_child(begin)
        self.tally.kills += value is None
        self.tally.full += deed == "full"
        if deed != "full":
            self._judge(task, value, f"{point} {count} {deed}", may_refuse=False)
        return folder

    def _resume(self, task: Task, folder: Path, point: str = "", count: int = 0, deed: str = "") -> dict[str, Any]:
        if point:
            self.faults.arm(folder, point, count, deed)
        by_depth = task.arguments.get("order") == "dfs"
        store = self.random.choice(STORES[by_depth:])
        threads = 1 if by_depth else self.random.choice((1, 1, 1, 2))
        return essence(scrimp.resume(folder, model=task.model, checkpoint_every=0, store=store, threads=threads))

    def _finish(self, task: Task, folder: Path, what: str, may_refuse: bool = False) -> None:
        self.random.random()  # the children have other choices than the last time
        if not (folder / "search.json").exists():
            return  # it was killed before it began
        value = in_child(lambda: self._resume(task, folder))
        self.tally.resumptions += 1
        assert value is not None, f"{task.name}: {what}: a search that nobody killed has died"
        self._judge(task, value, what, may_refuse)

    def _judge(self, task: Task, value: object, what: str, may_refuse: bool) -> None:
        if value is None:
            return
        if isinstance(value, Refusal):
            assert may_refuse, f"{task.name}: {what}: refused: {value.message}"
            self.tally.refusals += 1
            return
        expected = self.expected[task.name]
        assert isinstance(value, dict)
        different = [name for name in expected if value.get(name) != expected[name]]
        if different:
            found = {name: (value.get(name), expected[name]) for name in different}
            raise AssertionError(f"{task.name}: {what}: {str(found)[:2000]}")


def run(folder: Path, kills: int, seed: int, every_point: bool) -> Tally:
    """Trials until so many searches were killed; first, if asked for, each task at every write point."""
    trials = Trials(folder, seed)
    chosen = trials.tasks if every_point else []
    for task in chosen:
        for point in POINTS:
            for deed in DEEDS:
                if deed in ("torn", "full") and not point.endswith(".write"):
                    continue
                trials.killed_at(task, point, trials.random.randrange(6), deed)
    while trials.tally.kills < kills:
        task = trials.random.choice(trials.tasks)
        trials.killed_at_random(task)
        if trials.random.random() < 0.3:
            trials.damaged(trials.random.choice(trials.tasks))
        if trials.random.random() < 0.1:
            trials.killed_at(task, trials.random.choice(("states.write", "checkpoint.write")), 2, "full")
        print(f"\r{trials.tally}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return trials.tally
