"""A model's text, and positions in it."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property

from scrimp.errors import ModelError
from scrimp.system.system import Position

COMMENT = r"//[^\n]*|/\*.*?\*/"
_COMMENT = re.compile(COMMENT, re.DOTALL)


@dataclass(frozen=True)
class Source:
    """A text, and the file name for its errors. Places are offsets from its start."""

    file: str
    text: str

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(newline.end() for newline in re.finditer("\n", self.text))]

    def position(self, offset: int) -> Position:
        line = bisect_right(self._line_starts, offset)
        return Position(line, offset - self._line_starts[line - 1] + 1)

    def error(self, offset: int, message: str) -> ModelError:
        position = self.position(offset)
        return ModelError(self.file, position.line, position.column, message)

    def excerpt(self, start: int, end: int) -> str:
        """The text between two offsets on one line, without comments."""
        return " ".join(_COMMENT.sub(" ", self.text[start:end]).split())
