"""The folder of a search that can be resumed: what was asked is in `search.json`; the engine keeps the rest.

search.json                      the question, the method, and where the model is
checkpoint-17, checkpoint-18     see engine/search/checkpoint/folder.h
states-0
"""

from __future__ import annotations

import fcntl
import json
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from scrimp.errors import OptionError

EVERY_SECONDS = 600.0
_SEARCH = "search.json"
_VERSION = 1
_PATIENCE_S = 10.0
_LOOK_AGAIN_S = 0.05


@dataclass(frozen=True, slots=True)
class Checkpointing:
    """Where a search leaves checkpoints, how often, and whether it goes on from one that is there."""

    folder: Path
    every: float = EVERY_SECONDS
    resumes: bool = False


def create(folder: Path, search: Mapping[str, Any]) -> None:
    """Make the folder of a new search."""
    if (folder / _SEARCH).exists():
        raise OptionError(
            f"--checkpoint: {folder} holds another search; continue it with `scrimp resume {folder}`, or remove it"
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise OptionError(f"--checkpoint: {folder} is not empty; name a new directory")
        _write(folder, search)
    except OSError as error:
        raise OptionError(f"--checkpoint: cannot write {folder}: {error.strerror}") from None


def discard(folder: Path) -> None:
    """Remove the folder of a search that did not begin."""
    if any(folder.glob("checkpoint-*")):
        return
    (folder / _SEARCH).unlink(missing_ok=True)
    with suppress(OSError):  # something else is in it
        folder.rmdir()


def read(folder: Path) -> dict[str, Any]:
    """What was asked of the search in a folder."""
    path = folder / _SEARCH
    try:
        content = path.read_bytes()
    except OSError as error:
        raise OptionError(f"resume: {path} cannot be read: {error.strerror}; there is no search to resume") from None
    try:
        record = json.loads(content)
        search = record["search"]
        intact = record["checksum"] == _checksum(search)
    except (ValueError, KeyError, TypeError):
        intact = False
    if not intact:
        raise OptionError(f"resume: {path} is damaged; the search cannot be resumed")
    if record.get("version") != _VERSION or not isinstance(search, dict):
        raise OptionError(f"resume: {path} was written by another version of scrimp")
    return search


@contextmanager
def occupied(folder: Path) -> Iterator[None]:
    """Keep others from using the folder at the same time; the system ends this when this process and the one that
    searches for it have ended."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    os.set_inheritable(handle, True)
    try:
        _lock(handle, folder)
        yield
    finally:
        os.close(handle)


def _lock(handle: int, folder: Path) -> None:
    """Lock the folder. A search that was killed a moment ago still holds it until its processes are gone, which takes
    the system a while if they have much memory or are writing."""
    deadline = time.monotonic() + _PATIENCE_S
    while True:
        try:
            return fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline:
                raise OptionError(f"{folder}: another process is working on this search") from None
        time.sleep(_LOOK_AGAIN_S)


def _write(folder: Path, search: Mapping[str, Any]) -> None:
    """Write, fsync, rename, fsync: the file is complete or absent."""
    text = json.dumps({"version": _VERSION, "checksum": _checksum(search), "search": search}, indent=2)
    temporary = folder / f"{_SEARCH}.new"
    with temporary.open("w", encoding="utf-8") as file:
        file.write(text + "\n")
        file.flush()
        os.fsync(file.fileno())
    os.rename(temporary, folder / _SEARCH)
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _checksum(search: object) -> str:
    return sha256(json.dumps(search, sort_keys=True).encode()).hexdigest()
