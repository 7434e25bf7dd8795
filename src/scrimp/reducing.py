"""`--reduce auto`: stubborn sets, if a short measurement shows that they save something.

  1. Search some dozen states without a reduction: if there are no more, or a violation is among them, nothing was
     spent on relations between events.
  2. Search some thousand states with stubborn sets. If there are no more, that is the answer.
  3. If it finds a violation, search again, breadth-first, unreduced and without passes that change the number of steps,
     in little memory: that finds the shortest trace, if it finds one.
  4. Otherwise search some ten thousand states without a reduction. If there are no more, or a violation is among them,
     that is the answer. If there are clearly more states within as many steps, search with stubborn sets; otherwise
     without.

How many events are left out says little about this: a few that are left out in every tenth state may save most of the
states, and half of all events may save none, if they lead to states that are met anyway. Depth-first there are no steps
to compare, so that the events must do.

The numbers of states are fixed, so that the choice depends on the model alone. The reduced search has the order and the
store of the request: breadth-first, with any number of threads, and on disk if need be. If the user has named
depth-first search, sleep sets are added.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

from scrimp.compatibility import why_not, why_not_searched
from scrimp.levels import Levels
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
ENOUGH_STEPS = 3
"""With fewer, most of the states may be those of a few large choices at the beginning."""
MIDDLING = 64 * 2**20
"""The bytes of a search for a shorter trace."""
CLEARLY_FEWER = 0.5
"""The part of the states that stubborn sets keep, if they are worth their time; depth-first, of the events."""


NOTHING = "there is nothing to leave out"
SMALL = "there are few states"
AT_ONCE = "a violation was found at once"
FOR_TRACE = "for a short trace"


@dataclass(frozen=True)
class Automatic:
    """The search that answers the question, its request, and why it has this reduction."""

    searched: Searched
    request: Request
    reason: str


def search_reduced(model: Model, watching: Watching, request: Request) -> Automatic:
    """Search by a reduction that is chosen automatically; the request has none."""
    reduced = replace(request, method=replace(request.method, reduction=_reduction(model, request)))
    obstacle = why_none(model, request, reduced)
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
    kept, why = _comparison(whole, short)
    if kept > CLEARLY_FEWER:
        request = clock.left(request)
        chosen = with_short_trace(model, watching, request, search(model, watching, request, short))
        return replace(chosen, reason=f"stubborn sets {why}")
    reduced = clock.left(reduced)
    found = Automatic(search(model, watching, reduced, short), reduced, f"it {why}")
    return _with_short_trace(model, watching, clock, found)


def _whole(model: Model, watching: Watching, clock: Clock, short: Searched, reduced: Request) -> Automatic:
    """The end of a measurement that was the whole search."""
    is_over = Ending(short.outcome.reason) in (Ending.CLOSED, Ending.VIOLATIONS)
    if is_over and not _left_out(short):
        unreduced = replace(short, request=clock.request)
        return replace(with_short_trace(model, watching, clock.request, unreduced), reason=NOTHING)
    return _with_short_trace(model, watching, clock, Automatic(short, reduced, _measured(short)))


def _comparison(whole: Searched, short: Searched) -> tuple[float, str]:
    """The part of the states that a reduced search has visited in as many steps as one of all states, and that in
    words; of the events if there are too few steps."""
    steps = _common_steps(whole, short)
    if steps < ENOUGH_STEPS:
        fired = _fired(short)
        return fired, f"left out {1 - fired:.0%} of the events"
    part = _within(steps, short) / _within(steps, whole)
    return part, f"saved {1 - part:.0%} of the states within {steps} steps"


def _common_steps(one: Searched, other: Searched) -> int:
    """The levels that both have completed, but for the first; none depth-first."""
    return min(len(Levels(each.outcome.levels)) for each in (one, other)) - 2


def _within(steps: int, searched: Searched) -> int:
    return sum(states for states, _ in islice(Levels(searched.outcome.levels), steps + 1))


def _with_short_trace(model: Model, watching: Watching, clock: Clock, found: Automatic) -> Automatic:
    """The same, or another violation after the fewest steps."""
    return _shortened(model, watching, clock, found, FOR_TRACE) if _is_refuted(found.searched) else found


def _small_search(
    model: Model, watching: Watching, request: Request, states: int, before: Searched | None = None
) -> Searched:
    """The beginning of a search, with few states; if there are no more, it is the whole."""
    method = _in_memory(request.method)
    room = SHORT * max(states // MEASURED, 1) + (method.store.table_bytes or 0)
    small = replace(request, method=method, most_bytes=room, most_states=states, threads=1)
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


def _is_refuted(searched: Searched) -> bool:
    return Ending(searched.outcome.reason) is Ending.VIOLATIONS


def why_none(model: Model, request: Request, reduced: Request) -> str:
    """Why a search is not reduced, if there is a reason before any measurement."""
    if len(model.system.processes) == 1:
        return "there is only one process"
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


def _shortened(model: Model, watching: Watching, clock: Clock, found: Automatic, reason: str) -> Automatic:
    """The same violation, or another one, at the end of a shortest trace, if that can be found in little memory."""
    if isinstance(clock.request.method.order, DepthFirst):
        return found
    passes = clock.request.passes if _keeps_steps(found.searched) else ()
    request = replace(clock.left(clock.request), passes=passes, symmetry=False, checkpoint=None)
    small = replace(request, method=_in_memory(request.method), most_bytes=MIDDLING)
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
