"""Parquet, which DuckDB, Polars and pandas read: a table of the transitions, with columns `source`, `label` and
`target`. The table's metadata has the number of states, and that of the initial state, 0."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any, BinaryIO

from scrimp.errors import OptionError
from scrimp.outputs.lts.writer import Column, LtsWriter


class ParquetWriter(LtsWriter):
    def __init__(self, file: BinaryIO, compressed: bool) -> None:
        try:
            self._arrow: Any = import_module("pyarrow")
            parquet: Any = import_module("pyarrow.parquet")
        except ImportError:
            raise OptionError("a .parquet file needs pyarrow, which is not installed") from None
        arrow = self._arrow
        label = arrow.dictionary(arrow.int32(), arrow.string())
        self._schema = arrow.schema([("source", arrow.uint64()), ("label", label), ("target", arrow.uint64())])
        self._table = parquet.ParquetWriter(file, self._schema)

    def add(self, sources: Column, labels: Column, targets: Column, names: Sequence[str]) -> None:
        arrow = self._arrow
        labelled = arrow.DictionaryArray.from_arrays(arrow.array(labels, arrow.int32()), arrow.array(names))
        columns = [arrow.array(sources, arrow.uint64()), labelled, arrow.array(targets, arrow.uint64())]
        self._table.write_table(arrow.Table.from_arrays(columns, schema=self._schema))

    def finish(self, states: int, transitions: int) -> None:
        self._table.add_key_value_metadata({"states": str(states), "initial": "0"})
        self._table.close()

    def abandon(self) -> None:
        # Otherwise pyarrow writes the end of the table when it is garbage-collected, to a file that is closed by then.
        self._table.is_open = False


writer = ParquetWriter
