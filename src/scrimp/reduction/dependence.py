"""The dependence between events, as a square of bits over classes of events.

Two events depend on each other if one writes a cell that the other reads or writes; see cells.py for what that means
for channels, and passages.py for what an event is. Events that depend on the same events form a class. Events of
different processes do not depend on each other if their guards exclude each other (conditions.py): they are never
enabled together.

As printed in HGP92's Table I, an event that only tests a channel depends on every send to it and every receive from it,
even if the result of the test does not change.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scrimp.reduction.bits import inverted, members, union
from scrimp.reduction.cells import Cells
from scrimp.reduction.conditions import Condition, Intervals, excluding, intervals
from scrimp.reduction.passages import Passage
from scrimp.reduction.sharing import shared


@dataclass(frozen=True, slots=True)
class Dependence:
    """The class of each event, and for each class the set of classes that depend on it."""

    class_of: list[int]
    rows: list[int]


def dependence(
    cells: Cells,
    passages: Sequence[Passage],
    conditions: Sequence[Sequence[Condition]] = (),
    *,
    as_printed: bool = False,
) -> Dependence:
    """Given the passages of all events and, unless nothing is to be excluded, their conditions."""
    accesses = [
        ((passage.reads | passage.writes) & ~passage.ended, passage.writes & ~passage.ended) for passage in passages
    ]
    if as_printed:
        accesses = [
            (accessed | _looked_at(cells, passage), written)
            for (accessed, written), passage in zip(accesses, passages, strict=True)
        ]
    matters = cells.of_processes | shared(
        ((accessed, cells.movers(written)) for accessed, written in accesses),
        union(written for _, written in accesses),
    )
    needed = [intervals(each) for each in conditions] or [()] * len(passages)
    kinds: dict[tuple[int, int, Intervals], int] = {}
    class_of = [
        kinds.setdefault((accessed & matters, written & matters, each), len(kinds))
        for (accessed, written), each in zip(accesses, needed, strict=True)
    ]
    accessing = inverted((accessed for accessed, _, _ in kinds), cells.count)
    writing = inverted((written for _, written, _ in kinds), cells.count)
    excluded = excluding([each for _, _, each in kinds])
    rows = []
    for number, (accessed, written, _) in enumerate(kinds):
        depending = union(writing[cell] for cell in members(accessed)) | union(
            accessing[cell] for cell in members(written)
        )
        together = union(accessing[cell] for cell in members(accessed & cells.of_processes))
        rows.append(depending & ~(excluded[number] & ~together))
    return Dependence(class_of, rows)


def _looked_at(cells: Cells, passage: Passage) -> int:
    """Both ends of the channels that an event tests without sending to them or receiving from them."""
    used = cells.whole_channels(passage.first.writes)
    return cells.whole_channels(cells.of_channels & passage.first.tested & ~used)
