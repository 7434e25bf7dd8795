"""Random formulas and words: everything that is made of a formula is compared with the formula's meaning.

    python -m tests.ltl.random_words [--formulas N] [--seed N] [--first]

Prints the shortest formula for which something accepts another word than the formula does, or with `--first` the first
one that is found, and exits with 1.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from scrimp.ltl.automaton import Automaton
from scrimp.ltl.degeneralise import degeneralised, state_based
from scrimp.ltl.diagrams import Diagrams
from scrimp.ltl.formula import (
    FALSE,
    TRUE,
    Always,
    Atom,
    Eventually,
    Formula,
    Next,
    Release,
    StrongRelease,
    Until,
    WeakUntil,
    atoms,
    conjunction,
    disjunction,
    negation,
)
from scrimp.ltl.graph import automaton_of
from scrimp.ltl.hoa import read_hoa, write_hoa
from scrimp.ltl.monitor import Monitor, monitor_of
from scrimp.ltl.normal import negated, negation_normal_form
from scrimp.ltl.simplify import simplified
from scrimp.ltl.tableau import tableau
from scrimp.ltl.translate import reduced, translate
from scrimp.ltl.words import Letter, evaluate

NAMES = "abc"
WORDS_EACH = 20

PREFIX: tuple[Callable[[Formula], Formula], ...] = (negation, Next, Eventually, Always)
INFIX: tuple[Callable[[Formula, Formula], Formula], ...] = (
    lambda left, right: conjunction((left, right)),
    lambda left, right: disjunction((left, right)),
    Until,
    WeakUntil,
    Release,
    StrongRelease,
)


class Word(NamedTuple):
    prefix: list[Letter]
    cycle: list[Letter]


def random_formula(source: random.Random, size: int, names: str = NAMES) -> Formula:
    if size <= 1:
        return source.choices((Atom(source.choice(names)), TRUE, FALSE), (18, 1, 1))[0]
    if source.random() < 0.4:
        return source.choice(PREFIX)(random_formula(source, size - 1, names))
    left = source.randint(1, max(1, size - 2))
    operands = random_formula(source, left, names), random_formula(source, max(1, size - 1 - left), names)
    return source.choice(INFIX)(*operands)


def random_word(source: random.Random, longest: int = 4) -> Word:
    def letters(count: int) -> list[Letter]:
        return [frozenset(name for name in NAMES if source.random() < 0.5) for _ in range(count)]

    return Word(letters(source.randint(0, longest)), letters(source.randint(1, longest)))


def accepts(automaton: Automaton, word: Word) -> bool:
    """Whether an automaton accepts a word, by the names of its atoms."""

    return automaton.accepts(bits(automaton, word.prefix), bits(automaton, word.cycle))


def bits(automaton: Automaton, letters: Sequence[Letter]) -> list[int]:
    return [sum(1 << bit for bit, name in enumerate(automaton.atoms) if name in letter) for letter in letters]


def is_bad(monitor: Monitor, word: Word) -> bool:
    """Whether some prefix of a word is bad; the cycle is read until the monitor's states must repeat."""
    letters = [*word.prefix, *(letter for _ in range(monitor.automaton.states) for letter in word.cycle)]
    return monitor.is_bad(bits(monitor.automaton, letters))


def judges(formula: Formula) -> Iterator[tuple[str, Callable[[Word], bool]]]:
    """What decides whether a word satisfies a formula, by name."""

    def by_formula(other: Formula) -> Callable[[Word], bool]:
        return lambda word: evaluate(other, *word)

    def by_automaton(automaton: Automaton) -> Callable[[Word], bool]:
        return lambda word: accepts(automaton, word)

    opposite = negated(formula)
    yield "negation normal form", by_formula(negation_normal_form(formula))
    yield "negation", lambda word: not evaluate(opposite, *word)
    yield "simplified", by_formula(simplified(formula))
    plain = tableau(formula, atoms(formula), Diagrams())
    yield "tableau", by_automaton(automaton_of(plain))
    yield "reduced", by_automaton(automaton_of(reduced(plain)))
    translated = translate(formula)
    yield "translated", by_automaton(translated)
    yield "one mark", by_automaton(degeneralised(translated))
    yield "accepting states", by_automaton(state_based(translated))
    yield "HOA", by_automaton(read_hoa(write_hoa(translated)))
    monitor = monitor_of(translate(opposite))
    if monitor is not None:
        yield "monitor", lambda word: not is_bad(monitor, word)


def differences(seeds: Iterable[int]) -> Iterator[tuple[Formula, str, Word]]:
    """The formulas of which something has another meaning, and a word that shows it."""
    for seed in seeds:
        source = random.Random(seed)
        formula = random_formula(source, source.randint(1, 14), NAMES[: source.randint(1, len(NAMES))])
        words = [random_word(source) for _ in range(WORDS_EACH)]
        meaning = [evaluate(formula, *word) for word in words]
        for name, judge in judges(formula):
            wrong = [word for word, expected in zip(words, meaning, strict=True) if judge(word) != expected]
            if wrong:
                yield formula, name, wrong[0]
                break


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.ltl.random_words")
    parser.add_argument("--formulas", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", action="store_true")
    options = parser.parse_args()
    different = differences(range(options.seed, options.seed + options.formulas))
    found = list(islice(different, 1) if options.first else different)
    for formula, name, word in sorted(found, key=lambda each: len(str(each[0])))[:1]:
        print(f"{len(found)} of {options.formulas} formulas; the shortest: {formula}\n{name} differs on {word}")
    if not found:
        print(f"no difference in {options.formulas} formulas on {WORDS_EACH} words each")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
