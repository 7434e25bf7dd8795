"""DOT, the language of Graphviz."""

from __future__ import annotations

from collections.abc import Sequence
from typing import BinaryIO

from scrimp.outputs.lts.writer import LtsWriter, Text


class DotWriter(LtsWriter):
    def __init__(self, file: BinaryIO, compressed: bool) -> None:
        self._text = Text(file, compressed)
        self._text.write("digraph lts {\n  0 [shape=doublecircle];\n")
        self._quoted: list[str] = []

    def add(self, sources: Sequence[int], labels: Sequence[int], targets: Sequence[int], names: Sequence[str]) -> None:
        quoted = self._quoted
        quoted += [_quoted(name) for name in names[len(quoted) :]]
        edges = zip(sources, labels, targets, strict=True)
        lines = [f"  {source} -> {target} [label={quoted[label]}];\n" for source, label, target in edges]
        self._text.write("".join(lines))

    def finish(self, states: int, transitions: int) -> None:
        self._text.write("}\n")
        self._text.finish()


def _quoted(name: str) -> str:
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'


writer = DotWriter
