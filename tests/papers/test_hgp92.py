"""The figures of HGP92, *Coverage preserving reduction strategies*: the counts of Table II.

Protocols 1 to 3 are five processes of ten states each, here in three small models; the state before the processes run
is one more. Protocol 5 is DTP. Protocol 4, URP, is not available.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.papers.searching import DTP, Figures, figures, needs_dtp

from scrimp import Conflict, Local, NoReduction, Reduction, Stubborn
from scrimp.laboratory.experiments.experiment import PACKAGED

AS_PRINTED: dict[str, Reduction] = {
    "1": NoReduction(),
    "2": Local(mode="paper"),
    "3": Conflict(mode="paper"),
    "2+3": Local(mode="paper") + Conflict(mode="paper"),
}
EXACT: dict[str, Reduction] = {
    "local": Local(),
    "conflict": Conflict(),
    "local+conflict": Local() + Conflict(),
    "stubborn": Stubborn(),
}

INDEPENDENT, CYCLIC, DEPENDENT = (PACKAGED / f"{name}.pml" for name in ("independent", "cyclic", "dependent"))


def rows(path: Path, methods: dict[str, Reduction], *counts: tuple[int, int]) -> list[Any]:
    marks = needs_dtp if path == DTP else ()
    return [
        pytest.param(path, method, Figures(*row), id=f"{path.stem} {name}", marks=marks)
        for (name, method), row in zip(methods.items(), counts, strict=True)
    ]


TABLE_II = [
    *rows(INDEPENDENT, AS_PRINTED, (100_001, 450_002), (47, 47), (100_001, 100_001), (47, 47)),
    *rows(CYCLIC, AS_PRINTED, (100_001, 500_002), (100_001, 111_112), (100_001, 111_112), (47, 52)),
    *rows(DEPENDENT, AS_PRINTED, *[(100_001, 450_002)] * 4),
    *rows(DTP, AS_PRINTED, (251_409, 648_467), (91_343, 117_396), (251_409, 262_561), (65_774, 69_611)),
]
BESIDE_IT = [
    *rows(INDEPENDENT, EXACT, (47, 47), (100_001, 100_001), (47, 47), (47, 47)),
    *rows(CYCLIC, EXACT, (100_001, 111_112), (100_001, 111_112), (47, 52), (100_001, 100_006)),
    *rows(DEPENDENT, EXACT, *[(100_001, 450_002)] * 4),
    *rows(DTP, EXACT, (38_034, 42_501), (251_409, 261_334), (28_229, 29_548), (10_158, 10_605)),
]


@pytest.mark.parametrize(("path", "method", "expected"), TABLE_II)
def test_table_ii(path: Path, method: Reduction, expected: Figures) -> None:
    assert figures(path, method) == expected


@pytest.mark.parametrize(("path", "method", "expected"), BESIDE_IT)
def test_the_exact_methods_beside_table_ii(path: Path, method: Reduction, expected: Figures) -> None:
    assert figures(path, method) == expected


@needs_dtp
def test_algorithm_2_was_measured_with_places_and_printed_with_enabled_edges() -> None:
    assert figures(DTP, Local(mode="printed")) == Figures(91_308, 117_351)
