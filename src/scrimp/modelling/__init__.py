"""Models in plain Python: the vocabulary that model files import, and a scheduler that runs them under CPython.

`scrimp check model.py` never executes a model: it translates the text. This package gives the same text its meaning
under CPython, so that a debugger, coverage and type checkers work, and imports nothing else of scrimp.

Example:
    >>> from scrimp.modelling import Model, always, process, step
    >>> class Counter(Model):
    ...     count: int = 0
    ...
    ...     @process(count=2)
    ...     async def worker(self, me: int) -> None:
    ...         seen = self.count
    ...         await step()
    ...         self.count = seen + 1
    >>> Counter().count
    0
"""

from __future__ import annotations

from scrimp.modelling.containers import Array, Condition, Event, Lock, Map, Queue, Semaphore
from scrimp.modelling.declaring import (
    Model,
    action,
    always,
    eventually,
    final,
    leads_to,
    process,
    reachable,
)
from scrimp.modelling.domains import Range, RangeError
from scrimp.modelling.running import run
from scrimp.modelling.waiting import choose, join, require, step, until

__all__ = [
    "Array",
    "Condition",
    "Event",
    "Lock",
    "Map",
    "Model",
    "Queue",
    "Range",
    "RangeError",
    "Semaphore",
    "action",
    "always",
    "choose",
    "eventually",
    "final",
    "join",
    "leads_to",
    "process",
    "reachable",
    "require",
    "run",
    "step",
    "until",
]
