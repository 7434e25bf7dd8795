"""The values of the variables in each state of an LTS, in a second file.

state,P,x,q                                             .csv
0,idle,3,[1 red|2 green]
{"state": 0, "values": {"P": "idle", "x": 3, "q": [[1, "red"], [2, "green"]]}}      .jsonl
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import BinaryIO, Protocol, TypeAlias

from scrimp.errors import OptionError, unknown
from scrimp.outputs.lts.writer import Text, is_compressed

Word: TypeAlias = int | str
Cell: TypeAlias = Word | Sequence[Sequence[Word]] | None
"""A number or a name; the messages of a channel, oldest first; None: there is no such variable in this state."""
Row: TypeAlias = tuple[int, Sequence[Cell]]
"""The number of a state, and a cell for each column."""


class ValuesWriter(Protocol):
    """Receives states, some at a time."""

    def add(self, rows: Iterable[Row]) -> None: ...
    def finish(self) -> None: ...


class _CsvWriter:
    """A line for each state, a column for each process, variable and channel; the cell of one that does not exist in
    the state is empty."""

    def __init__(self, file: BinaryIO, compressed: bool, columns: Sequence[str]) -> None:
        self._text = Text(file, compressed)
        self._write([["state", *columns]])

    def add(self, rows: Iterable[Row]) -> None:
        self._write([number, *map(_spelled, cells)] for number, cells in rows)

    def finish(self) -> None:
        self._text.finish()

    def _write(self, lines: Iterable[Sequence[object]]) -> None:
        buffer = io.StringIO()
        csv.writer(buffer, lineterminator="\n").writerows(lines)
        self._text.write(buffer.getvalue())


class _JsonLinesWriter:
    """An object for each state, without the processes, variables and channels that do not exist in it."""

    def __init__(self, file: BinaryIO, compressed: bool, columns: Sequence[str]) -> None:
        self._text = Text(file, compressed)
        self._columns = columns

    def add(self, rows: Iterable[Row]) -> None:
        self._text.write("".join(map(self._line, rows)))

    def finish(self) -> None:
        self._text.finish()

    def _line(self, row: Row) -> str:
        number, cells = row
        values = {name: cell for name, cell in zip(self._columns, cells, strict=True) if cell is not None}
        return json.dumps({"state": number, "values": values}, ensure_ascii=False) + "\n"


def _spelled(cell: Cell) -> Word | None:
    """A cell as one word: messages as in traces, `[1 2|3 4]`."""
    if cell is None or isinstance(cell, int | str):
        return cell
    return "[" + "|".join(" ".join(map(str, message)) for message in cell) + "]"


MakeValuesWriter: TypeAlias = Callable[[BinaryIO, bool, Sequence[str]], ValuesWriter]
FORMATS: dict[str, MakeValuesWriter] = {".csv": _CsvWriter, ".jsonl": _JsonLinesWriter}


def values_writer_for(path: Path) -> MakeValuesWriter:
    """The writer of the format that a file's name ends in."""
    suffix = (Path(path.stem) if is_compressed(path) else path).suffix.lower()
    if suffix not in FORMATS:
        raise OptionError(f"--values {path}: {unknown('format', suffix, FORMATS)}; add .gz to compress the file")
    return FORMATS[suffix]
