"""`--reduce auto`: a reduction that is sound for the question, the model and the store, if a short measurement shows
that it saves something.

  1. Search with stubborn and sleep sets, depth-first, in little memory. If that closes, it is the answer.
  2. If it finds a violation, search again, breadth-first, unreduced and as written, in somewhat more memory: that
     finds the shortest trace, if it finds one.
  3. If the memory is used up, count the events that are fired in each state, on average, with stubborn sets and
     without, in as little memory again. If stubborn sets fire clearly fewer, search with them; otherwise without.

The amounts of memory are fixed, so that the choice depends on the model alone.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from scrimp.compatibility import why_not, why_not_searched
from scrimp.searching import Request, Searched, Watching, search
from scrimp.strategies import DepthFirst, Full, Method, NoReduction, Reduction, Sleep, Stubborn
from scrimp.system.nets import is_limited
from scrimp.verdict import Ending

if TYPE_CHECKING:
    from scrimp.frontends.model import Model

SHORT = 4 * 2**20
"""The bytes of a measurement: room for tens of thousands of states."""
MIDDLING = 64 * 2**20
"""The bytes of a search for a shorter trace."""
CLEARLY_FEWER = 0.8

REDUCED = "chosen together with the reduction"


@dataclass(frozen=True)
class Automatic:
    """The search that answers the question, its request, and why it has this reduction."""

    searched: Searched
    request: Request
    reason: str


def search_reduced(model: Model, watching: Watching, request: Request) -> Automatic:
    """Search by a reduction that is chosen automatically; the request has none."""
    reduced = _reduced(model, request)
    obstacle = why_none(model, request, reduced)
    if obstacle:
        return Automatic(search(model, watching, request), request, f"none: {obstacle}")
    clock = Clock(request)
    short = search(model, watching, replace(reduced, most_bytes=SHORT))  # 1
    ending = Ending(short.outcome.reason)
    if ending is Ending.VIOLATIONS:
        found = Automatic(short, reduced, "it found the violation")
        return _shortened(model, watching, clock, found, "none: for a short trace")
    if ending is not Ending.MEMORY:
        return Automatic(short, reduced, "a short search sufficed")
    fewer = [  # 3
        _fired(search(model, watching, replace(clock.left(reduced), method=method, most_bytes=SHORT)))
        for method in (_with(reduced.method, _stubborn(model, request)), _with(reduced.method, NoReduction()))
    ]
    measured = f"{fewer[0]:.1f} of {fewer[1]:.1f} events per state are fired"
    if fewer[0] > CLEARLY_FEWER * fewer[1]:
        request = clock.left(request)
        return Automatic(search(model, watching, request), request, f"none: {measured} with stubborn sets")
    reduced = clock.left(reduced)
    return Automatic(search(model, watching, reduced), reduced, measured)


def why_none(model: Model, request: Request, reduced: Request) -> str:
    """Why a search is not reduced, if there is a reason before any measurement."""
    if len(model.system.processes) == 1:
        return "there is only one process"
    if request.limits.depth is not None:
        return "the depth is limited"
    return why_not(reduced.method) or why_not_searched(reduced.method.reduction, model.system) or ""


def _reduced(model: Model, request: Request) -> Request:
    store = Full() if request.method.store.changes else request.method.store
    method = Method(order=DepthFirst(), store=store, reduction=_stubborn(model, request) + Sleep())
    reason = "" if isinstance(request.method.order, DepthFirst) else REDUCED
    return replace(request, method=method, order_reason=reason, threads=1)


def _stubborn(model: Model, request: Request) -> Stubborn:
    """Without the proviso, nothing but deadlocks is preserved: not that a place exceeds a limit, beyond which nothing
    is known."""
    return Stubborn(proviso=not request.only_deadlock or is_limited(model.system))


def _with(method: Method, reduction: Reduction) -> Method:
    return replace(method, reduction=reduction)


def with_short_trace(model: Model, watching: Watching, request: Request, searched: Searched) -> Automatic:
    """The end of a search; if passes may have lengthened the trace that it found, that of a search without them."""
    found = Automatic(searched, request, "")
    keeps_steps = all(note.keeps_steps for note in searched.passed.notes)
    if keeps_steps or Ending(searched.outcome.reason) is not Ending.VIOLATIONS:
        return found
    return _shortened(model, watching, Clock(request), found, "")


def _shortened(model: Model, watching: Watching, clock: Clock, found: Automatic, reason: str) -> Automatic:
    """The same violation, or another one, at the end of a shortest trace, if that can be found in little memory."""
    if isinstance(clock.request.method.order, DepthFirst):
        return found
    request = replace(clock.left(clock.request), passes=(), symmetry=False, checkpoint=None)
    again = search(model, watching, replace(request, most_bytes=MIDDLING))  # 2
    if Ending(again.outcome.reason) is not Ending.VIOLATIONS:
        return found
    return Automatic(again, request, reason)


def _fired(searched: Searched) -> float:
    return searched.outcome.transitions / max(searched.outcome.states, 1)


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
