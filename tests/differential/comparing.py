"""A model's figures by SPIN and by scrimp, side by side."""

from __future__ import annotations

import re
import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from types import FrameType
from typing import Literal, TypeAlias

from tests.differential.spin import ASSERTION, CLAIM, DEADLOCK, FIELDS, Answer, Refusal, ask_spin

import scrimp

LARGEST = 50_000
SECONDS = 20
PATIENCE = SECONDS / 2

Verdict: TypeAlias = Literal["same", "different", "left out"]


@dataclass(frozen=True, slots=True)
class Figures:
    """The numbers that both count. `failures`: an assertion is violated, a claim completed, or something faults."""

    states: int
    edges: int
    depth: int
    deadlocks: bool
    failures: bool


@dataclass(frozen=True, slots=True)
class Comparison:
    """What each says about a model: scrimp's message if it refuses the model, None if it was not asked."""

    spin: Answer | Refusal
    scrimp: Figures | str | None

    @property
    def verdict(self) -> Verdict:
        if self.scrimp is None:
            return "left out"
        if isinstance(self.scrimp, str):
            # SPIN's search ended with the fault, so the size of the model is unknown.
            unknown = self.spin.is_fault and self.scrimp.startswith("Unfinished")
            return "left out" if unknown else "different"
        if isinstance(self.spin, Refusal) or self.spin.is_fault:
            return "same" if self.scrimp.failures else "different"
        return "same" if self.scrimp == figures_of(self.spin) else "different"

    @property
    def kind(self) -> str:
        """What differs, in a word or two: models with the same kind may have the same cause."""
        if isinstance(self.scrimp, str):
            return self.scrimp.partition(":")[0]
        if self.scrimp is None or isinstance(self.spin, Refusal) or self.spin.is_fault:
            return "fault"
        expected = asdict(figures_of(self.spin))
        return ", ".join(name for name, value in asdict(self.scrimp).items() if value != expected[name])

    @property
    def states(self) -> int | None:
        """The number of states, if both counted them."""
        return self.spin.states if isinstance(self.spin, Answer) and self.scrimp else None

    @property
    def headline(self) -> str:
        """The first line of the model if it is kept."""
        return f"/* {self.spins_line} */\n"

    @property
    def spins_line(self) -> str:
        """What SPIN says, in a line."""
        if self.spin.is_fault:
            return "spin: fault"
        if isinstance(self.spin, Refusal):
            return f"spin: {self.spin.reason}"
        pairs = asdict(figures_of(self.spin)).items()
        return "spin: " + " ".join(f"{name}={int(value)}" for name, value in pairs)

    def __str__(self) -> str:
        of_spin = self.spin if isinstance(self.spin, Refusal) else f"{figures_of(self.spin)} {dict(self.spin.errors)}"
        return f"spin:   {of_spin}\nscrimp: {self.scrimp}"


def compare(text: str, empty_channels: bool = False) -> Comparison:
    """Ask SPIN, and scrimp if SPIN has an answer that can be compared."""
    answer = ask_spin(text, claimed=has_claim(text), empty_channels=empty_channels)
    comparable = answer.states <= LARGEST if isinstance(answer, Answer) else answer.is_fault
    return Comparison(answer, ask_scrimp(text, empty_channels) if comparable else None)


def has_claim(text: str) -> bool:
    return re.search(r"^never\b", text, re.MULTILINE) is not None


def figures_of(answer: Answer) -> Figures:
    failures = any(kind in answer.errors for kind in (ASSERTION, CLAIM, *FIELDS))
    return Figures(answer.states, answer.edges, answer.depth, DEADLOCK in answer.errors, failures)


def ask_scrimp(text: str, empty_channels: bool = False) -> Figures | str:
    """scrimp's figures depth first, or the error it ends with; an unexpected exception counts as one too."""
    with tempfile.TemporaryDirectory(prefix="scrimp-differential-") as folder:
        path = Path(folder) / "model.pml"
        path.write_text(text)
        try:
            with at_most(SECONDS):
                model = scrimp.load(path, ignore_property=not has_claim(text), empty_channels=empty_channels)
                result = scrimp.explore(model, order=scrimp.DepthFirst(), time=PATIENCE)
        except Exception as error:
            return f"{type(error).__name__}: {error}".replace(f"{path}:", "")
    statistics = result.statistics
    if result.verdict is not scrimp.Verdict.PROVED:
        return f"Unfinished: {result.reason}"
    return Figures(
        states=statistics.states,
        edges=statistics.transitions,
        depth=statistics.depth,
        deadlocks=statistics.deadlocks > 0,
        failures=statistics.violations > 0,
    )


@contextmanager
def at_most(seconds: int) -> Iterator[None]:
    """Raises TimeoutError if reading or searching does not end in time."""

    def too_long(_signal: int, _frame: FrameType | None) -> None:
        raise TimeoutError(f"more than {seconds} seconds")

    before = signal.signal(signal.SIGALRM, too_long)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
