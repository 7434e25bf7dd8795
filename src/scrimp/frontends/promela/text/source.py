"""A model's text after the preprocessor, and where each part of it stood before."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field

from scrimp.errors import ModelError
from scrimp.system.system import Position


@dataclass(frozen=True)
class Source:
    """`text` is in pieces: the one that starts at `starts[i]` stood at `places[i]`. A piece that came from a macro
    stands as a whole where the macro was used. `file` is the name of the model's own file. `warnings` collects the
    lines to show about a text that is accepted but doubtful. `macros` are those that are defined at the end of the
    text, each as `#define` has it: its name, its parameters if it has any, and its body."""

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
        """Add a line to `warnings`, once for each place: an inline may bring the same text many times."""
        self.warnings[str(self.error(offset, f"warning: {message}"))] = None


@dataclass(frozen=True, slots=True)
class Place:
    """Where a piece stood; `file` is None in the model's own."""

    line: int
    column: int
    file: str | None
    from_macro: bool


def plain_source(file: str, text: str) -> Source:
    """A text that needs no preprocessor."""
    starts = [0, *(offset + 1 for offset, character in enumerate(text) if character == "\n")]
    return Source(file, text, starts, [Place(line, 1, None, False) for line in range(1, len(starts) + 1)])
