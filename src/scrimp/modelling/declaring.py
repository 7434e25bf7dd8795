"""Declarations: the class that models derive from, and the decorators of its processes, actions and properties."""

from __future__ import annotations

import copy
import inspect
import typing
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, TypeAlias, TypeVar, overload

from scrimp.modelling.containers import Container, plain
from scrimp.modelling.domains import Domain, domain, require_inside

Fairness: TypeAlias = Literal["weak", "strong"]
ProcessMethod = TypeVar("ProcessMethod", bound=Callable[..., Coroutine[Any, Any, None]])
ActionMethod = TypeVar("ActionMethod", bound=Callable[..., None])
PropertyMethod = TypeVar("PropertyMethod", bound=Callable[..., bool])

_ROLE = "__scrimp_role__"


@dataclass(frozen=True)
class Role:
    """What a decorator makes of a method. `count` is how many processes a method describes; None means one, without a
    number. A `daemon` need not end."""

    kind: Literal["process", "action", "always", "reachable", "eventually", "final"]
    count: int | None = None
    daemon: bool = False
    fair: Fairness | None = None


@cache
def _hints(kind: type) -> dict[str, Any]:
    return typing.get_type_hints(kind, include_extras=True)


def _marked(role: Role, method: Any) -> Any:
    setattr(method, _ROLE, role)
    return method


class Model:
    """A model derives from this class. Its annotated fields are the state, each with its initial value.

    Example:
        >>> from scrimp.modelling import Model, action, always, require
        >>> class Counter(Model):
        ...     count: int = 0
        ...
        ...     @action
        ...     def tick(self) -> None:
        ...         require(self.count < 3)
        ...         self.count += 1
        ...
        ...     @always
        ...     def small(self) -> bool:
        ...         '''Never more than three.'''
        ...         return self.count <= 3
    """

    __domains: dict[str, Domain]

    def __init__(self) -> None:
        hints = _hints(type(self))  # type: ignore[arg-type]
        object.__setattr__(self, "_Model__domains", {})
        for name in _state_names(type(self)):
            hint = hints[name]
            initial = copy.deepcopy(getattr(type(self), name))
            if isinstance(initial, Container):
                initial.attach(hint, name)
                object.__setattr__(self, name, initial)
            else:
                self.__domains[name] = domain(hint)
                setattr(self, name, initial)

    def __setattr__(self, name: str, value: object) -> None:
        if name not in self.__domains:
            raise AttributeError(f"{type(self).__name__} declares no field {name} that can be assigned")
        require_inside(self.__domains[name], value, name)
        object.__setattr__(self, name, value)


# These are functions and not methods, so that a model may use any name for its fields and methods.


def _state_names(kind: type[Model]) -> Iterator[str]:
    """The fields, those of base classes first. A field marked `Final` is a constant."""
    seen: set[str] = set()
    for each in reversed(kind.__mro__):
        if not issubclass(each, Model) or each is Model:
            continue
        for name, hint in inspect.get_annotations(each).items():
            is_constant = str(hint).split(".")[-1].startswith("Final")
            if name not in seen and not is_constant:
                seen.add(name)
                yield name


def roles(kind: type[Model]) -> Iterator[tuple[str, Role]]:
    """The processes, actions and properties, in the order of their declaration."""
    seen: set[str] = set()
    for each in reversed(kind.__mro__):
        for name in each.__dict__:
            role = getattr(getattr(kind, name, None), _ROLE, None)
            if isinstance(role, Role) and name not in seen:
                seen.add(name)
                yield name, role


def fields(model: Model) -> dict[str, object]:
    """The value of every field; containers as tuples."""
    return {name: plain(getattr(model, name)) for name in _state_names(type(model))}


