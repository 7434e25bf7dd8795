"""A cache on disk for results of earlier computations on a model.

Each entry is a file, named by its key, with a checksum before its content: code from a damaged file must never run.
If the disk fails, results are only computed again.
"""

from __future__ import annotations

import io
import os
import pickle
import platform
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import Field, fields, is_dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

_MOST_BYTES = 256 * 2**20
_CHECKSUM_BYTES = 32
# Looking at every entry takes long if there are thousands, so only one key in sixteen evicts.
_KEYS_THAT_EVICT = "0"

T = TypeVar("T")


def key_of(*parts: str | bytes) -> str:
    """A key that differs whenever one of the parts does."""
    digest = sha256()
    for part in parts:
        content = part.encode() if isinstance(part, str) else part
        digest.update(len(content).to_bytes(8, "little"))
        digest.update(content)
    return digest.hexdigest()


def cache_folder() -> Path | None:
    """$SCRIMP_CACHE_DIR, or `scrimp` in the user's cache; None if SCRIMP_CACHE is `off` or the user has no home."""
    if os.environ.get("SCRIMP_CACHE") == "off":
        return None
    chosen = os.environ.get("SCRIMP_CACHE_DIR")
    if chosen:
        return Path(chosen)
    try:
        return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "scrimp"
    except RuntimeError:
        return None


@lru_cache
def code_version(*parts: str) -> str:
    """A key that changes whenever the code or a grammar in these parts of the package does."""
    package = Path(__file__).parent
    files = [path for part in parts for path in sorted((package / part).rglob("*"))]
    contents = [path.read_bytes() for path in files if path.suffix in (".py", ".lark")]
    return key_of(sys.version, platform.machine(), *contents)


def load(key: str) -> bytes | None:
    """The content stored under a key; None if there is none or it is damaged."""
    try:
        folder = cache_folder()
        stored = (folder / key).read_bytes() if folder is not None else b""
    except OSError:
        return None
    checksum, content = stored[:_CHECKSUM_BYTES], stored[_CHECKSUM_BYTES:]
    return content if sha256(content).digest() == checksum else None


def store(key: str, content: bytes) -> None:
    """Store content under a key; an entry that several processes read and write at the same time stays complete."""
    with suppress(OSError):
        folder = cache_folder()
        if folder is None:
            return
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor, temporary = tempfile.mkstemp(dir=folder, prefix=".new-")
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(sha256(content).digest() + content)
            os.replace(temporary, folder / key)
        except OSError:
            os.unlink(temporary)
            raise
        if key.startswith(_KEYS_THAT_EVICT):
            _evict(folder)


def recall(key: str) -> object | None:
    """The value stored under a key by `keep`; None if there is none."""
    content = load(key)
    with suppress(Exception):  # an entry of another version may fail to load in any way
        return None if content is None else pickle.loads(content)
    return None


def keep(key: str, value: object) -> None:
    """Store a value for `recall`, unless it is nested too deeply to be written."""
    content = io.BytesIO()
    with suppress(RecursionError):
        _Pickler(content).dump(value)
        store(key, content.getvalue())


class _Pickler(pickle.Pickler):
    """Lets frozen dataclasses with slots be made by their constructors when they are loaded.

    Otherwise Python code looks up the fields of each value and sets them one by one, and a large model, which may have
    hundreds of thousands of expressions, takes two or three times as long to load.
    """

    def __init__(self, file: io.BytesIO) -> None:
        super().__init__(file, pickle.HIGHEST_PROTOCOL)
        self._names: dict[type[Any], tuple[str, ...] | None] = {}

    def reducer_override(self, value: Any) -> Any:
        kind = type(value)
        if kind not in self._names:
            self._names[kind] = _constructor_fields(kind)
        names = self._names[kind]
        if names is None:
            return NotImplemented
        return kind, tuple([getattr(value, name) for name in names])


def _constructor_fields(kind: type[Any]) -> tuple[str, ...] | None:
    """The fields of a frozen dataclass with slots, if its constructor takes just these and does nothing else."""
    own = vars(kind).keys()
    by_default = {"__slots__", "__setstate__"} <= own and "__reduce__" not in own
    if not is_dataclass(kind) or not by_default or hasattr(kind, "__post_init__"):
        return None
    found: tuple[Field[Any], ...] = fields(kind)
    return tuple(field.name for field in found) if all(each.init and not each.kw_only for each in found) else None


def remember(key: str, compute: Callable[[], T]) -> T:
    """The value under a key, computed and kept if it is not there. The key must determine the value's type."""
    found = recall(key)
    if found is not None:
        return found  # type: ignore[return-value]
    value = compute()
    keep(key, value)
    return value


def _evict(folder: Path) -> None:
    """Remove the oldest entries until the others are small enough."""
    with os.scandir(folder) as entries:
        files = [(status.st_mtime, status.st_size, entry.path) for entry in entries if (status := _status(entry))]
    total = sum(size for _, size, _ in files)
    for _, size, path in sorted(files):
        if total <= _MOST_BYTES:
            return
        with suppress(OSError):
            os.unlink(path)
        total -= size


def _status(entry: os.DirEntry[str]) -> os.stat_result | None:
    try:
        return entry.stat(follow_symlinks=False)
    except OSError:
        return None
