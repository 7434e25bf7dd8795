"""Writing files that are whole or absent, and finding out before a long search that they could not be written."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, cast

from scrimp.errors import OptionError, ScrimpError


def require_writable(path: Path) -> None:
    """Refuse a path that cannot be written."""
    if path.is_dir():
        raise OptionError(f"cannot write {path}: it is a directory")
    folder = path.parent
    if not folder.is_dir():
        raise OptionError(f"cannot write {path}: there is no directory {folder}")
    if not os.access(path if _is_special(path) else folder, os.W_OK):
        raise OptionError(f"cannot write {path}: permission denied")


def write_whole(path: Path, pieces: Iterable[str]) -> None:
    """Write a text to `path` so that readers see the old content or the new, never a part."""
    try:
        _write_whole(path, pieces)
    except OSError as error:
        raise ScrimpError(f"cannot write {path}: {error.strerror}") from error


def _write_whole(path: Path, pieces: Iterable[str]) -> None:
    if _is_special(path):
        with path.open("w", encoding="utf-8") as file:
            file.writelines(pieces)
        return
    # A link is followed, so that the file it names is replaced and not the link.
    target = path.resolve()
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.writelines(pieces)
        os.chmod(name, _mode(target))
        os.replace(name, target)
    except BaseException:
        os.unlink(name)
        raise


def require_regular(path: Path) -> None:
    """Refuse a device or pipe, for a file whose beginning is written last."""
    if _is_special(path):
        raise OptionError(f"cannot write {path}: it is no regular file")


class WholeFile:
    """A file under way: it takes the place of `path` when it is kept, and leaves nothing behind where it is not."""

    def __init__(self, path: Path) -> None:
        self._target = path.resolve()
        handle, self._name = tempfile.mkstemp(prefix=f".{self._target.name}.", dir=self._target.parent)
        self.stream = cast(BinaryIO, os.fdopen(handle, "wb"))
        self._is_kept = False

    def keep(self) -> None:
        self.stream.close()
        os.chmod(self._name, _mode(self._target))
        os.replace(self._name, self._target)
        self._is_kept = True

    def discard(self) -> None:
        """Remove what there is, unless it was kept."""
        if self._is_kept:
            return
        with suppress(OSError):  # of a full disk, once more
            self.stream.close()
        os.unlink(self._name)


def _is_special(path: Path) -> bool:
    """A device or pipe, such as /dev/stdout: written in place."""
    return path.exists() and not path.is_file()


def _mode(target: Path) -> int:
    """The permissions the file has, or a new one would get."""
    if target.exists():
        return target.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
