"""`--reduce auto`: stubborn sets, if a short measurement shows that they save something.

  1. Search with stubborn sets in little memory. If that visits everything, it is the answer.
  2. If it finds a violation, search again, breadth-first, unreduced and without passes that change the number of steps,
     in somewhat more memory: that finds the shortest trace, if it finds one.
  3. If the memory is used up, look at how many of the listed events were left out. If they are many, search with
     stubborn sets; otherwise without.

The amounts of memory are fixed, so that the choice depends on the model alone. The reduced search has the order and the
store of the request: breadth-first, with any number of threads, and on disk if need be. If the user has named
depth-first search, sleep sets are added.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from scrimp.compatibility import why_not, why_not_searched
from scrimp.searching import Request, Searched, Watching, search
from scrimp.strategies import DepthFirst, Full, Method, Reduction, Sleep, Stubborn
from scrimp.system.nets import is_limited
from scrimp.verdict import Ending

if TYPE_CHECKING:
    from scrimp.frontends.model import Model

SHORT = 4 * 2**20
"""The bytes of a measurement: room for tens of thousands of states."""
MIDDLING = 64 * 2**20
"""The bytes of a search for a shorter trace."""
CLEARLY_FEWER = 0.8
"""The part of the listed events that stubborn sets fire, if they are worth their time."""


NOTHING = "none: there is nothing to leave out"


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
        return replace(chosen, reason=f"none: {obstacle}")
    clock = Clock(request)
    small = replace(reduced, method=_in_memory(reduced.method), most_bytes=SHORT, threads=1)
    short = search(model, watching, small)  # 1
    ending = Ending(short.outcome.reason)
    measured = _measured(short)
    if ending is Ending.VIOLATIONS:
        return _shortened(model, watching, clock, Automatic(short, reduced, measured), "none: for a short trace")
    if ending is not Ending.MEMORY:
        return Automatic(short, reduced, measured) if _left_out(short) else Automatic(short, request, NOTHING)
    if _fired(short) > CLEARLY_FEWER:  # 3
        request = clock.left(request)
        chosen = with_short_trace(model, watching, request, search(model, watching, request))
        return replace(chosen, reason=f"none: {measured} with stubborn sets")
    reduced = clock.left(reduced)
    found = Automatic(search(model, watching, reduced), reduced, measured)
    if Ending(found.searched.outcome.reason) is not Ending.VIOLATIONS:
        return found
    return _shortened(model, watching, clock, found, "none: for a short trace")


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
    again = search(model, watching, replace(request, method=_in_memory(request.method), most_bytes=MIDDLING))  # 2
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
    return f"{_fired(searched):.0%} of the events were fired"


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
