"""Agglomerations: a place disappears, and each transition that produces on it is fused with each that consumes from it.

Let H be the transitions that produce on p, and F those that consume from it. The new net has a transition h·f for each
h in H and f in F, in place of H and F. Its runs are those runs of the old net in which every h is followed at once by
an f: so its markings are markings of the old net, and its traces are undone by firing h, then f. It remains to show
that every other run can be brought into this form by moving steps that no question sees.

Common to all: p is empty at first, no question looks at it, it is not tested, reset or an inhibitor, and no transition
both produces on it and consumes from it.

Berthelot, "Transformations and decompositions of nets", Advances in Petri Nets 1986, LNCS 254; Haddad and
Pradat-Peyre, "New efficient Petri nets reductions for parallel programs verification", Parallel Processing Letters
16(1), 2006; Thierry-Mieg, "Structural reductions revisited", Petri Nets 2020.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain

from scrimp.frontends.pnml.net import NetTransition, Weights
from scrimp.passes.kept import Kept
from scrimp.passes.nets.draft import Draft, Fused, Rule

LONGEST = 64
"""The most transitions of the net as written that one transition may stand for."""


@dataclass(frozen=True, slots=True)
class Times:
    """How often each h and each f is fired in h·f."""

    before: int
    after: int


@dataclass(frozen=True)
class Agglomeration(Rule):
    keeps_steps = False
    keeps = Kept.RUNS

    def apply(self, draft: Draft) -> int:
        return sum(self.agglomerate(draft, place) for place in list(draft.places()))

    def agglomerate(self, draft: Draft, place: int) -> bool:
        before, after = draft.giving[place], draft.needing[place]
        if (
            not draft.is_hidden(place)
            or not after
            or not self.has_initial(draft, place)
            or before & after
            or len(before) * len(after) > 2 * (len(before) + len(after))
        ):
            return False
        times = _times(draft, place)
        if times is None or not self.is_possible(draft, times, before, after):
            return False
        self.note(draft, place)
        fused = [
            _fused([draft.transitions[h]] * times.before + [draft.transitions[f]] * times.after, place)
            for h in sorted(before)
            for f in sorted(after)
        ]
        for number in before | after:
            draft.drop(number)
        for each in fused:
            draft.add(each)
        draft.gone.add(place)
        return True

    def has_initial(self, draft: Draft, place: int) -> bool:
        """Whether the place has the tokens at first that the rule needs, and will have some."""
        return draft.tokens[place] == 0 and bool(draft.giving[place])

    def is_possible(self, draft: Draft, times: Times, before: set[int], after: set[int]) -> bool:
        raise NotImplementedError

    def note(self, draft: Draft, place: int) -> None:
        """Note what is not preserved, and what has to be fired first."""


def _times(draft: Draft, place: int) -> Times | None:
    """All h, if there are any, produce the same number of tokens, and all f consume the same number; one of the numbers
    is a multiple of the other, and only one transition has to be repeated."""
    taken = {draft[f].consumes.get(place, 0) for f in draft.needing[place]}
    given = {draft[h].produces[place] for h in draft.giving[place]} or set(taken)
    tested = any(place in draft[f].tests for f in draft.needing[place])
    if tested or len(given) > 1 or len(taken) > 1:
        return None
    produced, consumed = given.pop(), taken.pop()
    if produced % consumed == 0 and (produced == consumed or len(draft.needing[place]) == 1):
        times = Times(1, produced // consumed)
    elif consumed % produced == 0 and len(draft.giving[place]) == 1:
        times = Times(consumed // produced, 1)
    else:
        return None
    longest = [
        max((len(draft.transitions[number].chain) for number in numbers), default=0)
        for numbers in (draft.giving[place], draft.needing[place])
    ]
    return times if times.before * longest[0] + times.after * longest[1] <= LONGEST else None


@dataclass(frozen=True)
class PostAgglomeration(Agglomeration):
    """Each f consumes from p only, and changes nothing that a question looks at or that inhibits or is reset; tokens
    that one h produces do not have to wait for those of another.

    In a run, move each f forward to the h whose token it consumes: it is enabled there, and nothing that comes between
    is disabled, because f only produces on other places. If an h has no f, add one at the end. So the same markings of
    observed places are reached, and the same transitions fire. In a dead marking p is empty, or else some f would be
    enabled; and where p is empty, h is enabled if and only if h·f is. So dead markings are the same, too. An infinite
    run stays infinite: each h has finitely many f, so infinitely many of its steps are not in F."""

    what = "places removed by post-agglomeration"

    def is_possible(self, draft: Draft, times: Times, before: set[int], after: set[int]) -> bool:
        return times.before == 1 and all(_follows(draft, draft[f]) for f in after)


@dataclass(frozen=True)
class MarkedPostAgglomeration(PostAgglomeration):
    """As post-agglomeration, of a place that is marked at first and has a single consumer f. Move the f that consume
    these tokens to the beginning of a run, and add those that are missing: no question sees the difference. So the
    marking after them is the initial one. Tokens that do not suffice for another f never will: each h produces what
    some f consume, and nothing else. There need not be any h: then f fires only at the beginning."""

    what = "marked places removed by post-agglomeration"

    def has_initial(self, draft: Draft, place: int) -> bool:
        return draft.tokens[place] > 0 and len(draft.needing[place]) == 1 and _firings(draft, place) <= LONGEST

    def note(self, draft: Draft, place: int) -> None:
        f = min(draft.needing[place])
        for _ in range(_firings(draft, place)):
            draft.begin_with(f)


def _firings(draft: Draft, place: int) -> int:
    """How often the first consumer of a place can fire with the initial tokens; too often to be considered if it
    consumes none, or stands for too many transitions."""
    f = min(draft.needing[place])
    consumed = draft[f].consumes.get(place, 0)
    count = draft.tokens[place] // consumed if consumed else LONGEST + 1
    return count if count * len(draft.transitions[f].chain) <= LONGEST else LONGEST + 1


def _follows(draft: Draft, f: NetTransition) -> bool:
    return (
        len(f.consumes) == 1
        and not (f.tests or f.inhibitors or f.resets)
        and all(draft.is_hidden(place) for place in f.produces)
    )


@dataclass(frozen=True)
class PreAgglomeration(Agglomeration):
    """Each h consumes something, tests nothing, produces on p only, and alone needs the places that it consumes from,
    which no question looks at, and which do not inhibit and are not reset.

    In a run, move each h back to the f that consumes its token, and leave out those whose tokens are not consumed:
    nobody else wants what h consumes, or has what it produces. So the same markings of observed places are reached. An
    infinite run stays infinite: h consumes what only steps that stay in the run produce.
    A dead marking with tokens on p corresponds to the one in which their h have not fired: no f becomes enabled there,
    because what it lacks is not on p. Conversely, if a marking of the new net is dead, only transitions of H are
    enabled in the old one, and they come to an end: undoing a trace to it completes it so.

    Whether an h can fire is not known any more if no h·f can."""

    what = "places removed by pre-agglomeration"

    def is_possible(self, draft: Draft, times: Times, before: set[int], after: set[int]) -> bool:
        return times.after == 1 and all(_precedes(draft, draft[h]) and self._is_alone(draft, h) for h in before)

    def _is_alone(self, draft: Draft, h: int) -> bool:
        return all(draft.needing[place] == {h} for place in draft[h].consumes)

    def note(self, draft: Draft, place: int) -> None:
        draft.completes = True
        draft.unknown |= set().union(*(draft.transitions[h].covers for h in draft.giving[place]))


def _precedes(draft: Draft, h: NetTransition) -> bool:
    return (
        bool(h.consumes)
        and len(h.produces) == 1
        and not (h.tests or h.inhibitors or h.resets)
        and all(draft.is_hidden(place) for place in h.consumes)
    )


@dataclass(frozen=True)
class FreeAgglomeration(PreAgglomeration):
    """As pre-agglomeration, but others may need what h consumes: moving h back leaves more to them. They may also be
    the only ones that can fire instead of h, so deadlocks are not preserved."""

    what = "places removed by free agglomeration"
    keeps = Kept.PREFIXES

    def _is_alone(self, draft: Draft, h: int) -> bool:
        return True


def _fused(parts: list[Fused], place: int) -> Fused:
    """Transitions fired one after the other, without the arcs at the place between them."""
    consumes: dict[int, int] = {}
    produces: dict[int, int] = {}
    tests: dict[int, int] = {}
    inhibitors: dict[int, int] = {}
    for part in parts:
        transition = part.transition
        for other, weight in transition.tests.items():
            tests[other] = max(tests.get(other, 0), weight + consumes.get(other, 0))
        for other, weight in transition.inhibitors.items():
            inhibitors[other] = min(inhibitors.get(other, weight), weight)
        _add(consumes, transition.consumes, place)
        _add(produces, transition.produces, place)
    first = parts[0].transition
    return Fused(
        NetTransition(
            ", ".join(dict.fromkeys(part.transition.name for part in parts)),
            first.position,
            consumes,
            produces,
            tests,
            inhibitors,
            frozenset().union(*(part.transition.resets for part in parts)),
        ),
        tuple(chain.from_iterable(part.chain for part in parts)),
        frozenset().union(*(part.covers for part in parts)),
    )


def _add(total: dict[int, int], weights: Weights, without: int) -> None:
    for place, weight in weights.items():
        if place != without:
            total[place] = total.get(place, 0) + weight
