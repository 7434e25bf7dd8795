"""What SPIN says about a model: its verifier, without optimisations, run in full or under its reduction.

tcc compiles a verifier fifteen times as fast as gcc does and is preferred if it is installed: the whole of `spin -a`,
compiling and running a small model then takes about 50 ms.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import pytest

SPIN = shutil.which("spin")
COMPILER = shutil.which("tcc") or shutil.which("gcc") or shutil.which("cc")

needs_spin = pytest.mark.skipif(not (SPIN and COMPILER), reason="needs spin and a C compiler")

DEEPEST = 50_000
# Megabytes for the verifier, its stack included: it gives up at the same state everywhere, however slow the machine.
MEMORY = 10
SECONDS = 60
# Only a search that loops inside an atomic sequence or a d_step takes as long.
SEARCH_SECONDS = 3

ASSERTION = "assertion violated"
DEADLOCK = "invalid end state"
CLAIM = "end state in claim reached"
INDEX = "- invalid array index"
NO_CHANNEL = "ref to uninitialized chan name"
POLLS = ("error to poll rendezvous channel", "polling rv chan")
FIELDS = ("too few parameters in send stmnt", "missing pars in receive")

_FIGURES = re.compile(
    r"depth reached (?P<depth>\d+), errors: \d+\s+(?P<states>\d+) states, stored.*?(?P<matched>\d+) states, matched",
    re.DOTALL,
)
_ERROR = re.compile(r"^pan:\d+: (.*?)(?: \(at depth -?\d+\))?$", re.MULTILINE)
_COMPLAINT = re.compile(r"^(?:pan:\d+: |pan: error|error: |pan: reached).*$|MEMLIM.*$", re.MULTILINE)
# SPIN calls these errors, counts some of them in its exit status, and makes the verifier all the same.
_REMARK = re.compile(r"Error: (dubious use of 'else' combined with i/o|missing array index for|bad label-name)")
_UNFINISHED = ("Search not completed", "max search depth too small", "MEMLIM", "VECTORSZ")
_FATAL = ("block in d_step", "rv-attempt in d_step", "bad queue", "uninitialized chan", f"status {-signal.SIGFPE}")
_FOLDERS = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


@dataclass(frozen=True, slots=True)
class Answer:
    """The figures of a whole search. `errors` counts the messages of each kind, without the violated expression."""

    states: int
    matched: int
    depth: int
    errors: Mapping[str, int] = field(default_factory=dict)

    @property
    def is_fault(self) -> bool:
        """Whether the verifier went on after an undefined operation: its figures mean nothing then."""
        return any(kind in self.errors for kind in (INDEX, NO_CHANNEL, *POLLS))

    @property
    def edges(self) -> int:
        """SPIN counts the initial state as a transition."""
        return self.states + self.matched - 1


@dataclass(frozen=True, slots=True)
class Refusal:
    """No figures: `stage` is what failed (`spin`, `cc` or `pan`, the verifier), `reason` what it said."""

    stage: str
    reason: str

    @property
    def is_fault(self) -> bool:
        """Whether the model itself stopped the verifier, by an error after which it cannot go on or by a division."""
        return self.stage == "pan" and any(sign in self.reason for sign in _FATAL)


def ask_spin(
    text: str, defines: Mapping[str, str] | None = None, claimed: bool = False, empty_channels: bool = False
) -> Answer | Refusal:
    """SPIN's figures of a model in a folder of its own; under its claim only if that is asked for. With
    `empty_channels` an end with messages left is an invalid one."""
    with tempfile.TemporaryDirectory(prefix="scrimp-spin-", dir=_FOLDERS) as folder:
        (Path(folder) / "model.pml").write_text(text)
        options = [f"-D{name}={value}" for name, value in (defines or {}).items()]
        flags = [] if claimed else ["-DNOCLAIM"]
        failed = _translate(folder, [*options, "model.pml"]) or _compile(folder, flags)
        return failed or _search(folder, flags=["-q"] if empty_channels else [])


def ask_usual_spin(text: str) -> Answer | Refusal:
    """SPIN's figures with all its optimisations, as it comes; without the model's claim."""
    with tempfile.TemporaryDirectory(prefix="scrimp-spin-", dir=_FOLDERS) as folder:
        (Path(folder) / "model.pml").write_text(text)
        failed = _translate(folder, ["model.pml"], optimised=True) or _compile(folder, ["-DNOCLAIM"], reducing=True)
        return failed or _search(folder)


def ask_spin_of_claim(text: str) -> bool | Refusal:
    """Whether a run violates the claim of a model: its end is reached, an assertion fails, or it accepts a cycle."""
    return _ask_of_runs(text, [])


def ask_spin_of_formula(text: str, fair: bool) -> bool | Refusal:
    """Whether a run violates the formula of a model, perhaps under weak fairness."""
    return _ask_of_runs(text, ["-f"] if fair else [])


def _ask_of_runs(text: str, flags: list[str]) -> bool | Refusal:
    with tempfile.TemporaryDirectory(prefix="scrimp-spin-", dir=_FOLDERS) as folder:
        (Path(folder) / "model.pml").write_text(text)
        failed = _translate(folder, ["model.pml"]) or _compile_with(folder, ["-w", "-DNOREDUCE"])
        if failed is not None:
            return failed
        _, said = _run(folder, ["./pan", "-a", *flags, "-n", "-w16", "-m10000"], SEARCH_SECONDS)
        if errors := _ERROR.findall(said):
            return True if any(_is_of_claim(error) for error in errors) else Refusal("pan", errors[0])
        finished = _FIGURES.search(said) is not None and not any(sign in said for sign in _UNFINISHED)
        return False if finished else Refusal("pan", "the search was not finished")


def _is_of_claim(error: str) -> bool:
    return any(kind in error for kind in (ASSERTION, CLAIM, "acceptance cycle"))


def ask_spin_of_file(path: Path, memory: int, seconds: int) -> Answer | Refusal:
    """SPIN's figures of a model in its own folder, with the files that it includes and under its claim if it has
    one."""
    with tempfile.TemporaryDirectory(prefix="scrimp-spin-", dir=_FOLDERS) as folder:
        failed = _translate(folder, [str(path.resolve())]) or _compile(folder, [], memory)
        return failed or _search(folder, seconds, deepest=1_000_000)


def ask_reducing_spin_of_file(path: Path, defines: Mapping[str, str], memory: int, seconds: int) -> Answer | Refusal:
    """SPIN's figures under its own partial-order reduction, of a model in its own folder and without its claim."""
    with tempfile.TemporaryDirectory(prefix="scrimp-spin-", dir=_FOLDERS) as folder:
        options = [f"-D{name}={value}" for name, value in defines.items()]
        failed = _translate(folder, [*options, str(path.resolve())])
        failed = failed or _compile(folder, ["-DNOCLAIM"], memory, reducing=True)
        return failed or _search(folder, seconds, deepest=1_000_000)


