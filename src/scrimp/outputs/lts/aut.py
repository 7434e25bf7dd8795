"""AUT, the Aldebaran format of CADP and mCRL2. The header gives the numbers of transitions and states, so room is left
for it. Spaces after it are allowed: mCRL2 writes some, too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import BinaryIO

from scrimp.outputs.lts.writer import Column, EdgeText, LtsWriter, Text

_HEADER_CHARACTERS = 64


class AutWriter(LtsWriter):
    def __init__(self, file: BinaryIO, compressed: bool) -> None:
        self._text = Text(file, compressed, reserved=_HEADER_CHARACTERS)
        self._edges = EdgeText("(", lambda name: (f',"{name}",', ")\n"))

    def add(self, sources: Column, labels: Column, targets: Column, names: Sequence[str]) -> None:
        self._text.write_bytes(self._edges.of(sources, labels, targets, names))

    def finish(self, states: int, transitions: int) -> None:
        self._text.finish(f"des (0,{transitions},{states})")


writer = AutWriter
