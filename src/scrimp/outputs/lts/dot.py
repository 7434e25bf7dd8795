"""DOT, the language of Graphviz."""

from __future__ import annotations

from collections.abc import Sequence
from typing import BinaryIO

from scrimp.outputs.lts.writer import Column, EdgeText, LtsWriter, Text


class DotWriter(LtsWriter):
    def __init__(self, file: BinaryIO, compressed: bool) -> None:
        self._text = Text(file, compressed)
        self._text.write("digraph lts {\n  0 [shape=doublecircle];\n")
        self._edges = EdgeText("  ", lambda name: (" -> ", f" [label={_quoted(name)}];\n"))

    def add(self, sources: Column, labels: Column, targets: Column, names: Sequence[str]) -> None:
        self._text.write_bytes(self._edges.of(sources, labels, targets, names))

    def finish(self, states: int, transitions: int) -> None:
        self._text.write("}\n")
        self._text.finish()


def _quoted(name: str) -> str:
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'


writer = DotWriter