def ask_spin_of_all(texts: Iterable[str]) -> Iterator[Answer | Refusal]:
    """The answers in order, as many at once as there are processors."""
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        yield from pool.map(ask_spin, texts)


def _translate(folder: str, arguments: list[str], optimised: bool = False) -> Refusal | None:
    status, said = _run(folder, [SPIN or "spin", "-a", *([] if optimised else ["-o1", "-o2", "-o3"]), *arguments])
    others, remarks = _REMARK.subn("", said)
    if (status and not remarks) or "Error:" in others or not (Path(folder) / "pan.c").exists():
        return Refusal("spin", said.strip())
    return None


def _compile(folder: str, flags: list[str], memory: int = MEMORY, reducing: bool = False) -> Refusal | None:
    usual = ["-w", "-DSAFETY", f"-DMEMLIM={memory}", *([] if reducing else ["-DNOREDUCE"])]
    return _compile_with(folder, [*usual, *flags])


def _compile_with(folder: str, flags: list[str]) -> Refusal | None:
    status, said = _run(folder, [COMPILER or "cc", "-O0", *flags, "-o", "pan", "pan.c"])
    return Refusal("cc", said.strip()) if status else None


def _search(
    folder: str, seconds: int = SEARCH_SECONDS, deepest: int = DEEPEST, flags: Iterable[str] = ()
) -> Answer | Refusal:
    status, said = _run(folder, ["./pan", "-c0", "-n", "-w16", f"-m{deepest}", *flags], seconds)
    figures = _FIGURES.search(said)
    if figures is None or any(sign in said for sign in _UNFINISHED):
        return Refusal("pan", "; ".join(_COMPLAINT.findall(said)[-2:]) or f"ended with status {status}")
    return Answer(
        states=int(figures["states"]),
        matched=int(figures["matched"]),
        depth=int(figures["depth"]),
        errors=dict(Counter(_kind(message) for message in _ERROR.findall(said))),
    )


def _kind(message: str) -> str:
    kinds = (INDEX, NO_CHANNEL, ASSERTION, DEADLOCK, CLAIM)
    return next((kind for kind in kinds if kind in message), message)


def _run(folder: str, command: list[str], seconds: int = SECONDS) -> tuple[int, str]:
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return 1, f"error: more than {seconds} seconds"
    return done.returncode, (done.stdout + done.stderr).decode("latin-1")
