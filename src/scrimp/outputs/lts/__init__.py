"""Files of labelled transition systems: one module per format, chosen by the file's name."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import BinaryIO, cast

from scrimp.errors import OptionError, unknown
from scrimp.outputs.lts.writer import LtsWriter, is_compressed

# Each is a module with a `writer` of the type below, imported when a file of its format is written.
FORMATS = {
    ".aut": "scrimp.outputs.lts.aut",
    ".dot": "scrimp.outputs.lts.dot",
    ".graphml": "scrimp.outputs.lts.graphml",
    ".parquet": "scrimp.outputs.lts.parquet",
}

MakeWriter = Callable[[BinaryIO, bool], LtsWriter]


def writer_for(path: Path) -> MakeWriter:
    """The writer of the format that a file's name ends in; it takes the file, and whether to compress."""
    suffix = (Path(path.stem) if is_compressed(path) else path).suffix.lower()
    if suffix not in FORMATS:
        if not suffix:
            raise OptionError(
                f"{path}: unknown format; expected a name that ends in {', '.join(FORMATS)}, or in one of them and .gz"
            )
        raise OptionError(f"{path}: {unknown('format', suffix, FORMATS)}")
    if is_compressed(path) and suffix == ".parquet":
        raise OptionError(f"{path}: a .parquet file is already compressed; leave out .gz")
    return cast(MakeWriter, import_module(FORMATS[suffix]).writer)
