"""The reduction that `check` uses unless something is named, and `--reduce auto`: stubborn sets, if a short measurement
shows that they pay.

  1. Search some dozen states without a reduction: if there are no more, or a violation is among them, nothing was
     spent on relations between events.
  2. Search some thousand states with stubborn sets. If there are no more, that is the answer.
  3. If it finds a violation, search again, breadth-first, unreduced and without passes that change the number of steps,
     in little memory and not many more states, unless that is not expected to suffice: that finds the shortest trace,
     if it finds one.
  4. Otherwise search some ten thousand states without a reduction. If there are no more, or a violation is among them,
     that is the answer.
  5. Compare the two: the part of the states that stubborn sets keep within as many steps, and whether it grows with the
     number of steps; and the work for each state. If the part times the work is clearly less than without them,
     search with stubborn sets; otherwise without. If fewer states are asked for, by `--reduce auto`, half of them
     suffice.

Small models must not pay for large ones. Code for the short searches is compiled quickly, and the compiler waits for
the model as written (3). Code is optimised for a long search, if it is not about to end by the forecast.

How many events are left out says little about this: a few that are left out in every tenth state may save most of the
states, and half of all events may save none, if they lead to states that are met anyway. Depth-first there are no steps
to compare, so that the events must do.

All numbers are counts, so that the choice depends on the model alone. The reduced search has the order and the store of
the request: breadth-first, with any number of threads, and on disk if need be. If the user has named depth-first
search, sleep sets are added.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from itertools import accumulate, islice
from typing import TYPE_CHECKING, NamedTuple

from scrimp.compatibility import why_not, why_not_searched
from scrimp.forecast import all_states
from scrimp.levels import Levels
from scrimp.machine.compiler import compilers_wait
from scrimp.searching import Request, Searched, Watching, search
from scrimp.strategies import DepthFirst, Full, Method, Reduction, Sleep, Stubborn
from scrimp.system.nets import is_limited
from scrimp.verdict import Ending

if TYPE_CHECKING:
    from scrimp.frontends.model import Model

FEW = 50
"""The states of a search that comes before the measurement."""
SHORT = 4 * 2**20
"""The bytes of a small measurement; in so little memory, rounds of a search are short, and it soon ends."""
MEASURED = 8_000
LEAST_MEASURED = 1_000
"""The states of a measurement: fewer if there are many transitions."""
MEASURED_PAIRS = 800_000
"""The states of a measurement times the transitions: each state may look at each transition."""
COMPARED = 4
"""How many times as many states are visited without a reduction, to compare."""
WORTH_OPTIMISING = 500_000
"""The states of a search for which code is optimised. It is faster by a tenth to a third."""
SOON_OVER = 100
"""The states, for each transition, that take less time than optimising the code for it."""
LEAST_FOR_TRACE = 1_000_000
"""The states of a search for a shorter trace, if the search that found a longer one had fewer."""
ENOUGH_STEPS = 3
"""With fewer, most of the states may be those of a few large choices at the beginning."""
MIDDLING = 64 * 2**20
"""The bytes of a search for a shorter trace."""
CLEARLY_FEWER = 0.5
"""The part of the events that stubborn sets fire, if they are worth their time, depth-first; the part of the states
that they keep, if fewer states are asked for."""
PAYS = 0.85
"""The part of the work that is expected to be left, if stubborn sets are worth it: the estimate is rough."""
EARLIER = 8
"""The part of the states that is kept is compared with that when there were so many times fewer states."""
FORESEEN = 3
"""For how many times `EARLIER` as many states its growth is assumed to go on."""
SUCCESSOR_WORK = 4
"""The work of listing a successor and looking it up, for each word of it, if looking at an event is 1."""
CHOICE_WORK = 20
"""The work of each choice, besides looking at events."""
PAIR_WORK = 0.25
"""The work of comparing two enabled events."""


NOTHING = "there is nothing to leave out"
SMALL = "there are few states"
AT_ONCE = "a violation was found at once"
FOR_TRACE = "for a short trace"
ONE_PROCESS = "there is only one process"


@dataclass(frozen=True)
class Automatic:
    """The search that answers the question, its request, and why it has this reduction."""

    searched: Searched
    request: Request
    reason: str


@compilers_wait()
def search_reduced(model: Model, watching: Watching, request: Request) -> Automatic:
    """Search by a reduction that is chosen automatically; the request has none."""
    reduced = replace(request, method=replace(request.method, reduction=_reduction(model, request)))
    obstacle = why_none(model, request, reduced)
    if obstacle == ONE_PROCESS:
        return replace(_unreduced(model, watching, Clock(request), request), reason=obstacle)
    if obstacle:
        chosen = with_short_trace(model, watching, request, search(model, watching, request))
        return replace(chosen, reason=obstacle)
    clock = Clock(request)
    first = _small_search(model, watching, request, FEW)  # 1
    if not _is_cut_short(first):
        return replace(with_short_trace(model, watching, request, first), reason=_reason_of(first))
    for size in _sizes(first):
        short = _small_search(model, watching, clock.left(reduced), size, first)  # 2
        if not _is_cut_short(short):
            return _whole(model, watching, clock, short, reduced)
        whole = _small_search(model, watching, clock.left(request), COMPARED * size, short)  # 4
        if not _is_cut_short(whole):
            return replace(with_short_trace(model, watching, request, whole), reason=_reason_of(whole))
        if _common_steps(whole, short) >= ENOUGH_STEPS:
            break
    comparison = _comparison(whole, short, is_soon=request.is_default)  # 5
    if not comparison.pays:
        chosen = _unreduced(model, watching, clock, request, whole)
        return replace(chosen, reason=f"stubborn sets {comparison.why}")
    reduced = replace(clock.left(reduced), is_short=_is_soon_over(whole))
    found = Automatic(search(model, watching, reduced, whole), reduced, f"it {comparison.why}")
    return _with_short_trace(model, watching, clock, found, comparison.kept)


def _unreduced(
    model: Model, watching: Watching, clock: Clock, request: Request, whole: Searched | None = None
) -> Automatic:
    """A search of all states. It begins with as many as need no optimised code, unless as many are known already."""
    transitions = len(model.system.transitions) if whole is None else whole.native.transitions
    states = max(COMPARED * MEASURED, SOON_OVER * transitions)
    if whole is None or (Ending(whole.outcome.reason) is Ending.STATES and whole.outcome.states < states):
        whole = _small_search(model, watching, clock.left(request), states, whole)
    if _is_cut_short(whole):
        whole = search(model, watching, replace(clock.left(request), is_short=_is_soon_over(whole)), whole)
    return with_short_trace(model, watching, request, whole)


def _whole(model: Model, watching: Watching, clock: Clock, short: Searched, reduced: Request) -> Automatic:
    """The end of a measurement that was the whole search."""
    is_over = Ending(short.outcome.reason) in (Ending.CLOSED, Ending.VIOLATIONS)
    if is_over and not _left_out(short):
        unreduced = replace(short, request=clock.request)
        return replace(with_short_trace(model, watching, clock.request, unreduced), reason=NOTHING)
    return _with_short_trace(model, watching, clock, Automatic(short, reduced, _measured(short)))


class _Comparison(NamedTuple):
    """`kept` is the part of the states that a reduction keeps within the steps of the measurement."""

    pays: bool
    why: str
    kept: float


def _comparison(whole: Searched, short: Searched, *, is_soon: bool) -> _Comparison:
    """Whether a reduced search is likely to be done sooner than one of all states, given the beginnings of both, or to
    have far fewer states if that suffices."""
    steps = _common_steps(whole, short)
    if steps < ENOUGH_STEPS:
        fired = _fired(short)
        return _Comparison(fired <= CLEARLY_FEWER, f"left out {1 - fired:.0%} of the events", 1)
    expected = _kept(whole, short, steps)
    factor = _work_reduced(short) / _work(whole)
    pays = expected * factor <= PAYS or (not is_soon and expected <= CLEARLY_FEWER)
    saving = "saves" if pays else "would save"
    return _Comparison(
        pays,
        f"{saving} about {1 - expected:.0%} of the states, at {factor:.1f} times the work for each",
        _within(steps, short) / _within(steps, whole),
    )


def _kept(whole: Searched, short: Searched, steps: int) -> float:
    """The part of the states that a reduction keeps in the end, if it grows as it did within so many steps."""
    now = _within(steps, short) / _within(steps, whole)
    states = accumulate(states for states, _ in Levels(short.outcome.levels))
    before = sum(1 for each in states if each * EARLIER <= _within(steps, short)) - 1
    if before < 1:
        return now
    growth = now - _within(before, short) / _within(before, whole)
    return min(now + FORESEEN * max(growth, 0), 1)


def _work(searched: Searched) -> float:
    """The work for one state, without a reduction."""
    outcome = searched.outcome
    return (1 + outcome.transitions / outcome.states) * SUCCESSOR_WORK * searched.native.layout.words


def _work_reduced(searched: Searched) -> float:
    """The same with a reduction: all successors are listed, and those that are fired are looked up."""
    outcome = searched.outcome
    fired = outcome.transitions / outcome.states
    listed = fired + _left_out(searched) / outcome.states
    looked_at = int(outcome.report.get("reduction.looked_at", 0)) / outcome.states
    successors = (1 + (listed + fired) / 2) * SUCCESSOR_WORK * searched.native.layout.words
    return successors + looked_at + CHOICE_WORK + PAIR_WORK * listed**2


def _common_steps(one: Searched, other: Searched) -> int:
    """The levels that both have completed, but for the first; none depth-first."""
    return min(len(Levels(each.outcome.levels)) for each in (one, other)) - 2


def _within(steps: int, searched: Searched) -> int:
    return sum(states for states, _ in islice(Levels(searched.outcome.levels), steps + 1))


def _with_short_trace(model: Model, watching: Watching, clock: Clock, found: Automatic, kept: float = 1) -> Automatic:
    """The same, or another violation after the fewest steps; `kept` is the part of the states that was visited."""
    return _shortened(model, watching, clock, found, FOR_TRACE, kept) if _is_refuted(found.searched) else found


def _small_search(
    model: Model, watching: Watching, request: Request, states: int, before: Searched | None = None
) -> Searched:
    """The beginning of a search, with few states; if there are no more, it is the whole."""
    method = _in_memory(request.method)
    room = SHORT * max(states // MEASURED, 1) + (method.store.table_bytes or 0)
    small = replace(request, method=method, most_bytes=room, most_states=states, is_short=True, threads=1)
    return replace(search(model, watching, small, before), request=request)


def _reason_of(first: Searched) -> str:
    """Why a search that was over at once has no reduction; nothing if it was interrupted."""
    return {Ending.CLOSED: SMALL, Ending.VIOLATIONS: AT_ONCE}.get(Ending(first.outcome.reason), "")


def _sizes(searched: Searched) -> tuple[int, int]:
    """The states of a measurement, and of another one if that was too shallow."""
    transitions = searched.native.transitions
    size = min(MEASURED, max(LEAST_MEASURED, MEASURED_PAIRS // max(transitions, 1)))
    return size, 8 * size


def _is_cut_short(searched: Searched) -> bool:
    """Whether a measurement ended before the search did."""
    return Ending(searched.outcome.reason) in (Ending.STATES, Ending.MEMORY)


def _is_soon_over(searched: Searched) -> bool:
    """Whether a search that was cut short was to have so few states that optimising its code takes longer."""
    levels = [states for states, _ in Levels(searched.outcome.levels)]
    expected = all_states(levels[:-1], levels[-1])
    return expected is not None and expected.most <= WORTH_OPTIMISING


def _is_refuted(searched: Searched) -> bool:
    return Ending(searched.outcome.reason) is Ending.VIOLATIONS


def why_none(model: Model, request: Request, reduced: Request) -> str:
    """Why a search is not reduced, if there is a reason before any measurement."""
    if len(model.system.processes) == 1:
        return ONE_PROCESS
    if request.limits.depth is not None:
        return "the depth is limited"
    return why_not(reduced.method) or why_not_searched(reduced.method.reduction, model.system) or ""


def _reduction(model: Model, request: Request) -> Reduction:
    """Without the proviso, nothing but deadlocks is preserved: not that a place exceeds a limit, beyond which nothing
    is known."""
    stubborn = Stubborn(proviso=not request.only_deadlock or is_limited(model.system))
    if not isinstance(request.method.order, DepthFirst):
        return stubborn
    both = stubborn + Sleep()
    return stubborn if why_not(replace(request.method, reduction=both)) else both


def _in_memory(method: Method) -> Method:
    return replace(method, store=Full()) if method.store.changes else method


def with_short_trace(model: Model, watching: Watching, request: Request, searched: Searched) -> Automatic:
    """The end of a search; if passes may have lengthened the trace that it found, that of a search without them."""
    found = Automatic(searched, request, "")
    if _keeps_steps(searched) or Ending(searched.outcome.reason) is not Ending.VIOLATIONS:
        return found
    return _shortened(model, watching, Clock(request), found, "")


def _shortened(
    model: Model, watching: Watching, clock: Clock, found: Automatic, reason: str, kept: float = 1
) -> Automatic:
    """The same violation, or another one, at the end of a shortest trace, if that can be found in little memory, and
    among a million states or as many as a reduced search has visited: it must not take much longer than that. It is not
    begun if so many states are expected that it would be in vain: it takes code of its own."""
    if isinstance(clock.request.method.order, DepthFirst):
        return found
    visited = found.searched.outcome.states
    expected = visited / kept
    keeps_steps = _keeps_steps(found.searched)
    most = max(visited, LEAST_FOR_TRACE)
    if expected * found.searched.native.layout.words * 8 > MIDDLING or expected > most - (not keeps_steps):
        return found
    passes = clock.request.passes if keeps_steps else ()
    request = replace(clock.left(clock.request), passes=passes, symmetry=False, checkpoint=None)
    small = replace(request, method=_in_memory(request.method), most_bytes=MIDDLING, most_states=most)
    small = replace(small, is_short=visited <= WORTH_OPTIMISING)
    again = search(model, watching, small, found.searched)  # 3
    if Ending(again.outcome.reason) is not Ending.VIOLATIONS:
        return found
    return Automatic(again, request, reason)


def _keeps_steps(searched: Searched) -> bool:
    return all(note.keeps_steps for note in searched.passed.notes)


def _fired(searched: Searched) -> float:
    """The part of the listed events that were fired."""
    fired = searched.outcome.transitions
    return fired / max(fired + _left_out(searched), 1)


def _left_out(searched: Searched) -> int:
    return int(searched.outcome.report.get("reduction.left_out", 0))


def _measured(searched: Searched) -> str:
    left_out = _left_out(searched)
    return f"it left out {left_out:,} of {searched.outcome.transitions + left_out:,} events"


class Clock:
    """Divides the time limit of a request among several searches."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self.began = time.monotonic()

    def left(self, request: Request) -> Request:
        limits = self.request.limits
        if limits.time is None:
            return request
        left = max(limits.time - (time.monotonic() - self.began), 0.001)
        return replace(request, limits=replace(limits, time=left))
