"""A cache on disk for results that were computed for a model, so that the next search can use them.

Each entry is a file, named by its key, with a checksum before its content: code from a damaged file must never run.
If the disk fails in any way, results are just computed again.
"""

from __future__ import annotations

import os
import pickle
import platform
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

_MOST_BYTES = 256 * 2**20
_CHECKSUM_BYTES = 32
# Looking at every entry takes long if there are thousands, so only one key in sixteen does it.
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
    """A text that changes whenever the code or a grammar in these parts of the package does."""
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
    """Store content under a key; entries that other processes read or write at the same time stay complete."""
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
    """Store a value for `recall`; one that is nested too deeply to be pickled is not stored."""
    with suppress(RecursionError):
        store(key, pickle.dumps(value, pickle.HIGHEST_PROTOCOL))


def remember(key: str, compute: Callable[[], T]) -> T:
    """The value under a key, computed and stored if it is not there. The key must name the value's type."""
    found = recall(key)
    if found is not None:
        return found  # type: ignore[return-value]
    value = compute()
    keep(key, value)
    return value


def _evict(folder: Path) -> None:
    """Remove the oldest entries until the rest is small enough."""
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
