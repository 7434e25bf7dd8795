"""Random models are what the comparison needs: reproducible, varied, and mostly accepted by SPIN."""

from __future__ import annotations

from tests.differential.profiles import PROFILES
from tests.differential.random_promela import random_text
from tests.differential.spin import Answer, ask_spin_of_all, needs_spin

CONSTRUCTS = (
    *("active [2] proctype", "init {", "run P", "provided (", "inline ", "typedef "),
    *("bit ", "bool ", "byte ", "short ", "int ", "unsigned ", "mtype ", "pid ", "chan "),
    *("[0] of {", "[2] of {", "!!", "??", "?<", "??<", "?[", "??[", "eval(", "_,", "chan }", "Pair }"),
    *("len(", "full(", "empty(", "nfull(", "nempty("),
    *("if\n", "do\n", "else;", "break;", "goto ", "end", "atomic {", "d_step {", "unless {", "timeout;"),
    *("for (", " in ", "select (", "assert(", "skip;", "printf(", "->", "++;", "--;"),
    *("_pid", "_nr_pr", "_last", "]@L", "]:x", "= run "),
)


def test_a_seed_stands_for_one_model() -> None:
    assert [random_text(seed) for seed in range(50)] == [random_text(seed) for seed in range(50)]


def test_every_construct_occurs() -> None:
    texts = "\n".join(random_text(seed) for seed in range(600))
    assert [construct for construct in CONSTRUCTS if construct not in texts] == []


@needs_spin
def test_spin_gives_figures_for_most_models() -> None:
    answers = list(ask_spin_of_all(random_text(seed) for seed in range(3 * len(PROFILES))))
    assert sum(isinstance(answer, Answer) for answer in answers) > 0.7 * len(answers)
