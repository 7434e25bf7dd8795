"""LTSmin as a peer that is not run here: its figures, as ratios to SPIN measured beside it.

LTSmin 3, `prom2lts-mc` with SpinS, depth-first on one thread, and SPIN 6.5.2 in plain mode, on the same Promela models
in one interleaved run on a 2.8 GHz Xeon. Speeds are compared through SPIN, which runs on both machines; bytes per state
need no machine. Bytes are what the tool itself says states take, without slack.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LtsminRun:
    """`speed` is transitions a second over SPIN's."""

    speed: float
    bytes_per_state: float


# instance: (SPIN, tree, Cleary tree) in million transitions a second, then bytes per state of tree and Cleary tree.
_MEASURED = {
    "adding.4": (2.68, 2.44, 2.59, 9.2, 5.2),
    "at.3": (2.25, 2.65, 2.54, 8.1, 4.2),
    "fischer.3": (2.42, 2.06, 1.89, 9.3, 5.3),
    "lamport.6": (2.86, 2.47, 2.51, 8.0, 4.0),
    "peterson.4": (2.58, 2.39, 2.33, 10.3, 6.3),
    "phils.5": (1.87, 3.54, 3.02, 8.5, 4.3),
    "szymanski.4": (3.35, 1.88, 1.90, 16.0, 12.1),
}

RUNS: dict[tuple[str, str], LtsminRun] = {}
for _instance, (_spin, _tree, _cleary, _tree_bytes, _cleary_bytes) in _MEASURED.items():
    RUNS[_instance, "tree"] = LtsminRun(_tree / _spin, _tree_bytes)
    RUNS[_instance, "cleary"] = LtsminRun(_cleary / _spin, _cleary_bytes)
