"""Sizes of automata: scrimp's beside those of SPIN, for the formulas of the literature.

    python bench/automata.py [--negated] [--each]

For each set of formulas, prints the total numbers of states and edges: of our generalised automata with marks on edges,
of the Büchi automata with accepting states that they become, and of SPIN's never claims. SPIN has neither W nor M,
which are rewritten, nor X unless it is built with it. The last three columns compare the formulas without X for which
SPIN answers in time.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import time
from dataclasses import dataclass

from bench.formulas import DWYER, ETESSAMI, SOMENZI
from scrimp.laboratory.tables import text_lines
from scrimp.ltl.automaton import Automaton
from scrimp.ltl.degeneralise import state_based
from scrimp.ltl.formula import (
    Always,
    And,
    Atom,
    Constant,
    Eventually,
    Formula,
    Next,
    Not,
    Or,
    Release,
    StrongRelease,
    Until,
    WeakUntil,
    negation,
)
from scrimp.ltl.parse import parse
from scrimp.ltl.translate import translate

SETS = {"Dwyer et al.": DWYER, "Etessami & Holzmann": ETESSAMI, "Somenzi & Bloem": SOMENZI}
SECONDS = 30


@dataclass(frozen=True)
class Size:
    states: int
    edges: int

    def __add__(self, other: Size) -> Size:
        return Size(self.states + other.states, self.edges + other.edges)

    def __str__(self) -> str:
        return f"{self.states} / {self.edges}"


@dataclass(frozen=True)
class Row:
    """The sizes for one formula; `spin` is None if SPIN cannot translate it, or not in time."""

    text: str
    general: Size
    states: Size
    spin: Size | None
    seconds: float


def size(automaton: Automaton) -> Size:
    return Size(automaton.states, len(automaton.edges))


def in_spin(formula: Formula) -> str | None:
    """The formula in the syntax of `spin -f`; None if it has an X."""
    match formula:
        case Constant(value):
            return "true" if value else "false"
        case Atom(name):
            return name
        case Next():
            return None
        case Not(operand):
            return _joined("!", operand)
        case Always(operand):
            return _joined("[]", operand)
        case Eventually(operand):
            return _joined("<>", operand)
        case And(operands):
            return _joined("&&", *operands)
        case Or(operands):
            return _joined("||", *operands)
        case Until(left, right):
            return _joined("U", left, right)
        case Release(left, right):
            return _joined("V", left, right)
        case WeakUntil(left, right):
            return _joined("V", right, Or((left, right)))
        case StrongRelease(left, right):
            return _joined("U", right, And((left, right)))


def _joined(sign: str, *operands: Formula) -> str | None:
    texts = [in_spin(each) for each in operands]
    if None in texts:
        return None
    nested = [f"({text})" for text in texts]
    return f"{sign} {nested[0]}" if len(nested) == 1 else f" {sign} ".join(nested)


def size_in_spin(formula: Formula) -> Size | None:
    """The states of SPIN's claim, each of which has labels, and its edges; `skip` stands for a loop."""
    text = in_spin(formula)
    if text is None:
        return None
    try:
        done = subprocess.run(["spin", "-f", text], capture_output=True, text=True, timeout=SECONDS, check=False)
    except (subprocess.TimeoutExpired, FileNotFoundError):
        return None
    body = done.stdout.partition("{")[2]
    states = len(re.findall(r"^\w+:\n(?!\w+:)", body, re.MULTILINE))
    edges = len(re.findall(r"^\s*::", body, re.MULTILINE)) + len(re.findall(r"^\s*(?:skip|false)", body, re.MULTILINE))
    return Size(states, edges) if states else None


def measured(text: str, negated: bool) -> Row:
    formula = negation(parse(text)) if negated else parse(text)
    start = time.perf_counter()
    automaton = translate(formula)
    seconds = time.perf_counter() - start
    return Row(text, size(automaton), size(state_based(automaton)), size_in_spin(formula), seconds)


def total(name: str, rows: list[Row]) -> list[str]:
    nothing = Size(0, 0)
    known = [row for row in rows if row.spin is not None]
    return [
        name,
        str(len(rows)),
        str(sum((row.general for row in rows), nothing)),
        str(sum((row.states for row in rows), nothing)),
        f"{sum(row.seconds for row in rows):.1f}",
        str(len(known)),
        str(sum((row.general for row in known), nothing)),
        str(sum((row.states for row in known), nothing)),
        str(sum((row.spin for row in known if row.spin is not None), nothing)),
    ]


HEADINGS = ("states / edges", "formulas", "marks", "Büchi", "s", "in SPIN", "marks", "Büchi", "SPIN")


def main() -> None:
    parser = argparse.ArgumentParser(description="sizes of automata beside those of SPIN")
    parser.add_argument("--negated", action="store_true", help="negate the formulas, as a model checker does")
    parser.add_argument("--each", action="store_true", help="print the sizes for each formula, too")
    options = parser.parse_args()
    lines, everything = [], []
    for name, texts in SETS.items():
        rows = [measured(text, options.negated) for text in texts]
        everything += rows
        lines.append(total(name, rows))
        if options.each:
            print(*(f"{row.general!s:>9} {row.states!s:>9} {row.spin!s:>9}  {row.text}" for row in rows), sep="\n")
    print(*text_lines(HEADINGS, [*lines, total("all", everything)]), sep="\n")


if __name__ == "__main__":
    main()