@overload
def process(method: ProcessMethod, /) -> ProcessMethod: ...
@overload
def process(
    *, count: int | None = None, daemon: bool = False, fair: Fairness | None = None
) -> Callable[[ProcessMethod], ProcessMethod]: ...
def process(
    method: Any = None, /, *, count: int | None = None, daemon: bool = False, fair: Fairness | None = None
) -> Any:
    """An `async def` method that runs as a process, or as `count` processes, each with its number as the second
    parameter. A `daemon` need not end: waiting forever is no deadlock for it. `fair` is for properties of
    infinite runs: they are asked of the runs in which the process moves again and again if it can move from some point
    on (`"weak"`), or again and again (`"strong"`).

    Example:
        >>> from scrimp.modelling import Model, process, step
        >>> class Workers(Model):
        ...     done: int = 0
        ...
        ...     @process(count=2)
        ...     async def worker(self, me: int) -> None:
        ...         await step()
        ...         self.done += 1
    """
    role = Role("process", count, daemon, fair)
    return _marked(role, method) if method is not None else lambda decorated: _marked(role, decorated)


@overload
def action(method: ActionMethod, /) -> ActionMethod: ...
@overload
def action(*, fair: Fairness | None = None) -> Callable[[ActionMethod], ActionMethod]: ...
def action(method: Any = None, /, *, fair: Fairness | None = None) -> Any:
    """A method that may happen at any time at which all its `require` conditions hold. `fair` is for properties of
    infinite runs: one that may happen from some point on (`"weak"`), or again and again (`"strong"`), does.

    Example:
        >>> from scrimp.modelling import Model, action
        >>> class Clock(Model):
        ...     is_day: bool = True
        ...
        ...     @action
        ...     def turn(self) -> None:
        ...         self.is_day = not self.is_day
    """
    role = Role("action", fair=fair)
    return _marked(role, method) if method is not None else lambda decorated: _marked(role, decorated)


def always(method: PropertyMethod) -> PropertyMethod:
    """A property that must hold in every reachable state; its docstring becomes part of the message.

    Example:
        >>> from scrimp.modelling import Model, always
        >>> class Account(Model):
        ...     balance: int = 10
        ...
        ...     @always
        ...     def solvent(self) -> bool:
        ...         '''The balance is never negative.'''
        ...         return self.balance >= 0
    """
    return typing.cast(PropertyMethod, _marked(Role("always"), method))


def reachable(method: PropertyMethod) -> PropertyMethod:
    """A property that must hold in some reachable state.

    Example:
        >>> from scrimp.modelling import Model, reachable
        >>> class Race(Model):
        ...     finished: int = 0
        ...
        ...     @reachable
        ...     def everybody_finishes(self) -> bool:
        ...         return self.finished == 2
    """
    return typing.cast(PropertyMethod, _marked(Role("reachable"), method))


def eventually(method: PropertyMethod) -> PropertyMethod:
    """A property that must hold at some point of every run.

    Example:
        >>> from scrimp.modelling import Model, eventually
        >>> class Job(Model):
        ...     done: bool = False
        ...
        ...     @eventually
        ...     def finishes(self) -> bool:
        ...         return self.done
    """
    return typing.cast(PropertyMethod, _marked(Role("eventually"), method))


def final(method: PropertyMethod) -> PropertyMethod:
    """A condition under which nothing more needs to happen: a state without steps is no deadlock if it holds.

    Example:
        >>> from scrimp.modelling import Model, final
        >>> class Job(Model):
        ...     done: bool = False
        ...
        ...     @final
        ...     def is_done(self) -> bool:
        ...         return self.done
    """
    return typing.cast(PropertyMethod, _marked(Role("final"), method))


@dataclass(frozen=True)
class LeadsTo:
    """Whenever `cause` holds, `effect` holds then or later."""

    cause: Callable[[Any], bool]
    effect: Callable[[Any], bool]


def leads_to(cause: Callable[[Any], bool], effect: Callable[[Any], bool]) -> LeadsTo:
    """The property that whenever `cause` holds, `effect` holds then or later.

    Example:
        >>> from scrimp.modelling import Model, leads_to
        >>> class Server(Model):
        ...     asked: bool = False
        ...     answered: bool = False
        ...     answers = leads_to(lambda self: self.asked, lambda self: self.answered)
    """
    return LeadsTo(cause, effect)
