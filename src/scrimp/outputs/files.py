"""Writing files that are complete or absent, and refusing, before a long search, those that cannot be written."""

from __future__ import annotations

import errno
import os
import secrets
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


def require_other_file(option: str, path: Path, model: str | Path) -> None:
    """Refuse to write over the model that is read."""
    with suppress(OSError):
        if os.path.samefile(path, model):
            raise OptionError(f"{option}: {path} is the model itself; name another file")


def write_whole(path: Path, pieces: Iterable[str]) -> None:
    """Write a text to `path` so that readers see the old content or the new, never a part of it."""
    try:
        _write_whole(path, pieces)
    except OSError as error:
        raise ScrimpError(f"cannot write {path}: {error.strerror}") from error


def _write_whole(path: Path, pieces: Iterable[str]) -> None:
    if _is_special(path):
        with path.open("w", encoding="utf-8") as special:
            special.writelines(pieces)
        return
    file = WholeFile(path)
    try:
        file.stream.writelines(piece.encode() for piece in pieces)
        file.keep()
    finally:
        file.discard()


def require_regular(path: Path) -> None:
    """Refuse a device or pipe: the beginning of the file is written last."""
    if _is_special(path):
        raise OptionError(f"cannot write {path}: it is not a regular file")


class WholeFile:
    """A file that is being written: it takes the place of `path` when it is kept, and leaves nothing behind otherwise.

    Until then it has no name, so that not even a kill leaves a part of it behind; if the file system does not support
    that, it has a hidden name.
    """

    def __init__(self, path: Path) -> None:
        # A link is followed, so that the file it points to is replaced, not the link.
        self._target = path.resolve()
        self._name: Path | None = None
        handle = _open_nameless(self._target.parent)
        if handle is None:
            handle, name = tempfile.mkstemp(prefix=f".{self._target.name}.", dir=self._target.parent)
            self._name = Path(name)
        self.stream = cast(BinaryIO, os.fdopen(handle, "wb"))
        self._is_kept = False

    def keep(self) -> None:
        self.stream.flush()
        os.fchmod(self.stream.fileno(), _mode(self._target))
        if self._name is None:
            self._name = _give_name(self.stream.fileno(), self._target)
        self.stream.close()
        os.replace(self._name, self._target)
        self._is_kept = True

    def discard(self) -> None:
        """Remove the file, unless it was kept."""
        if self._is_kept:
            return
        with suppress(OSError):  # the disk may still be full
            self.stream.close()
        if self._name is not None:
            self._name.unlink(missing_ok=True)


def _open_nameless(folder: Path) -> int | None:
    """A new file without a name, which vanishes when it is closed; None if the file system has no such files."""
    try:
        return os.open(folder, os.O_TMPFILE | os.O_WRONLY, 0o600)
    except OSError as error:
        if error.errno in (errno.EOPNOTSUPP, errno.EISDIR, errno.ENOENT):
            return None
        raise


def _give_name(handle: int, target: Path) -> Path:
    """Give a file without a name a hidden one beside the target: a link cannot replace another file, a rename can."""
    folder = os.open(target.parent, os.O_PATH)
    try:
        while True:
            name = f".{target.name}.{secrets.token_hex(4)}"
            with suppress(FileExistsError):
                # Python follows the link that /proc has for the file only if it is given a folder's handle.
                os.link(f"/proc/self/fd/{handle}", name, dst_dir_fd=folder, follow_symlinks=True)
                return target.parent / name
    finally:
        os.close(folder)


def _is_special(path: Path) -> bool:
    """A device or pipe, such as /dev/stdout: written in place."""
    return path.exists() and not path.is_file()


def _mode(target: Path) -> int:
    """The permissions that the file has, or that a new one would get."""
    if target.exists():
        return target.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
