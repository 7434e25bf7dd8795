"""Random formulas group as in SPIN, which prints each `ltl` block with all its parentheses."""

from __future__ import annotations

import random
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.ltl.random_words import NAMES, random_word

from scrimp.ltl.parse import parse
from scrimp.ltl.words import evaluate

INFIX = ["U", "V", "W", "&&", "||", "->", "<->", "until", "weakuntil", "release", "implies", "equivalent"]
SECONDS = 5
PREFIX = ["!", "[]", "<>", "always", "eventually"]


def random_text(source: random.Random, operands: int) -> str:
    """Operands with prefix operators before and infix operators between them; some are in parentheses."""
    parts: list[str] = []
    for place in range(operands):
        parts += [source.choice(INFIX)] if place else []
        parts += [source.choice(PREFIX) for _ in range(source.choice((0, 0, 0, 1)))]
        nested = operands > 2 and source.random() < 0.3
        parts.append(f"({random_text(source, operands - 2)})" if nested else source.choice(NAMES))
    return " ".join(parts)


def in_spin(text: str, folder: Path) -> str:
    """The formula as SPIN understands it."""
    declared = f"bit {', '.join(NAMES)}; active proctype P() {{ skip }}"
    (folder / "model.pml").write_text(f"{declared}\nltl f {{ {text} }}\n")
    try:
        command = ["spin", "-a", "model.pml"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:  # it also translates the formula, which may take hours
        pytest.skip(f"SPIN does not translate {text} in {SECONDS} seconds")
    printed = re.search(r"^ltl f: (.*)$", done.stdout, re.MULTILINE)
    assert printed is not None
    return printed.group(1)


@pytest.mark.skipif(shutil.which("spin") is None, reason="SPIN is not installed")
@pytest.mark.parametrize("seed", range(30))
def test_a_random_formula_means_what_it_does_in_spin(seed: int, tmp_path: Path) -> None:
    source = random.Random(seed)
    text = random_text(source, source.randint(2, 4))
    ours, theirs = parse(text), parse(in_spin(text, tmp_path))
    words = [random_word(source) for _ in range(100)]
    assert [evaluate(ours, *word) for word in words] == [evaluate(theirs, *word) for word in words]
