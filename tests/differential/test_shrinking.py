"""Shrinking keeps what a model shows, and little else."""

from __future__ import annotations

from tests.differential.random_promela import random_model
from tests.differential.shrinking import shrink
from tests.differential.tree import Block, render, size

LOOP = Block("do", (Block("::", ("x < 3;", "x++;")), Block("::", ("c!(x + 1);", "break;"))), "od;")
MODEL = ("byte x;", "chan c = [1] of { byte };", Block("active proctype P() {", ("skip;", LOOP, "assert(x < 3);"), "}"))


def test_irrelevant_lines_are_removed() -> None:
    assert render(shrink(MODEL, lambda text: "byte x;" in text)) == "byte x;\n"


def test_blocks_are_replaced_by_their_relevant_lines() -> None:
    shrunk = shrink(MODEL, lambda text: "active" in text and "x++" in text)
    assert render(shrunk) == "active proctype P() {\n  x++;\n}\n"


def test_parts_of_lines_are_simplified() -> None:
    shrunk = shrink(MODEL, lambda text: "c!" in text)
    assert render(shrunk) == "active proctype P() {\n  c!x;\n}\n"


def test_a_model_that_needs_all_its_lines_is_unchanged() -> None:
    text = render(MODEL)
    assert render(shrink(MODEL, lambda candidate: candidate == text)) == text


def test_a_large_model_shrinks_to_the_few_lines_that_matter() -> None:
    model = max((random_model(seed, "everything") for seed in range(20)), key=size)
    assert size(shrink(model, lambda text: "proctype P0" in text and "skip" in text)) <= 3
