"""Scheduling: runs a model under CPython, one step at a time, and leaves every choice to the caller."""

from __future__ import annotations

import ast
import inspect
import sys
import textwrap
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any

from scrimp.modelling.containers import Condition
from scrimp.modelling.declaring import Model, Role, roles
from scrimp.modelling.starting import starts_at_await
from scrimp.modelling.waiting import Chooser, NotEnabled, Turn, Waiting, chooser, done, turn


@dataclass(frozen=True)
class Fault:
    """A step raised an exception."""

    error: Exception

    def __str__(self) -> str:
        return f"{type(self.error).__name__}: {self.error}".rstrip(": ")


@dataclass
class Task:
    """A process: its coroutine, and what it waits for; None before its first step. An action has no coroutine."""

    name: str
    role: Role
    begin: Callable[[], Any]
    coroutine: Coroutine[Waiting[Any], None, None] | None = None
    waiting: Waiting[Any] | None = None
    is_done: bool = False

    @property
    def method(self) -> str:
        return self.name.partition("[")[0]


@dataclass
class World:
    """A model with its processes, ready to run.

    A fault ends the run: the state after it is of no interest.
    """

    model: Model
    tasks: list[Task] = field(default_factory=list)

    def __post_init__(self) -> None:
        for name, role in roles(type(self.model)):
            if role.kind not in ("process", "action"):
                continue
            method = getattr(self.model, name)
            if role.count is None:
                self.tasks.append(Task(name, role, method))
                continue
            for number in range(role.count):
                self.tasks.append(Task(f"{name}[{number}]", role, partial(method, number)))
        for task in self.tasks:
            if task.role.kind == "process":
                task.coroutine = task.begin()
                if _starts_at_await(type(self.model), task.method):  # type: ignore[arg-type]
                    task.waiting = task.coroutine.send(None)

    def ready(self) -> list[int]:
        """The numbers of the processes that are not waiting, and of all actions."""
        token = done.set(self.is_done)
        try:
            return [number for number, task in enumerate(self.tasks) if not task.is_done and _is_ready(task)]
        finally:
            done.reset(token)

    def is_done(self, method: str, number: int | None) -> bool:
        """Whether the processes of a method are done, or the one with a number."""
        wanted = f"{method}[{number}]"
        found = [task for task in self.tasks if task.name == wanted or (number is None and task.method == method)]
        return all(task.is_done for task in found)

    def step(self, number: int, choose: Chooser) -> Fault | None:
        """Let a process, or an action, make one step; raises NotEnabled if an action's `require` is false."""
        task = self.tasks[number]
        tokens = chooser.set(choose), turn.set(Turn(number, sys.exc_info()[1])), done.set(self.is_done)
        try:
            if task.coroutine is None:
                task.begin()
            else:
                if task.waiting is not None:
                    task.waiting.ready()  # a condition that cannot be evaluated is a fault of this step
                task.waiting = task.coroutine.send(None)
        except StopIteration:
            task.is_done = True
        except (NotEnabled, Undecided):
            raise
        except Exception as error:
            if isinstance(error.__context__, Undecided):  # raised by a finally block that the question interrupted
                raise error.__context__ from None
            return Fault(error)
        finally:
            chooser.reset(tokens[0])
            turn.reset(tokens[1])
            done.reset(tokens[2])
        return None

    def close(self) -> None:
        """Drop the coroutines. What they do while they are closed, in `finally` blocks, is of no interest."""
        for number, task in enumerate(self.tasks):
            if task.coroutine is None:
                continue
            token = turn.set(Turn(number, sys.exc_info()[1]))
            with suppress(Exception):
                task.coroutine.close()
            turn.reset(token)


class Undecided(BaseException):
    """A step needs a decision that the caller has not made yet: one of `options`."""

    def __init__(self, options: int) -> None:
        super().__init__(options)
        self.options = options


def decided(decisions: Sequence[int]) -> Chooser:
    """A chooser that follows decisions made before; raises Undecided beyond them."""
    left = list(decisions)

    def choose(options: int) -> int:
        if not left:
            raise Undecided(options)
        return left.pop(0)

    return choose


def _is_ready(task: Task) -> bool:
    """A condition that cannot be evaluated is a fault of the step that it guards, so that step is ready."""
    if task.waiting is None:
        return True
    try:
        return task.waiting.ready()
    except Exception:
        return True


@cache
def _starts_at_await(kind: type, method: str) -> bool:
    text = textwrap.dedent(inspect.getsource(getattr(kind, method)))
    (function,) = ast.parse(text).body
    assert isinstance(function, ast.AsyncFunctionDef)
    conditions = (name for name, value in inspect.getmembers(kind) if isinstance(value, Condition))
    return starts_at_await(function.body, frozenset(conditions))
