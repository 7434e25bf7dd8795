"""What the writers of all formats have in common."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from typing import BinaryIO, Protocol


class LtsWriter(Protocol):
    """Is given transitions, some at a time, and at the end how many states there are; state 0 is the initial one."""

    def add(self, sources: Sequence[int], labels: Sequence[int], targets: Sequence[int], names: Sequence[str]) -> None:
        """Labels are numbers of `names`, which are the same each time, and more."""

    def finish(self, states: int, transitions: int) -> None: ...

    def abandon(self) -> None:
        """Nothing more comes, and the file is thrown away."""
        return


class Text:
    """A text on its way to a file, compressed or not. Its first `reserved` characters are given when all the others
    were: they are a compressed part of their own, of a size that does not depend on them."""

    def __init__(self, file: BinaryIO, compressed: bool, reserved: int = 0) -> None:
        self._file = file
        self._compressed = compressed
        self._reserved = reserved
        if reserved:
            file.write(self._head(""))
        # With the time of writing two files of the same LTS would differ.
        self._body = gzip.GzipFile("", "wb", 6, file, mtime=0) if compressed else None

    def write(self, text: str) -> None:
        content = text.encode()
        if self._body is None:
            self._file.write(content)
        else:
            self._body.write(content)

    def finish(self, first: str = "") -> None:
        if self._body is not None:
            self._body.close()
        if self._reserved:
            self._file.seek(0)
            self._file.write(self._head(first))

    def _head(self, text: str) -> bytes:
        content = f"{text:{self._reserved - 1}}\n".encode()
        assert len(content) == self._reserved
        return gzip.compress(content, 0, mtime=0) if self._compressed else content
