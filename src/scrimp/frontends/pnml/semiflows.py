"""Bounds of places from weights that no transition can raise.

Give every place a weight y ≥ 0 such that no transition raises the weighted sum of all tokens: then that sum never
exceeds its initial value, M₀·y, and place p never holds more than M₀·y / y(p) tokens. Such weights are found by
Farkas' elimination, one transition after the other (see Colom and Silva, "Convex geometry and semiflows in P/T nets",
LNCS 483, 1991; here for y·C ≤ 0 in place of y·C = 0):

L1  one row per place: its weights (1 for the place itself), and what each transition adds to the weighted sum
L2  for the transition whose elimination leaves the fewest rows:
L3      every row that it raises is combined with every row that it lowers, with factors such that the two cancel,
L4      the rows that it raises are removed, and those that it lowers stay, marked as lowered by it
L5  a row whose places and marks include all those of another row is redundant

There can be exponentially many rows. We keep only a limited number, those with few places first: every row that is kept
remains valid, only bounds may be missing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import gcd

from scrimp.frontends.pnml.components import Change, look_for_sets
from scrimp.frontends.pnml.knowledge import Knowledge
from scrimp.frontends.pnml.net import Net, NetTransition

_MOST_ROWS_PER_PLACE = 4
_MOST_ROWS = 2_000
_MOST_WORK = 300_000
# Larger weights give no useful bounds.
_LARGEST_WEIGHT = 2**31


@dataclass(frozen=True, slots=True)
class _Row:
    """`weights` by place and `raises` by transition, without zeros. `support` has a bit for each place with a weight
    and, above those, for each eliminated transition that lowers the row."""

    weights: dict[int, int]
    raises: dict[int, int]
    support: int


def what_is_known(net: Net) -> Knowledge:
    """What follows for a net's places from weights, and then from sets of places."""
    knowledge = Knowledge(net)
    changes = [_most_added(transition) for transition in net.transitions]
    for row in _Elimination(net, changes).rows():
        knowledge.learn(row.weights)
    look_for_sets(knowledge, changes)
    return knowledge


class _Elimination:
    def __init__(self, net: Net, changes: Sequence[Change]) -> None:
        raised: list[dict[int, int]] = [{} for _ in net.places]
        for number, change in enumerate(changes):
            for place, added in change.items():
                raised[place][number] = added
        self.current = [_Row({place: 1}, row, 1 << place) for place, row in enumerate(raised)]  # L1
        self.places = len(net.places)
        self.most = min(_MOST_ROWS, _MOST_ROWS_PER_PLACE * len(net.places) + 16)
        self.work = 0

    def rows(self) -> list[_Row]:
        """Rows that no transition raises."""
        while (transition := self._next()) is not None:
            if self.work + self._comparisons(self.current) > _MOST_WORK:
                return [row for row in self.current if all(added < 0 for added in row.raises.values())]
            self._eliminate(transition)
        return self.current

    def _next(self) -> int | None:  # L2
        """The transition to eliminate next; None if no transition raises a row."""
        raising: dict[int, int] = {}
        lowering: dict[int, int] = {}
        for row in self.current:
            for transition, added in row.raises.items():
                counts = raising if added > 0 else lowering
                counts[transition] = counts.get(transition, 0) + 1
        self.work += sum(len(row.raises) for row in self.current)
        return min(raising, key=lambda t: (raising[t] * (lowering.get(t, 0) - 1), t), default=None)

    def _eliminate(self, transition: int) -> None:
        up = [row for row in self.current if row.raises.get(transition, 0) > 0]
        down = [row for row in self.current if row.raises.get(transition, 0) < 0]
        kept = [row for row in self.current if transition not in row.raises]
        mark = 1 << self.places + transition
        kept += [replace(row, support=row.support | mark) for row in down]  # L4
        kept += self._sums(transition, up, down)
        self.work += self._comparisons(kept)
        self.current = _minimal(kept)[: self.most]

    def _comparisons(self, rows: Sequence[_Row]) -> int:
        """The cost of finding the minimal rows, in units of `work`."""
        return len(rows) ** 2 // 8

    def _sums(self, transition: int, up: Sequence[_Row], down: Sequence[_Row]) -> Iterator[_Row]:  # L3
        for raised in up:
            for lowered in down:
                row = _sum(raised, lowered, transition)
                self.work += len(row.weights) + len(row.raises)
                if self.work > _MOST_WORK:
                    return
                if max(row.weights.values()) <= _LARGEST_WEIGHT:
                    yield row


def _most_added(transition: NetTransition) -> dict[int, int]:
    """The most that firing adds to places: a reset removes an unknown number of tokens."""
    return {**transition.change, **{place: transition.produces.get(place, 0) for place in transition.resets}}


def _sum(raised: _Row, lowered: _Row, transition: int) -> _Row:
    up, down = raised.raises[transition], -lowered.raises[transition]
    weights = _combined(raised.weights, down, lowered.weights, up)
    raises = _combined(raised.raises, down, lowered.raises, up)
    divisor = gcd(*weights.values(), *raises.values())
    if divisor > 1:
        weights = {place: weight // divisor for place, weight in weights.items()}
        raises = {number: added // divisor for number, added in raises.items()}
    return _Row(weights, raises, raised.support | lowered.support)


def _combined(a: dict[int, int], times_a: int, b: dict[int, int], times_b: int) -> dict[int, int]:
    found = {key: value * times_a for key, value in a.items()}
    for key, value in b.items():
        found[key] = found.get(key, 0) + value * times_b
    return {key: value for key, value in found.items() if value}


def _minimal(rows: Sequence[_Row]) -> list[_Row]:  # L5
    """The rows whose support includes no other row's, the smallest first."""
    kept: list[_Row] = []
    for row in sorted(rows, key=lambda row: row.support.bit_count()):
        if not any(other.support & ~row.support == 0 for other in kept):
            kept.append(row)
    return kept
