"""LTSmin as a peer that is not run here: its figures, as ratios to SPIN measured beside it.

LTSmin 3, `prom2lts-mc` with SpinS, depth-first on one thread, and SPIN 6.5.2 in plain mode, on the same Promela models
in one interleaved run on a 2.8 GHz Xeon. Speeds are compared through SPIN, which runs on both machines; bytes per state
do not depend on the machine. They are those that the tool itself reports for states, without slack.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bench.peers import SPIN
from scrimp.laboratory.bench import Cell
from scrimp.laboratory.comparison import seconds

# Millions of transitions per second of SPIN; then, for each table, those of LTSmin, with its bytes per state.
MEASURED = {
    "adding.4": (2.68, {"tree": (2.44, 9.2), "cleary": (2.59, 5.2)}),
    "at.3": (2.25, {"tree": (2.65, 8.1), "cleary": (2.54, 4.2)}),
    "fischer.3": (2.42, {"tree": (2.06, 9.3), "cleary": (1.89, 5.3)}),
    "lamport.6": (2.86, {"tree": (2.47, 8.0), "cleary": (2.51, 4.0)}),
    "peterson.4": (2.58, {"tree": (2.39, 10.3), "cleary": (2.33, 6.3)}),
    "phils.5": (1.87, {"tree": (3.54, 8.5), "cleary": (3.02, 4.3)}),
    "szymanski.4": (3.35, {"tree": (1.88, 16.0), "cleary": (1.90, 12.1)}),
}
TABLES = ("tree", "cleary")


def name_of(table: str) -> str:
    return f"LTSmin {table}"


def cells(found: Sequence[Cell]) -> list[Cell]:
    """The estimated results of LTSmin, from those of SPIN and the measured ratios."""
    return [
        replace(cell, method=name_of(table), seconds=seconds(cell) * of_spin / rate, bytes_per_state=bytes_per_state)
        for cell in found
        if cell.method == SPIN.name and cell.model in MEASURED
        for of_spin, tables in [MEASURED[cell.model]]
        for table, (rate, bytes_per_state) in tables.items()
    ]
