"""A model's text after the preprocessor, with the original position of each part."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field

from scrimp.errors import ModelError
from scrimp.system.system import Position


@dataclass(frozen=True)
class Source:
    """`text` consists of pieces: the original position of the one that starts at `starts[i]` is `places[i]`. All of a
    piece from a macro has the position at which the macro was used. `file` is the name of the model's own file.
    `warnings` collects lines about text that is accepted but doubtful. `macros` are those defined at the end of the
    text, as written after `#define`: each with its name, its parameters if it has any, and its body."""

    file: str
    text: str
    starts: list[int]
    places: list[Place]
    warnings: dict[str, None] = field(default_factory=dict)
    macros: tuple[str, ...] = ()

    def position(self, offset: int) -> Position:
        piece = bisect_right(self.starts, offset) - 1
        place = self.places[piece]
        column = place.column if place.from_macro else place.column + offset - self.starts[piece]
        return Position(place.line, column, place.file)

    def error(self, offset: int, message: str) -> ModelError:
        return self.error_at(self.position(offset), message)

    def error_at(self, position: Position, message: str) -> ModelError:
        return ModelError(position.file or self.file, position.line, position.column, message)

    def warn(self, offset: int, message: str) -> None:
        """Add a line to `warnings`, once for each position: an inline may repeat the same text many times."""
        self.warnings[str(self.error(offset, f"warning: {message}"))] = None


@dataclass(frozen=True, slots=True)
class Place:
    """The original position of a piece; `file` is None for the model's own."""

    line: int
    column: int
    file: str | None
    from_macro: bool


def plain_source(file: str, text: str) -> Source:
    """A text that needs no preprocessor."""
    starts = [0, *(offset + 1 for offset, character in enumerate(text) if character == "\n")]
    return Source(file, text, starts, [Place(line, 1, None, False) for line in range(1, len(starts) + 1)])
