"""Broken texts: a formula or an automaton is read, or refused with a position; nothing else happens."""

from __future__ import annotations

import random
from contextlib import suppress

import pytest

from scrimp.errors import ModelError
from scrimp.ltl.formula import Formula
from scrimp.ltl.hoa import read_hoa, write_hoa
from scrimp.ltl.parse import parse
from scrimp.ltl.translate import translate

SIGNS = ["[]", "<>", "!", "(", ")", "{", "}", "[", "]", "&&", "||", "->", "<->", "==", "<", "+", ":", "?", "@", "."]
WORDS = ["X", "U", "V", "W", "R", "M", "F", "G", "not", "and", "or", "always", "until", "x", "y", "1"]
TOKENS = [*SIGNS, *WORDS, '"a b"', '"', "/*", "*/", "€", "\\", "~"]
HOA = write_hoa(translate(parse("[] <> p && [] <> q")), "name").split()
OTHERS = ["999999", "[", '"', "/*", "Alias:", "@a", "-1", "f", "t", "1&2", "{9}", "Fin(0)", "&", "|", "--ABORT--"]


@pytest.mark.parametrize("seed", range(20))
def test_a_random_text_is_a_formula_or_an_error(seed: int) -> None:
    source = random.Random(seed)
    for _ in range(200):
        text = source.choice(("", " ")).join(source.choices(TOKENS, k=source.randint(0, 9)))
        with suppress(ModelError):
            assert isinstance(parse(text), Formula)


@pytest.mark.parametrize("seed", range(20))
def test_a_broken_automaton_is_read_or_refused(seed: int) -> None:
    source = random.Random(seed)
    for _ in range(100):
        broken = list(HOA)
        for _ in range(source.randint(1, 3)):
            place = source.randrange(len(broken))
            broken[place : place + source.randint(0, 1)] = source.choices(HOA + OTHERS, k=source.randint(0, 2))
        with suppress(ModelError):
            assert read_hoa(" ".join(broken)).states >= 1
