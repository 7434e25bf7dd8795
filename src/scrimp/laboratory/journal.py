"""The journal of a folder: one line for each run, written when it is finished, completely or not at all."""

from __future__ import annotations

import fcntl
import json
import os
from pathlib import Path
from typing import IO

from scrimp.errors import ScrimpError
from scrimp.laboratory.task import Run, Task, run_from_dict

NAME = "runs.jsonl"


class Journal:
    """The runs of a folder, by their tasks. Two kinds of lines are ignored: those of failed runs, which may succeed the
    next time, and a last line that was cut off by a kill."""

    def __init__(self, folder: Path, name: str = NAME) -> None:
        self.path = folder / name
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ScrimpError(f"cannot write {folder}: {error.strerror}") from error
        self.runs: dict[Task, Run] = {}
        self._read()

    def _read(self) -> None:
        if not self.path.exists():
            return
        for number, line in enumerate(self.path.read_bytes().splitlines(keepends=True), 1):
            if not line.endswith(b"\n"):
                return
            try:
                run = run_from_dict(json.loads(line))
            except (ValueError, TypeError, KeyError) as error:
                raise ScrimpError(f"{self.path}:{number}:1: expected a run of the laboratory: {error}") from None
            if run.status != "failed":
                self.runs[run.task] = run

    def add(self, run: Run) -> None:
        """Record a run. Another process may write to the same folder at the same time. The rest of a line that was cut
        off by a kill is replaced."""
        line = json.dumps(run.to_dict(), ensure_ascii=False) + "\n"
        with self.path.open("a+b") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            _drop_torn_line(file)
            file.write(line.encode())
            file.flush()
            os.fsync(file.fileno())
        self.runs[run.task] = run


def _drop_torn_line(file: IO[bytes]) -> None:
    file.seek(0)
    content = file.read()
    if not content.endswith(b"\n"):
        file.truncate(content.rfind(b"\n") + 1)
