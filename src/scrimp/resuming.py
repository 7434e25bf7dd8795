"""resume: continue a search from its last checkpoint."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from scrimp.checking import check, explore
from scrimp.checkpoints.folder import Checkpointing, read
from scrimp.checkpoints.setup import system_digest
from scrimp.compatibility import why_one_thread
from scrimp.errors import OptionError, ScrimpError
from scrimp.frontends import Model, load
from scrimp.inputs import AnyFolder, AnyModel, AnyStore, Memory, Time, model_of
from scrimp.result import Result
from scrimp.searching import ProgressObserver
from scrimp.strategies import Method, parse_store


def resume(
    folder: AnyFolder,
    *,
    model: AnyModel | None = None,
    store: AnyStore | None = None,
    memory: Memory | None = None,
    time: Time | None = None,
    disk: float | str | None = None,
    spill: AnyFolder | None = None,
    threads: int | None = None,
    checkpoint_every: Time | None = None,
    progress: ProgressObserver | None = None,
) -> Result:
    """Continue a search of `check` or `explore` from its last checkpoint.

    The question, the order and the depth limit are those of the search. Its counts, verdict and traces are those of a
    search that was never interrupted.

    Args:
        folder: the directory that was passed as `checkpoint`.
        model: the model, if its file is no longer where it was; it must be the same.
        store: how visited states are stored from now on; by default as before.
        memory: as for `check`; by default as before.
        time: how long this part of the search may take; by default there is no limit, even if there was one before.
        disk: as for `check`.
        spill: as for `check`.
        threads: as for `check`; by default as before, or one if the store needs it.
        checkpoint_every: the time between two checkpoints; by default as before.
        progress: as for `check`.

    Returns:
        The verdict, with its traces and numbers.

    Raises:
        OptionError: if there is no such search, its files are damaged, or the model is another one.

    Example:
        >>> import scrimp, tempfile
        >>> folder = tempfile.mkdtemp()
        >>> scrimp.explore("models/peterson.dve", checkpoint=folder).statistics.states
        20
        >>> resumed = scrimp.resume(folder)
        >>> resumed.statistics.states, resumed.statistics.resumed
        (20, 1)
    """
    folder = Path(folder)
    search = read(folder)
    again = saved_model(folder, search, model)
    method = _method(search["method"], store)
    if threads is None:
        threads = 1 if why_one_thread(method) else search["threads"]
    arguments: dict[str, Any] = {
        "method": method,
        "memory": search["memory"] if memory is None else memory,
        "time": time,
        "disk": disk,
        "spill": spill,
        "depth": search["depth"],
        "threads": threads,
        "shuffle": search["seed"] is not None,
        "seed": search["seed"] or 0,
        "checkpoint": Checkpointing(folder, search["every"], resumes=True),
        "checkpoint_every": checkpoint_every,
        "progress": progress,
    }
    asked = search["asked"]
    arguments |= asked["arguments"]
    return check(again, **arguments) if asked["function"] == "check" else explore(again, **arguments)


def saved_model(folder: Path, search: dict[str, Any], model: AnyModel | None = None) -> Model:
    """The model of a search, read again; refused if it is another one."""
    again = _model(search, folder) if model is None else model_of(model)
    if system_digest(again.system) != search["system"]:
        raise OptionError(
            f"resume: {again.path} is another model than the one of {folder}, or scrimp {search['scrimp']} read it "
            "differently; the search cannot be resumed"
        )
    return again


def _model(search: dict[str, Any], folder: Path) -> Model:
    file = search["file"]
    if file is None:
        raise OptionError(f"resume: the model of {folder} was not read from a file; name it with model= or --model")
    path = Path(file["file"])
    with suppress(OSError):  # the name as it was given, if it still means that file
        path = Path(search["model"]) if os.path.samefile(search["model"], path) else path
    try:
        return load(path, **{name: value for name, value in file.items() if name != "file"})
    except OptionError:
        raise
    except ScrimpError as error:
        raise ScrimpError(f"{error}; if the model of {folder} is somewhere else now, name it with --model") from None


def _method(text: str, store: AnyStore | None) -> Method:
    method = Method.parse(text)
    if store is None:
        return method
    return replace(method, store=parse_store(store) if isinstance(store, str) else store)
