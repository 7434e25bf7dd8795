"""The meaning of formulas: their truth on ultimately periodic words, by the definition of each operator.

Slow and obvious: everything that is done with formulas and automata is compared with it.
"""

from __future__ import annotations

from collections.abc import Sequence

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
    subformulas,
)

Letter = frozenset[str]
"""The atoms that are true."""


def evaluate(formula: Formula, prefix: Sequence[Letter], cycle: Sequence[Letter]) -> bool:
    """Whether the word that repeats `cycle` forever after `prefix` satisfies the formula."""
    word = [*prefix, *cycle]
    truth: dict[Formula, list[bool]] = {}
    for part in subformulas(formula):
        truth[part] = _truth(part, truth, word, len(prefix))
    return truth[formula][0]


def _truth(formula: Formula, truth: dict[Formula, list[bool]], word: list[Letter], back: int) -> list[bool]:
    """The truth of a formula at each position of the word, whose last position is followed by position `back`."""
    after = [*range(1, len(word)), back]
    match formula:
        case Constant(value):
            return [value] * len(word)
        case Atom(name):
            return [name in letter for letter in word]
        case Not(operand):
            return [not value for value in truth[operand]]
        case And(operands):
            return [all(values) for values in zip(*(truth[each] for each in operands), strict=True)]
        case Or(operands):
            return [any(values) for values in zip(*(truth[each] for each in operands), strict=True)]
        case Next(operand):
            return [truth[operand][position] for position in after]
        case Eventually(operand):
            return _until([True] * len(word), truth[operand], after)
        case Until(left, right):
            return _until(truth[left], truth[right], after)
        case StrongRelease(left, right):
            return _until(truth[right], _both(truth[left], truth[right]), after)
        case Always(operand):
            return _weak_until(truth[operand], [False] * len(word), after)
        case WeakUntil(left, right):
            return _weak_until(truth[left], truth[right], after)
        case Release(left, right):
            return _weak_until(truth[right], _both(truth[left], truth[right]), after)


def _both(left: list[bool], right: list[bool]) -> list[bool]:
    return [first and second for first, second in zip(left, right, strict=True)]


def _until(left: list[bool], right: list[bool], after: list[int]) -> list[bool]:
    """Walk from each position: after as many steps as the word has letters, every position that follows was seen."""
    return [_walk(left, right, after, start, otherwise=False) for start in range(len(after))]


def _weak_until(left: list[bool], right: list[bool], after: list[int]) -> list[bool]:
    return [_walk(left, right, after, start, otherwise=True) for start in range(len(after))]


def _walk(left: list[bool], right: list[bool], after: list[int], position: int, otherwise: bool) -> bool:
    for _ in after:
        if right[position]:
            return True
        if not left[position]:
            return False
        position = after[position]
    return otherwise
