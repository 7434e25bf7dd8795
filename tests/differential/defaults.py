"""A model's verdict by SPIN and by scrimp, both as they come: with all that each leaves out by default."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path

from tests.differential.comparing import LARGEST, PATIENCE, SECONDS, Verdict, at_most
from tests.differential.spin import Answer, Refusal, ask_spin, ask_usual_spin

import scrimp


@dataclass(frozen=True, slots=True)
class DefaultComparison:
    """Whether the model is wrong, for each: None if it was not asked or did not finish, or an error. `lost` says
    whether SPIN contradicts itself: its verdict is another one without its optimisations."""

    spin: bool | None
    scrimp: bool | str | None
    states: int | None = None
    lost: bool = False

    @property
    def verdict(self) -> Verdict:
        if self.spin is None or self.scrimp is None or self.lost:
            return "left out"
        return "same" if self.spin is self.scrimp else "different"

    @property
    def kind(self) -> str:
        if isinstance(self.scrimp, str):
            return self.scrimp.partition(":")[0]
        return "refuted by scrimp alone" if self.scrimp else "refuted by SPIN alone"

    @property
    def headline(self) -> str:
        return ""

    def __str__(self) -> str:
        return f"wrong, for spin: {self.spin}\nfor scrimp: {self.scrimp}"


def compare_defaults(text: str) -> DefaultComparison:
    """Ask SPIN, and scrimp if SPIN has an answer; if they differ, ask SPIN again without its optimisations."""
    answer = ask_usual_spin(text)
    expected = _is_wrong(answer)
    if expected is None:
        return DefaultComparison(None, None)
    states = answer.states if isinstance(answer, Answer) else None
    found = _asked(text)
    lost = found is not expected and isinstance(found, bool) and _is_wrong(ask_spin(text)) is found
    return DefaultComparison(expected, found, states, lost)


def _is_wrong(answer: Answer | Refusal) -> bool | None:
    """None if SPIN does not know, or the model is too large."""
    if answer.is_fault:
        return True
    if isinstance(answer, Refusal) or answer.states > LARGEST:
        return None
    return bool(answer.errors)


def _asked(text: str) -> bool | str | None:
    with tempfile.TemporaryDirectory(prefix="scrimp-defaults-") as folder:
        path = Path(folder) / "model.pml"
        path.write_text(text)
        try:
            with at_most(SECONDS):
                result = scrimp.check(scrimp.load(path, ignore_property=True), time=PATIENCE)
        except TimeoutError:
            return None
        except Exception as error:
            return f"{type(error).__name__}: {error}".replace(f"{path}:", "")
    return None if result.verdict is scrimp.Verdict.UNDETERMINED else result.verdict is scrimp.Verdict.REFUTED
