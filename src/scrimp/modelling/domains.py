"""Domains: which values an annotation allows. A value outside is a fault, as in the compiled model."""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import Annotated, Any, TypeAlias, Union, get_args, get_origin

LOWEST, HIGHEST = -(2**31), 2**31 - 1


class RangeError(ValueError):
    """A value is outside the range that its declaration gives.

    Example:
        >>> from scrimp.modelling import Model, RangeError
        >>> class Switch(Model):
        ...     on: bool = False
        >>> try:
        ...     Switch().on = 3
        ... except RangeError as error:
        ...     print(error)
        value 3 is outside the range of on
    """


@dataclass(frozen=True)
class Range:
    """The whole numbers from `low` to `high`, both included, as part of a type.

    Example:
        >>> from typing import Annotated
        >>> from scrimp.modelling import Range
        >>> Slot = Annotated[int, Range(0, 3)]
    """

    low: int
    high: int


Domain: TypeAlias = Callable[[Any], bool]
"""Whether a value is one of a type."""


@cache
def domain(annotation: Any) -> Domain:
    """The domain of an annotation, with its names resolved; raises TypeError for one that models do not have."""
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        bounds = next((each for each in arguments[1:] if isinstance(each, Range)), Range(LOWEST, HIGHEST))
        return lambda value: _is_int(value) and bounds.low <= value <= bounds.high
    if annotation is bool:
        return lambda value: isinstance(value, bool)
    if annotation is int:
        return lambda value: _is_int(value) and LOWEST <= value <= HIGHEST
    if annotation in (None, type(None)):
        return lambda value: value is None
    if origin in (Union, types.UnionType):
        choices = [domain(each) for each in arguments]
        return lambda value: any(choice(value) for choice in choices)
    if origin is tuple:
        items = [domain(each) for each in arguments]
        return lambda value: (
            isinstance(value, tuple)
            and len(value) == len(items)
            and all(item(each) for item, each in zip(items, value, strict=True))
        )
    if origin is frozenset:
        item = domain(arguments[0])
        return lambda value: isinstance(value, frozenset) and all(map(item, value))
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return lambda value: isinstance(value, annotation)
    if isinstance(annotation, type) and dataclasses.is_dataclass(annotation):
        return _record(annotation)
    raise TypeError(f"a model has no values of type {annotation}")


def _is_int(value: object) -> bool:
    return isinstance(value, int)


def _record(kind: type) -> Domain:
    hints = typing.get_type_hints(kind, include_extras=True)
    fields = {name: domain(hint) for name, hint in hints.items()}
    return lambda value: isinstance(value, kind) and all(item(getattr(value, name)) for name, item in fields.items())


def require_inside(inside: Domain | None, value: object, name: str) -> None:
    """Raise RangeError unless the value is in the domain."""
    if inside is not None and not inside(value):
        raise RangeError(f"value {value!r} is outside the range of {name}")
