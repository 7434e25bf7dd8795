"""Our own models do the same under CPython and as compiled systems, in the first states of each."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.modelling.comparing import Comparison

MODELS = sorted((Path(__file__).parents[2] / "models").glob("*.py"))


@pytest.mark.filterwarnings("ignore:coroutine .* was never awaited")
@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_cpython_and_the_system_agree(path: Path) -> None:
    assert Comparison(path.read_text(encoding="utf-8"), most_states=60).run() > 0
