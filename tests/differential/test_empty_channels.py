"""With `--empty-channels` an end with messages left is a deadlock, as under `pan -q`."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.differential.spin import DEADLOCK, Answer, ask_spin, needs_spin

import scrimp

# Each with the number of its invalid ends if channels need not be empty, and if they must be.
MODELS = {
    "everything is received": ("chan c = [1] of { byte }; init { byte x; c!1; c?x }", 0, 0),
    "a message is left": ("chan c = [1] of { byte }; init { c!1 }", 0, 1),
    "of two ends one has a message": ("chan c = [1] of { byte }; init { if :: c!1 :: skip fi }", 0, 1),
    "in one channel of an array": ("chan c[3] = [2] of { byte }; init { byte x; c[0]!1; c[2]!1; c[0]?x }", 0, 1),
    "a process waits at an end label": ("chan c = [1] of { byte }; init { c!1; end: false }", 0, 1),
    "channels die with their process": ("init { chan c = [1] of { byte }; c!1 }", 0, 0),
    "a process that has not died keeps its channels": (
        "active proctype P() { chan c = [1] of { byte }; c!1 } active proctype Q() { end: false }",
        0,
        1,
    ),
    "a rendezvous channel is always empty": (
        "chan c = [0] of { byte }; active proctype P() { c!1 } active proctype Q() { c?1 }",
        0,
        0,
    ),
    "an end that is invalid anyway": ("chan c = [1] of { byte }; init { c!1; false }", 1, 1),
    "a process of a model that grows": (
        """chan c = [2] of { byte };
        proctype P(byte n) { if :: n > 0 -> run P(n - 1) :: else -> c!n fi }
        init { byte n; do :: n < 3 -> n++ :: break od; run P(n) }""",
        0,
        1,
    ),
}


def deadlocks(text: str, folder: Path, empty_channels: bool) -> int:
    path = folder / "model.pml"
    path.write_text(text)
    return scrimp.explore(scrimp.load(path, empty_channels=empty_channels)).statistics.deadlocks


@pytest.mark.parametrize(("text", "lenient", "strict"), MODELS.values(), ids=MODELS)
def test_ends_with_messages_left_are_deadlocks_on_demand(text: str, lenient: int, strict: int, tmp_path: Path) -> None:
    assert deadlocks(text, tmp_path, empty_channels=False) == lenient
    assert deadlocks(text, tmp_path, empty_channels=True) == strict


@needs_spin
@pytest.mark.parametrize(("text", "lenient", "strict"), MODELS.values(), ids=MODELS)
def test_they_are_the_invalid_ends_of_spin(text: str, lenient: int, strict: int) -> None:
    for empty_channels, expected in ((False, lenient), (True, strict)):
        answer = ask_spin(text, empty_channels=empty_channels)
        assert isinstance(answer, Answer), answer
        assert answer.errors.get(DEADLOCK, 0) == expected
