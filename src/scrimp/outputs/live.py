"""The live line: the progress of a search, on a terminal only; it disappears when the report is printed."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from scrimp.numbers import amount, count, duration, rate, rough, rough_range, rough_time
from scrimp.statistics import Progress
from scrimp.strategies import Method, Store


def anyone_watching() -> bool:
    """Whether standard error is a terminal that can rewrite a line."""
    return sys.stderr.isatty() and os.environ.get("TERM") != "dumb"


@contextmanager
def live_line(opening: str, method: Method) -> Iterator[Callable[[Progress], None]]:
    """Show `opening`, then each progress report in place of the one before.

    rich is loaded here and not by the first report, so that its memory is in use before the byte budget is divided.
    """
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    style = "" if os.environ.get("NO_COLOR") else "dim"  # rich itself only leaves out colours

    def text(content: str) -> Text:
        return Text(content, style=style, overflow="ellipsis", no_wrap=True)

    with Live(text(f"  {opening}"), console=Console(stderr=True), transient=True, auto_refresh=False) as live:
        live.refresh()
        yield lambda progress: live.update(text(progress_text(progress, method)), refresh=True)


def progress_text(progress: Progress, method: Method) -> str:
    per_second = progress.states / progress.seconds if progress.seconds > 0 else 0.0
    order, store = method.order, method.store
    where = "level" if order.has_levels else "depth"
    is_foreseen = progress.forecast is not None and progress.forecast.states is not None
    waiting = () if order.keeps_stack or is_foreseen else (f"{count(progress.frontier)} waiting",)
    parts = (
        f"{count(progress.states)}{_of_all(progress)} {'visits' if store.may_forget else 'states'}",
        *_time_left(progress),
        rate(per_second),
        *waiting,
        f"{where} {count(progress.depth)}",
        *_cache_parts(progress, store),
        amount(progress.bytes),
        duration(progress.seconds),
        *_changes(progress),
    )
    return "  " + " · ".join(parts)


def _of_all(progress: Progress) -> str:
    """How many states there will be, as far as that can be said."""
    if progress.forecast is None or progress.forecast.states is None:
        return ""
    states = progress.forecast.states
    return f" of {rough_range(states.least, states.most)}"


def _time_left(progress: Progress) -> Iterator[str]:
    if progress.forecast is not None and (left := progress.forecast.seconds_left) is not None:
        yield f"{rough_time(left.least, left.most)} left"


def _changes(progress: Progress) -> Iterator[str]:
    """The last change of representation, and the next one."""
    for name, states in progress.changes[-1:]:
        yield f"{name} after {rough(states)}"
    if progress.forecast is not None and (change := progress.forecast.change) is not None:
        doubt = "" if change.is_likely else "perhaps "
        yield f"{doubt}{change.name} at {rough_range(change.states.least, change.states.most)}"


def _cache_parts(progress: Progress, store: Store) -> Iterator[str]:
    """Early signs of whether a cache is large enough: few events lead to a stored state, and the path leaves room for
    other states (GHP92, section 4)."""
    if not store.may_forget or store.forgets_for_good:
        return
    if progress.transitions:
        yield f"{progress.matched / progress.transitions:.0%} matched"
    if store.capacity is not None:
        yield f"path {progress.frontier / store.capacity:.0%} of the cache"
