"""The file in which a breadth-first search leaves what it has found when a value does not fit, for the next search,
which has wider fields: see engine/search/checkpoint/handover.h."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

LEFT = "left"
"""Everything is in the file."""
LOST = "lost"
"""The search ended before it had taken over what is in the file."""


@contextmanager
def handover_file(folder: Path | None, is_wanted: bool) -> Iterator[int | None]:
    """A file without a name, in the folder or in the one for temporary files; None if none is wanted or possible. It
    disappears with the processes that have it open, however they end."""
    if not is_wanted:
        yield None
        return
    try:
        file = tempfile.TemporaryFile(dir=folder or os.environ.get("TMPDIR") or "/tmp")  # noqa: SIM115
    except OSError:
        yield None
        return
    with file:
        yield file.fileno()


def discard(file: int | None) -> None:
    """Free the room of what will not be taken over."""
    if file is not None:
        with suppress(OSError):
            os.ftruncate(file, 0)
