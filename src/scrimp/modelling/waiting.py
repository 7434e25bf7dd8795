"""Waiting and choosing: the points at which a scheduler decides what happens."""

from __future__ import annotations

import sys
from collections.abc import Callable, Coroutine, Generator
from contextvars import ContextVar
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, TypeVar

T = TypeVar("T")

Chooser = Callable[[int], int]
"""Chooses one of so many options, by its number."""

chooser: ContextVar[Chooser | None] = ContextVar("chooser", default=None)


@dataclass(frozen=True)
class Turn:
    """A step that is being made: the number of its process, and the exception that was being handled around it."""

    process: int
    around: BaseException | None


turn: ContextVar[Turn | None] = ContextVar("turn", default=None)


def end_fault() -> None:
    """Raise the exception that a `finally` block interrupts: an exception ends the run, so nobody waits or chooses
    after it."""
    now, pending = turn.get(), sys.exc_info()[1]
    if now is not None and pending is not None and pending is not now.around:
        raise pending


class NotEnabled(Exception):
    """A `require` is false: the action cannot happen in this state."""


class Waiting(Generic[T]):
    """A point at which a process waits until `ready`; it then continues with the result of `finish`, in one step."""

    def __init__(self, ready: Callable[[], bool], finish: Callable[[], T]) -> None:
        self.ready = ready
        self._finish = finish

    def __await__(self) -> Generator[Waiting[Any], None, T]:
        end_fault()
        yield self
        return self._finish()


def until(condition: Callable[[], bool]) -> Waiting[None]:
    """Wait until a condition holds; what follows belongs to the same step, so that it still holds.

    Example:
        >>> from scrimp.modelling import Model, process, until
        >>> class Door(Model):
        ...     is_open: bool = False
        ...
        ...     @process
        ...     async def guest(self) -> None:
        ...         await until(lambda: self.is_open)
    """
    return Waiting(lambda: bool(condition()), lambda: None)


def step() -> Waiting[None]:
    """Let others move: the end of one step and the beginning of the next.

    Example:
        >>> from scrimp.modelling import Model, process, step
        >>> class Walker(Model):
        ...     place: int = 0
        ...
        ...     @process
        ...     async def walk(self) -> None:
        ...         self.place += 1
        ...         await step()
        ...         self.place += 1
    """
    return Waiting(lambda: True, lambda: None)


def join(process: Callable[..., Coroutine[Any, Any, None]], number: int | None = None) -> Waiting[None]:
    """Wait until a process is done: all processes of a method, or the one with a number.

    Example:
        >>> from scrimp.modelling import Model, join, process
        >>> class Work(Model):
        ...     done: int = 0
        ...     checked: bool = False
        ...
        ...     @process(count=2)
        ...     async def worker(self, me: int) -> None:
        ...         self.done += 1
        ...
        ...     @process
        ...     async def boss(self) -> None:
        ...         await join(self.worker)
        ...         self.checked = self.done == 2
    """
    return Waiting(partial(_is_done, process.__name__, number), lambda: None)


done: ContextVar[Callable[[str, int | None], bool] | None] = ContextVar("done", default=None)


def _is_done(name: str, number: int | None) -> bool:
    asked = done.get()
    if asked is None:
        raise RuntimeError("join(…) is used only in a model that runs")
    return asked(name, number)


def choose(*options: T) -> T:
    """One of the options. A check explores all of them; a run under CPython takes a random one.

    Example:
        >>> from scrimp.modelling import choose
        >>> choose(1, 2, 3) in (1, 2, 3)
        True
    """
    if not options:
        raise ValueError("choose() needs an option")
    end_fault()
    choice = chooser.get()
    if choice is None:
        from random import randrange

        choice = randrange
    return options[choice(len(options))]


def require(condition: bool) -> None:
    """The action that calls this can happen only if the condition is true.

    Example:
        >>> from scrimp.modelling import Model, action, require
        >>> class Light(Model):
        ...     on: bool = False
        ...
        ...     @action
        ...     def switch_on(self) -> None:
        ...         require(not self.on)
        ...         self.on = True
    """
    if not condition:
        raise NotEnabled
