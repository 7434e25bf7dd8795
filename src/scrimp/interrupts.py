"""Interrupts that wait until they do no harm."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType

# Whoever is interrupted so often, and does not react, hangs.
_MOST = 3


@dataclass
class Interrupts:
    """Those that arrived and were not answered yet."""

    waiting: int = 0
    total: int = 0

    def take(self) -> bool:
        """Whether there were any since the last call."""
        waiting, self.waiting = self.waiting, 0
        return waiting > 0

    def note(self, _number: int, _frame: FrameType | None) -> None:
        """The handler of a signal."""
        self.waiting += 1
        self.total += 1
        if self.total >= _MOST:
            raise KeyboardInterrupt


@contextmanager
def postponed() -> Iterator[Interrupts]:
    """Only note interrupts, so that none tears apart what is being read or written: until the third, which is raised.
    Handlers that the caller has installed stay, and so does the handler of another thread."""
    interrupts = Interrupts()
    is_main = threading.current_thread() is threading.main_thread()
    signals = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP) if is_main else ()
    usual = [number for number in signals if signal.getsignal(number) is signal.default_int_handler]
    for number in usual:
        signal.signal(number, interrupts.note)
    try:
        yield interrupts
    finally:
        for number in usual:
            signal.signal(number, signal.default_int_handler)
