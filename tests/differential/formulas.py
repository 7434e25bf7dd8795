"""Compare the verdicts of random formulas on small random models with SPIN's, with and without weak fairness.

    python -m tests.differential.formulas [--pairs N] [--first SEED] [--fair] [--show SEED]

Every difference is printed with its seed. Formulas have no X, which SPIN usually refuses. SPIN's fairness counts a
handshake for one partner only, so that models with handshakes are compared without fairness; and it misses violations
by runs that end, so that under fairness, a process takes a step again and again when no other can. Without fairness,
SPIN is asked again with such a process if it differs: it may report an acceptance cycle where a run ends, although the
claim cannot pass accept labels again and again there (seed 700483).
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from random import Random

from tests.differential.spin import COMPILER, SPIN, Refusal, ask_spin_of_formula

import scrimp

VALUES = 3
ATOMS = ("x == 0", "x == 1", "x == 2", "y == 0", "y == 1", "y == 2", "x == y", "P@L", "Q@L", "P@J", "_last == 1")
PREFIX = ("[]", "<>", "!", "[]", "<>")
IDLE = "active proctype Idle() { do :: timeout od }\n"
INFIX = ("U", "V", "W", "&&", "||", "->", "U")


class Author:
    """Writes models of two or three processes over two variables, and formulas about them."""

    def __init__(self, seed: int, fair: bool) -> None:
        self.random = Random(seed)
        self.fair = fair

    def model(self) -> str:
        """A model with one formula."""
        processes = [self.process(name) for name in ("P", "Q", "R")[: self.random.randint(2, 3)]]
        formula = self.formula(self.random.randint(2, 4))
        more = IDLE if self.fair else "chan c = [0] of { byte };\n"
        return f"{more}byte x, y;\n" + "\n".join(processes) + f"\nltl asked {{ {formula} }}\n"

    def process(self, name: str) -> str:
        steps = "; ".join(self.statement() for _ in range(self.random.randint(0, 2)))
        options = [self.option() for _ in range(self.random.randint(1, 3))]
        end = f"L: do {' '.join(f':: {option}' for option in options)} od" if self.random.random() < 0.8 else "L: skip"
        if name == "P":
            end += f"; if :: {self.guard()}; J: goto L :: {self.guard()} fi"
        body = "; ".join(each for each in (steps, end) if each)
        return f"active proctype {name}() {{ {body} }}"

    def option(self) -> str:
        rest = [self.statement() for _ in range(self.random.randint(1, 2))]
        if self.random.random() < 0.5:
            rest.insert(0, self.guard())
        if self.random.random() < 0.2:
            rest.append("break")
        return "; ".join(rest)

    def statement(self) -> str:
        kind = self.random.random()
        if kind < 0.15:
            return self.guard()
        if kind < 0.3:
            return f"atomic {{ {self.guard()}; {self.assignment()} }}"
        if kind < 0.4 and not self.fair:
            return self.random.choice(("c ! 1", "c ? _"))
        return self.assignment()

    def guard(self) -> str:
        return f"{self.variable()} {self.random.choice(('==', '!=', '<='))} {self.value()}"

    def assignment(self) -> str:
        return f"{self.variable()} = {self.value()}"

    def variable(self) -> str:
        return self.random.choice("xy")

    def value(self) -> int:
        return self.random.randrange(VALUES)

    def formula(self, size: int) -> str:
        if size == 0:
            return f"({self.random.choice(ATOMS)})"
        if self.random.random() < 0.5:
            return f"({self.random.choice(PREFIX)} {self.formula(size - 1)})"
        left = self.random.randrange(size)
        return f"({self.formula(left)} {self.random.choice(INFIX)} {self.formula(size - 1 - left)})"


def outcome(seed: int, fair: bool) -> str:
    """What a comparison comes to: a verdict that both have, `refused` by SPIN, or how they differ."""
    text = Author(seed, fair).model()
    theirs = ask_spin_of_formula(text, fair)
    if isinstance(theirs, Refusal):
        return f"refused by {theirs.stage}"
    fairness = scrimp.Fairness.WEAK if fair else scrimp.Fairness.NONE
    verdict = scrimp.check(scrimp.load(text=text, language="promela"), ltl="asked", fair=fairness).verdict
    expected = _verdict(theirs)
    if verdict is expected:
        return str(verdict.name)
    if not fair and (endless := ask_spin_of_formula(text + IDLE, fair)) != theirs and verdict is _verdict(endless):
        return f"{verdict.name}, as SPIN says if no run ends"
    return f"DIFFERENT: {verdict.name}, SPIN says {expected.name}"


def _verdict(violated: bool | Refusal) -> scrimp.Verdict:
    if isinstance(violated, Refusal):
        return scrimp.Verdict.UNDETERMINED
    return scrimp.Verdict.REFUTED if violated else scrimp.Verdict.PROVED


def compare_all(first: int, pairs: int, fair: bool) -> Iterator[tuple[int, str]]:
    for seed in range(first, first + pairs):
        yield seed, outcome(seed, fair)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.differential.formulas")
    parser.add_argument("--pairs", type=int, default=300, help="how many pairs to compare (default 300)")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--fair", action="store_true", help="under weak fairness")
    parser.add_argument("--show", type=int, metavar="SEED", help="print this model, no more")
    options = parser.parse_args()
    if options.show is not None:
        print(Author(options.show, options.fair).model())
        return 0
    if not (SPIN and COMPILER):
        print("spin, or a C compiler, is not installed")
        return 2
    os.environ["SCRIMP_CACHE_DIR"] = with_cache = tempfile.mkdtemp(prefix="scrimp-differential-cache-")
    try:
        found: Counter[str] = Counter()
        for seed, said in compare_all(options.first, options.pairs, options.fair):
            found[said] += 1
            if said.startswith("DIFFERENT"):
                print(f"seed {seed}: {said}", flush=True)
        print(", ".join(f"{count} {said}" for said, count in found.most_common()))
        return 1 if any(said.startswith("DIFFERENT") for said in found) else 0
    finally:
        shutil.rmtree(with_cache, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
