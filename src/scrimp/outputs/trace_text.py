"""A trace as text: for each step, the processes that moved, the place in the model's text, and the changes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, repeat
from typing import TYPE_CHECKING

from scrimp.numbers import counted
from scrimp.outputs.style import dim, strong, warning
from scrimp.steps import Change, Step, StepMove, Trace, Value

if TYPE_CHECKING:
    from scrimp.vocabulary import Names

# Of a longer trace, only the two ends are shown.
LONGEST = 400
ENDS = 40

WIDEST_PROCESS = 24
WIDEST_TEXT = 56
NARROWEST_TEXT = 32


@dataclass(frozen=True, slots=True)
class Columns:
    """How wide the columns of a trace are; the last one, with the changes, takes the rest of the screen."""

    number: int
    process: int
    position: int
    text: int
    changes: int | None

    @property
    def before_text(self) -> int:
        return 2 + self.number + 2 + self.process + 2 + self.position + 2

    @staticmethod
    def fitting(file: str, numbered: Sequence[tuple[int, Step]], width: int | None) -> Columns:
        moves = [move for _, step in numbered for move in step.moves]
        columns = Columns(
            number=max((len(str(number)) for number, _ in numbered), default=1),
            process=min(WIDEST_PROCESS, max((len(move.process) for move in moves), default=0)),
            position=max((len(position(file, move)) for move in moves), default=0),
            text=min(WIDEST_TEXT, max((len(move.text) for move in moves), default=0)),
            changes=None,
        )
        if width is None:
            return columns
        longest = max((len(changes_text(step)) for _, step in numbered), default=0)
        room = width - columns.before_text - 2
        text = min(columns.text, max(NARROWEST_TEXT, room - longest))
        return replace(columns, text=text, changes=room - text)


def trace_lines(file: str, trace: Trace, *, width: int | None = None, whole: bool = False) -> Iterator[str]:
    """The steps of a trace through the model in `file`, on a screen of the given width. Of a long path or cycle, only
    the two ends are shown, unless the `whole` is wanted."""
    yield from _path_lines(file, trace.steps, 1, width, whole)
    if trace.cycle is not None:
        yield dim(f"  {cycle_heading(trace.cycle)}")
        yield from _path_lines(file, trace.cycle, len(trace.steps) + 1, width, whole)


def cycle_heading(cycle: Sequence[Step]) -> str:
    """The line before the steps of a cycle."""
    if not cycle:
        return "no process can move: this state repeats forever"
    return "this step repeats forever:" if len(cycle) == 1 else f"these {counted(len(cycle), 'step')} repeat forever:"


def _path_lines(file: str, steps: Sequence[Step], first: int, width: int | None, whole: bool) -> Iterator[str]:
    if whole or len(steps) <= LONGEST:
        yield from numbered_lines(file, list(enumerate(steps, start=first)), width)
        return
    yield from numbered_lines(file, list(enumerate(steps[:ENDS], start=first)), width)
    left_out = len(steps) - 2 * ENDS
    yield dim(f"  … {counted(left_out, 'step')} not shown; --trace FILE writes them all")
    yield from numbered_lines(file, list(enumerate(steps[-ENDS:], start=first + ENDS + left_out)), width)


def numbered_lines(file: str, numbered: Sequence[tuple[int, Step]], width: int | None = None) -> Iterator[str]:
    """Numbered steps, in columns."""
    columns = Columns.fitting(file, numbered, width)
    for number, step in numbered:
        yield from _step_lines(file, number, step, columns)


def changes_text(step: Step) -> str:
    return ", ".join(change_text(change) for change in step.changes)


def change_text(change: Change) -> str:
    return f"{change.name} {value_text(change.old, change.names)} → {value_text(change.new, change.names)}"


def value_text(value: Value, names: tuple[Names, ...] = ()) -> str:
    """A number, or the messages of a channel: `[1 2|3 4]`. Values that have a name are shown by it."""
    if isinstance(value, int):
        return message_text((value,), names)
    return "[" + "|".join(message_text(message, names) for message in value) + "]"


def message_text(values: Sequence[int], names: tuple[Names, ...] = ()) -> str:
    """The fields of a message; values that have a name are shown by it."""
    tables = chain(names, repeat({}))
    return " ".join(table.get(value, str(value)) for value, table in zip(values, tables, strict=False))


def position(file: str, move: StepMove) -> str:
    return f"{move.file or file}:{move.line}"


def _step_lines(file: str, number: int, step: Step, columns: Columns) -> Iterator[str]:
    """A line per moving process. The changes are at the end of the last, or below it if there is no room."""
    changes = changes_text(step)
    beside = columns.changes is None or len(changes) <= columns.changes
    for place, move in enumerate(step.moves):
        last = place == len(step.moves) - 1
        yield _move_line(file, str(number) if place == 0 else "", move, columns, changes if last and beside else "")
    if changes and not beside:
        yield " " * columns.before_text + changes
    if step.fault is not None:
        yield " " * columns.before_text + warning(step.fault)


def _move_line(file: str, number: str, move: StepMove, columns: Columns, changes: str) -> str:
    place = position(file, move)
    text = shortened(move.text, columns.text)
    return (
        f"  {dim(f'{number:>{columns.number}}')}  {strong(f'{move.process:{columns.process}}')}"
        f"  {dim(f'{place:{columns.position}}')}  " + (f"{text:{columns.text}}  {changes}" if changes else text)
    )


def shortened(text: str, width: int) -> str:
    """`text`, or as much of it as fits."""
    return text if len(text) <= width else text[: width - 1].rstrip() + "…"
