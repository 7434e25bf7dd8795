"""The journal of a folder: one line for each run, written when it is finished, whole or not at all."""

from __future__ import annotations

import json
import os
from pathlib import Path

from scrimp.errors import ScrimpError
from scrimp.laboratory.task import Run, Task, run_from_dict

NAME = "runs.jsonl"


class Journal:
    """The runs of a folder, by their tasks. A last line that a kill has cut off is forgotten."""

    def __init__(self, folder: Path, name: str = NAME) -> None:
        self.path = folder / name
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ScrimpError(f"cannot write {folder}: {error.strerror}") from error
        self.runs: dict[Task, Run] = {}
        self._whole_bytes = 0
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
            self.runs[run.task] = run
            self._whole_bytes += len(line)

    def add(self, run: Run) -> None:
        """Write a run down, in place of what a kill has left of one."""
        line = (json.dumps(run.to_dict(), ensure_ascii=False) + "\n").encode()
        handle = os.open(self.path, os.O_WRONLY | os.O_CREAT, 0o666)
        try:
            os.truncate(handle, self._whole_bytes)
            os.lseek(handle, self._whole_bytes, os.SEEK_SET)
            os.write(handle, line)
            os.fsync(handle)
        finally:
            os.close(handle)
        self._whole_bytes += len(line)
        self.runs[run.task] = run
