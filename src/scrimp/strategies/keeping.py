"""Which full states the ComBack method caches, as EWK09 writes it: `F`, or `F20-D80` for two caches with shares."""

from __future__ import annotations

import re
from typing import NamedTuple

from scrimp.strategies.values import Spelling, alternatives

# EWK09, section 3, and the level cache of its reference [6]; engine/store/comback/options.h says what each does.
KEEPING = {"R": "random", "F": "fifo", "H": "heuristic", "D": "distance", "L": "level"}

EXPECTED = f"{alternatives([*KEEPING, 'none'])}, or two with shares such as F20-D80"


class Kept(NamedTuple):
    """One of the caches: which states it keeps, as the engine names it, and its share of the capacity."""

    keeping: str
    percent: int


def kept(text: str) -> tuple[Kept, ...]:
    """The caches, in the order in which a state passes through them; raises ValueError."""
    if text == "none":
        return ()
    parts = [re.fullmatch(rf"([{''.join(KEEPING)}])([1-9][0-9]?|100)?", part, re.ASCII) for part in text.split("-")]
    found = [(KEEPING[part[1]], part[2]) for part in parts if part is not None]
    if len(found) != len(parts) or len(found) > 2:
        raise ValueError(f"expected {EXPECTED}, found '{text}'")
    if len(found) == 1 and found[0][1] is None:
        return (Kept(found[0][0], 100),)
    if any(percent is None for _, percent in found):
        raise ValueError(f"expected a share for each of two caches, such as F20-D80, found '{text}'")
    if (total := sum(int(percent) for _, percent in found)) != 100:
        raise ValueError(f"the shares of '{text}' sum to {total}, not to 100")
    return tuple(Kept(keeping, int(percent)) for keeping, percent in found)


STRATEGY = Spelling(EXPECTED, kept)
