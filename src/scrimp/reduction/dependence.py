"""Which events depend on one another, as a square of bits over classes of events.

Two events depend on each other where one writes what the other reads or writes; see cells.py for what that means for
channels, and passages.py for what an event is. Events that depend on the same events are of one class.

With whole channels, two events that access one depend on each other unless both only look at it: so it is for GHP92's
sleep sets, without what HGP92's Table I knows of sends and receives.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scrimp.reduction.bits import inverted, members, union
from scrimp.reduction.cells import Cells
from scrimp.reduction.passages import Passage
from scrimp.reduction.sharing import shared


@dataclass(frozen=True, slots=True)
class Dependence:
    """The class of each event, and of each class the set of classes that depend on it."""

    class_of: list[int]
    rows: list[int]


def dependence(cells: Cells, passages: Sequence[Passage], *, whole_channels: bool = False) -> Dependence:
    accesses = [(passage.reads | passage.writes, passage.writes) for passage in passages]
    if whole_channels:
        accesses = [(cells.whole_channels(accessed), cells.whole_channels(written)) for accessed, written in accesses]
    matters = cells.of_processes | shared(
        ((accessed, passage.movers) for (accessed, _), passage in zip(accesses, passages, strict=True)),
        union(written for _, written in accesses),
    )
    kinds: dict[tuple[int, int], int] = {}
    class_of = [kinds.setdefault((accessed & matters, written & matters), len(kinds)) for accessed, written in accesses]
    accessing = inverted((accessed for accessed, _ in kinds), cells.count)
    writing = inverted((written for _, written in kinds), cells.count)
    rows = [
        union(writing[cell] for cell in members(accessed)) | union(accessing[cell] for cell in members(written))
        for accessed, written in kinds
    ]
    return Dependence(class_of, rows)
