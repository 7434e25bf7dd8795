"""The common parts of the writers of all formats."""

from __future__ import annotations

import gzip
from array import array
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import BinaryIO, Protocol, TypeAlias

Column: TypeAlias = "memoryview | array[int]"

COMPRESSED = ".gz"


def is_compressed(path: Path) -> bool:
    """Whether a file's name says that it is compressed."""
    return path.suffix.lower() == COMPRESSED


class LtsWriter(Protocol):
    """Receives transitions, some at a time, and in the end the number of states; state 0 is the initial one."""

    def add(self, sources: Column, labels: Column, targets: Column, names: Sequence[str]) -> None:
        """A state has eight bytes. A label has four: it is an index into `names`, which only grows from call to
        call."""

    def finish(self, states: int, transitions: int) -> None: ...

    def abandon(self) -> None:
        """No more transitions will come, and the file will be thrown away."""
        return


class Text:
    """A text that is written to a file, compressed or not. Its first `reserved` characters are known last: they are
    compressed separately, in a way in which the size does not depend on them."""

    def __init__(self, file: BinaryIO, compressed: bool, reserved: int = 0) -> None:
        self._file = file
        self._compressed = compressed
        self._reserved = reserved
        if reserved:
            file.write(self._head(""))
        # With the time of writing in them, two files of the same LTS would differ.
        self._body = gzip.GzipFile("", "wb", 6, file, mtime=0) if compressed else None

    def write(self, text: str) -> None:
        self.write_bytes(text.encode())

    def write_bytes(self, content: bytes) -> None:
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


class EdgeText:
    """Turns transitions into lines: `before`, the source, a text, the target, a text. `around` has the two texts for
    the name of a label. There may be millions of lines, so the engine makes them."""

    def __init__(self, before: str, around: Callable[[str], tuple[str, str]]) -> None:
        from scrimp._engine import EdgeLines

        self._lines = EdgeLines(before)
        self._around = around
        self._labels = 0

    def of(self, sources: Column, labels: Column, targets: Column, names: Sequence[str]) -> bytes:
        for name in names[self._labels :]:
            self._lines.add_label(*self._around(name))
        self._labels = len(names)
        return self._lines.text(sources, labels, targets)
