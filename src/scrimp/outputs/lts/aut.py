"""AUT, the Aldebaran format of CADP and mCRL2. The header gives the numbers of transitions and states, so room is left
for it. Spaces after it are allowed: mCRL2 writes some, too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import BinaryIO

from scrimp.outputs.lts.writer import LtsWriter, Text

_HEADER_CHARACTERS = 64


class AutWriter(LtsWriter):
    def __init__(self, file: BinaryIO, compressed: bool) -> None:
        self._text = Text(file, compressed, reserved=_HEADER_CHARACTERS)
        self._quoted: list[str] = []

    def add(self, sources: Sequence[int], labels: Sequence[int], targets: Sequence[int], names: Sequence[str]) -> None:
        quoted = self._quoted
        quoted += [f'"{name}"' for name in names[len(quoted) :]]
        edges = zip(sources, labels, targets, strict=True)
        self._text.write("".join([f"({source},{quoted[label]},{target})\n" for source, label, target in edges]))

    def finish(self, states: int, transitions: int) -> None:
        self._text.finish(f"des (0,{transitions},{states})")


writer = AutWriter
