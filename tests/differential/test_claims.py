"""Random never claims have SPIN's verdicts: accept labels, atomic sequences, `d_step`, assignments, `timeout`."""

from __future__ import annotations

import os
from itertools import count, islice
from random import Random

import pytest
from tests.differential.comparing import at_most
from tests.differential.spin import ask_spin_of_claim, needs_spin

import scrimp

MODELS = int(os.environ.get("SCRIMP_DIFFERENTIAL_CLAIMS", "20"))
MODELS_PER_TEST = 20

PROGRAMS = (
    "active proctype P() { do :: x = 0 :: x = 1 :: x = 2 od }",
    "active proctype P() { x = 1; x = 2; timeout; x = 3 }",
    "active proctype P() { do :: x < 3 -> x++ :: x > 1 -> x = 0 od } active proctype Q() { x == 2; y = 1 }",
    "active [2] proctype P() { atomic { x < 2 -> x++; y = 1 - y }; L: y == 1; x = 3 }",
    "chan c = [1] of { byte }; active proctype P() { do :: c!1; x = 1 od } active proctype Q() { do :: c?_; x = 0 od }",
    "chan c = [0] of { byte }; active proctype P() { c!1; x = 1 } active proctype Q() { c?x; x = 2; timeout; x = 3 }",
)
ATOMS = ("x == 1", "x == 2", "x > 0", "y == 1", "true", "x == 3", "_nr_pr == 2", "w == 1", "P@L", "timeout")


class Author:
    """Writes a claim. The verdict must not depend on what SPIN's `timeout` means in a claim that waits for it, or in a
    model that has none: `timeout` is only used beside `true`, in models that have one."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.program = random.choice(PROGRAMS)
        self.labels = [f"{random.choice(('accept', 'S', 'accept', 'T'))}{n}" for n in range(random.randint(1, 3))]
        self.writes = random.random() < 0.4

    def text(self) -> str:
        states = [f"{label}: do {' '.join(self.options())} od;" for label in self.labels]
        return f"byte x, y, w;\n{self.program}\nnever {{\n" + "\n".join(states) + "\n}\n"

    def options(self) -> list[str]:
        options = [f":: {self.option()}" for _ in range(self.random.randint(1, 3))]
        needs_true = any("timeout" in each for each in options) or self.random.random() < 0.4
        return [*options, *([":: true"] if needs_true else [])]

    def option(self) -> str:
        kind = self.random.choice(("plain", "plain", "atomic", "atomic", "d_step", "assert"))
        after = self.random.choice(("", "", "; break", f"; goto {self.random.choice(self.labels)}"))
        first = self.condition()
        if "timeout" in first:
            return first + after
        if kind == "atomic":
            inner = f"if :: {self.step()} :: {self.step()} fi" if self.random.random() < 0.5 else self.step()
            return f"atomic {{ {first}; {inner} }}{after}"
        if kind == "d_step" and self.writes:
            return f"d_step {{ {first}; w = 1 - w }}{after}"
        if kind == "assert":
            return f"atomic {{ {first} -> assert({self.condition(timeout=False)}) }}{after}"
        return first + after

    def step(self) -> str:
        return self.random.choice(("w = 1 - w", "w = x % 2")) if self.writes else self.condition(timeout=False)

    def condition(self, timeout: bool = True) -> str:
        wanted = {"timeout": timeout and "timeout" in self.program, "P@L": "L:" in self.program}
        return self.random.choice([atom for atom in ATOMS if wanted.get(atom, True)])


def verdict(text: str) -> str:
    with at_most(20):
        result = scrimp.check(scrimp.load(text=text, language="promela"))
    return next(each.verdict.value for each in result.properties if each.property.kind == "never")


@needs_spin
@pytest.mark.parametrize("first_seed", range(0, MODELS * 50, MODELS_PER_TEST * 50))
def test_verdicts_on_claims_are_those_of_spin(first_seed: int) -> None:
    texts = (Author(Random(seed)).text() for seed in count(first_seed))
    answers = ((text, ask_spin_of_claim(text)) for text in texts)
    decided = ((text, answer) for text, answer in answers if isinstance(answer, bool))
    for text, is_violated in islice(decided, MODELS_PER_TEST):
        assert verdict(text) == ("refuted" if is_violated else "proved"), text
