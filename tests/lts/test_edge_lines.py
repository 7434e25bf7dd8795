"""The lines that the engine writes for transitions are those of the obvious format string."""

from __future__ import annotations

from array import array

import pytest
from tests.lts.random_lts import random_edges

from scrimp._engine import EdgeLines
from scrimp.outputs.lts.writer import EdgeText


@pytest.mark.parametrize("seed", range(10))
def test_a_line_has_the_numbers_and_the_texts_of_its_label(seed: int) -> None:
    edges = random_edges(seed)
    names = sorted({label for _, label, _ in edges})
    text = EdgeText("<", lambda name: (f" {name}é ", f" {name}>\n"))
    sources, labels, targets = zip(*((s, names.index(label), t) for s, label, t in edges), strict=True)
    lines = text.of(array("Q", sources), array("I", labels), array("Q", targets), names)
    assert lines.decode() == "".join(f"<{s} {label}é {t} {label}>\n" for s, label, t in edges)


def test_labels_may_be_added_between_lines() -> None:
    text = EdgeText("", lambda name: (name, "\n"))
    one = array("Q", [1])
    assert text.of(one, array("I", [0]), one, ["a"]) == b"1a1\n"
    assert text.of(one, array("I", [1]), one, ["a", "b"]) == b"1b1\n"


def test_numbers_may_be_large_and_need_not_be_aligned() -> None:
    lines = EdgeLines("")
    lines.add_label("-", ";")
    message = memoryview(b"?" + array("Q", [0, 2**64 - 1, 10**19]).tobytes())
    states = message[1:].cast("Q")
    assert lines.text(states, array("I", [0] * 3), states) == "".join(f"{n}-{n};" for n in states).encode()


def test_no_transitions_make_no_lines() -> None:
    assert EdgeLines("(").text(array("Q"), array("I"), array("Q")) == b""


def test_a_label_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(IndexError):
        EdgeLines("(").text(array("Q", [0]), array("I", [0]), array("Q", [0]))


def test_columns_of_different_lengths_are_an_error() -> None:
    with pytest.raises(ValueError, match="one length"):
        EdgeLines("(").text(array("Q", [0]), array("I"), array("Q", [0]))
