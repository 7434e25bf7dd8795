"""The figures of a model as SPIN printed them in 1992, for tests of the papers' tables."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest
from tests.corpus.corpus import CORPUS

import scrimp

DTP = CORPUS / "promela" / "spin_dist" / "dtp.pml"
PFTP = CORPUS / "promela" / "spin_dist" / "LTL" / "pftp.pml"

needs_dtp = pytest.mark.skipif(not DTP.is_file(), reason=f"no DTP at {DTP} (set SCRIMP_CORPUS)")
needs_pftp = pytest.mark.skipif(not PFTP.is_file(), reason=f"no PFTP at {PFTP} (set SCRIMP_CORPUS)")


class Figures(NamedTuple):
    """`transitions` as SPIN counts them: the initial state counts as one."""

    states: int
    transitions: int

    @property
    def matched(self) -> int:
        return self.transitions - self.states


EVERYTHING = scrimp.Full()


def figures(path: Path, reduction: scrimp.Reduction) -> Figures:
    found = depth_first(path, reduction).statistics
    return Figures(found.states, found.transitions + 1)


def depth_first(path: Path, reduction: scrimp.Reduction, store: scrimp.Store = EVERYTHING) -> scrimp.Result:
    return scrimp.explore(scrimp.load(path), order=scrimp.DepthFirst(), store=store, reduction=reduction)
