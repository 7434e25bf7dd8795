"""The arguments of the public functions: values, or the texts that the command line accepts for them."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias, TypeVar

from scrimp import modelling
from scrimp.arguments import require_kind, require_whole_number
from scrimp.checkpoints.folder import EVERY_SECONDS, Checkpointing
from scrimp.compatibility import Choice, choose, why_one_thread
from scrimp.errors import OptionError
from scrimp.frontends import Model, load
from scrimp.limits import Limits, parse_bytes, parse_seconds
from scrimp.strategies import (
    AUTO,
    Method,
    NoReduction,
    Order,
    Reduction,
    Store,
    parse_order,
    parse_reduction,
    parse_store,
)
from scrimp.threads import MOST_THREADS, available_threads

AnyModel: TypeAlias = Model | str | os.PathLike[str] | type[modelling.Model]
"""A model, the file to load it from, or a class that is a model in Python."""
AnyOrder: TypeAlias = Order | str
"""An order, or its text such as `"dfs"`."""
AnyStore: TypeAlias = Store | str
"""A store, or its text such as `"full:compress=tree"`."""
AnyReduction: TypeAlias = Reduction | str
"""A reduction, or its text such as `"sleep"`; or `"auto"`."""
AnyMethod: TypeAlias = Method | str
"""A method, or its text such as `"dfs/full/sleep"`."""
Memory: TypeAlias = float | str
"""A number of bytes, or a text such as `"200M"`."""
Time: TypeAlias = float | str
"""A number of seconds, or a text such as `"10m"`."""
AnyFolder: TypeAlias = str | os.PathLike[str]
"""A directory."""

Value = TypeVar("Value")


def model_of(model: AnyModel) -> Model:
    """The model itself, or the one in the file that is named."""
    if isinstance(model, str | os.PathLike | type):
        return load(model)
    require_kind("model", model, Model, 'a model such as load("lock.dve"), or its path')
    return model


def choice_of(
    order: AnyOrder | None, store: AnyStore | None, reduction: AnyReduction | None, method: AnyMethod | None
) -> Choice:
    """The method, given as a whole or by its parts; parts that are left out have their defaults."""
    if reduction == AUTO:
        raise OptionError("reduction 'auto' needs check or explore; choose a reduction, or none")
    parts = (
        parse_order(order) if isinstance(order, str) else order,
        parse_store(store) if isinstance(store, str) else store,
        parse_reduction(reduction) if isinstance(reduction, str) else reduction,
    )
    if method is None:
        order, store, reduction = parts
        return choose(order, store, NoReduction() if reduction is None else reduction)
    given = [name for name, part in zip(("order", "store", "reduction"), parts, strict=True) if part is not None]
    if given:
        raise OptionError(f"method: give either a method or its parts; found {' and '.join(['method', *given])}")
    chosen = _named("method", Method.parse, method) if isinstance(method, str) else method
    require_kind("method", chosen, Method, "a method such as 'dfs/full/sleep'")
    return Choice(chosen)


def limits_of(
    memory: Memory | None,
    time: Time | None,
    depth: int | None,
    disk: float | str | None = None,
    spill: str | os.PathLike[str] | None = None,
) -> Limits:
    """The limits of a search that begins now."""
    return Limits(
        memory=bytes_of("memory", memory),
        time=seconds_of("time", time),
        depth=depth,
        disk=bytes_of("disk", disk),
        spill=None if spill is None else Path(spill),
    )


def checkpoint_of(folder: AnyFolder | Checkpointing | None, every: Time | None) -> Checkpointing | None:
    """Where to leave checkpoints."""
    seconds = seconds_of("checkpoint_every", every)
    if folder is None:
        if seconds is not None:
            raise OptionError("--checkpoint-every needs --checkpoint")
        return None
    if isinstance(folder, Checkpointing):
        return folder if seconds is None else replace(folder, every=seconds)
    if not isinstance(folder, str | os.PathLike):
        raise OptionError(f"checkpoint: expected the path of a directory, found {folder!r:.80}")
    return Checkpointing(Path(folder), EVERY_SECONDS if seconds is None else seconds)


def threads_of(threads: int | None, method: Method) -> int:
    """How many threads a search has: by default as many as can run at once, if the method can use several."""
    if threads is None:
        return 1 if why_one_thread(method) else available_threads()
    require_threads(threads)
    return threads


def require_threads(threads: int) -> None:
    require_whole_number("threads", threads, least=1, most=MOST_THREADS)


def bytes_of(name: str, amount: float | str | None) -> int | None:
    """A limit in bytes."""
    if isinstance(amount, str):
        return _named(name, parse_bytes, amount)
    if isinstance(amount, float) and amount.is_integer():  # 2e9
        return int(amount)
    if amount is None or (isinstance(amount, int) and not isinstance(amount, bool)):
        return amount
    raise OptionError(f"{name}: expected a number of bytes or a text such as '200M', found {amount!r:.80}")


def seconds_of(name: str, time: Time | None) -> float | None:
    """A time in seconds."""
    if isinstance(time, str):
        return _named(name, parse_seconds, time)
    if time is None or (isinstance(time, int | float) and not isinstance(time, bool)):
        return time
    raise OptionError(f"{name}: expected a number of seconds or a text such as '10m', found {time!r:.80}")


def _named(name: str, parse: Callable[[str], Value], text: str) -> Value:
    """The value of a text; an error message about it begins with the parameter's name."""
    try:
        return parse(text)
    except OptionError as error:
        raise OptionError(f"{name}: {error}") from None
