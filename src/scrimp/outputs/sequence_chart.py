"""A trace as a message sequence chart: processes are columns, messages are arrows, time runs downwards.

    init:0    Child:1
 1  +-------->|        run Child(3)        a process starts another
 4  |         +-o      q!msg 3             a message is put into a channel
 5  |<........+        q?msg 3             the message that Child:1 put there is taken
 6  |<--------+        r!ack               a handshake

Steps without messages are left out, except the last one and those in which something goes wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from scrimp.numbers import counted
from scrimp.outputs.style import dim, strong, warning
from scrimp.outputs.trace_text import ENDS, LONGEST, cycle_heading, message_text, shortened
from scrimp.steps import Change, Step, StepMove, Trace

NOWHERE = "absent"
WIDTH = 100
NARROWEST_GAP = 4
WIDEST_GAP = 18
WIDEST_LABEL = 48
NARROWEST_LABEL = 24

_SYNC = re.compile(r"\bsync\s+([^;]+);")


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the chart: an arrow if it has both a `source` and a `target`, otherwise a mark at the one it has."""

    number: int
    label: str
    source: str | None = None
    target: str | None = None
    buffered: bool = False
    starts: bool = False
    ends: bool = False
    wrong: str | None = None


def chart_lines(trace: Trace, *, width: int | None = None, lines: bool = False) -> Iterator[str]:
    """The chart of a trace on a screen of the given width, drawn with line characters or in plain ASCII."""
    rows = list(chart_rows(trace.once_around()))
    chart = _Chart(rows, width or WIDTH, _LINES if lines else _ASCII)
    yield from chart.header()
    path = [row for row in rows if row.number <= len(trace.steps)]
    yield from _part_lines(chart, path)
    if trace.cycle is not None:
        yield dim(f"  {cycle_heading(trace.cycle)}")
        yield from _part_lines(chart, rows[len(path) :])


def _part_lines(chart: _Chart, rows: Sequence[Row]) -> Iterator[str]:
    """The rows of the path or of the cycle; if there are many, only those at the two ends."""
    if len(rows) <= LONGEST:
        yield from chain.from_iterable(map(chart.lines, rows))
        return
    yield from chain.from_iterable(map(chart.lines, rows[:ENDS]))
    chart.skip(rows[ENDS:-ENDS])
    yield dim(f"  {chart.signs.ellipsis} {counted(len(rows) - 2 * ENDS, 'message')} not shown")
    yield from chain.from_iterable(map(chart.lines, rows[-ENDS:]))


def chart_rows(steps: Iterable[Step]) -> Iterator[Row]:
    """The rows of the chart, in order."""
    channels = _Channels()
    last: tuple[int, Step] | None = None
    shown = True
    for number, step in enumerate(steps, start=1):
        rows = list(_rows(number, step, channels))
        yield from rows
        last, shown = (number, step), bool(rows)
    if last is not None and not shown:
        number, step = last
        yield Row(number, step.moves[0].text, source=step.moves[0].process)


def _rows(number: int, step: Step, channels: _Channels) -> Iterator[Row]:
    first = step.moves[0]
    if first.target == NOWHERE:
        channels.forget(step.changes)
        rows = [Row(number, first.text, first.process, ends=True)]
    else:
        rows = [*_meeting(number, step), *channels.rows(number, first.process, step.changes)]
    if step.fault is not None and not rows:
        rows = [Row(number, first.text, first.process)]
    if step.fault is not None:
        rows[-1] = replace(rows[-1], wrong=step.fault)
    yield from rows


def _meeting(number: int, step: Step) -> list[Row]:
    """A step of two processes: one starts the other, or they shake hands."""
    if len(step.moves) != 2:
        return []
    first, second = step.moves
    if second.source == NOWHERE:
        return [Row(number, first.text, first.process, second.process, starts=True)]
    return [Row(number, _passed_text(step, first), first.process, second.process)]


def _passed_text(step: Step, sender: StepMove) -> str:
    if step.passed is not None:
        return _message(step.passed.channel, "!", message_text(step.passed.values, step.passed.names))
    synchronised = _SYNC.search(sender.text)
    return synchronised[1].strip() if synchronised else sender.text


def _message(channel: str, operator: str, text: str) -> str:
    return f"{channel}{operator}{text}"


class _Channels:
    """The senders of the messages in each channel, oldest first."""

    def __init__(self) -> None:
        self._senders: dict[str, list[tuple[str, int] | None]] = {}

    def rows(self, number: int, process: str, changes: Iterable[Change]) -> Iterator[Row]:
        for change in changes:
            if isinstance(change.old, int) or isinstance(change.new, int):
                continue
            senders = self._senders.setdefault(change.name, [])
            if len(change.new) == len(change.old) + 1:
                place = _difference(change.old, change.new)
                senders.insert(place, (process, number))
                label = _message(change.name, "!", message_text(change.new[place], change.names))
                yield Row(number, label, process, buffered=True)
            elif len(change.old) == len(change.new) + 1:
                yield self._received(number, process, change, senders)
            else:
                self.forget([change])

    def forget(self, changes: Iterable[Change]) -> None:
        """Forget the senders of channels that have changed in some other way."""
        for change in changes:
            if not isinstance(change.new, int):
                self._senders[change.name] = [None] * len(change.new)

    def _received(self, number: int, process: str, change: Change, senders: list[tuple[str, int] | None]) -> Row:
        assert not isinstance(change.old, int)
        assert not isinstance(change.new, int)
        place = _difference(change.new, change.old)
        label = _message(change.name, "?", message_text(change.old[place], change.names))
        sender = senders.pop(place) if place < len(senders) else None
        if sender is None:
            return Row(number, label, None, process, buffered=True)
        return Row(number, f"{label}  of step {sender[1]}", sender[0], process, buffered=True)


def _difference(shorter: Sequence[object], longer: Sequence[object]) -> int:
    """The place of the element that only the longer one has."""
    for place, one in enumerate(shorter):
        if one != longer[place]:
            return place
    return len(shorter)


def _ordered(names: Iterable[str]) -> list[str]:
    """Each name once: by the numbers of the processes if all have one, otherwise in order of appearance."""
    found = list(dict.fromkeys(names))
    numbers = {name: name.rpartition(":")[2] for name in found if ":" in name}
    if len(numbers) < len(found) or not all(number.isdecimal() for number in numbers.values()):
        return found
    return sorted(found, key=lambda name: int(numbers[name]))


@dataclass(frozen=True, slots=True)
class _Signs:
    life: str
    right: str
    left: str
    crossing: str
    line: str
    dashes: str
    to_right: str
    to_left: str
    message: str
    mark: str
    wrong: str
    ellipsis: str


_LINES = _Signs("│", "├", "┤", "┼", "─", "╌", "▶", "◀", "○", "●", "✗", "…")
_ASCII = _Signs("|", "+", "+", "|", "-", ".", ">", "<", "o", "*", "x", "...")


class _Chart:
    """Draws rows, and keeps track of the processes that exist."""

    def __init__(self, rows: Sequence[Row], width: int, signs: _Signs) -> None:
        self.signs = signs
        self.names = _ordered(name for row in rows for name in (row.source, row.target) if name)
        started = {row.target: place for place, row in reversed(list(enumerate(rows))) if row.starts}
        seen: dict[str, int] = {}
        for place, row in enumerate(rows):
            for name in (row.source, row.target):
                if name:
                    seen.setdefault(name, place)
        self.alive = {name for name in self.names if started.get(name) != seen[name]}
        self.number = max((len(str(row.number)) for row in rows), default=1)
        label = min(WIDEST_LABEL, max((len(row.label) for row in rows), default=0))
        room = width - self.number - 6
        wanted = max((len(name) for name in self.names), default=0) + 2
        fitting = (room - label) // max(1, len(self.names))
        self.gap = max(NARROWEST_GAP, min(wanted, WIDEST_GAP, fitting))
        self.label = max(NARROWEST_LABEL, room - self.gap * len(self.names))
        self.places = {name: self.gap * number for number, name in enumerate(self.names)}

    def header(self) -> Iterator[str]:
        """The names, side by side or, if there is no room, one below the other."""
        margin = " " * (self.number + 4)
        if all(len(name) < self.gap for name in self.names):
            yield (margin + strong("".join(f"{name:{self.gap}}" for name in self.names).rstrip())).rstrip()
            return
        for number, name in enumerate(self.names):
            before = "".join(f"{self.signs.life:{self.gap}}" for _ in range(number))
            yield margin + before + strong(name)

    def skip(self, rows: Iterable[Row]) -> None:
        for row in rows:
            self._before(row)
            self._after(row)

    def lines(self, row: Row) -> Iterator[str]:
        self._before(row)
        cells = self._lifelines()
        self._draw(row, cells)
        number = dim(f"{row.number:>{self.number}}")
        yield f"  {number}  {''.join(cells)}  {shortened(row.label, self.label)}"
        self._after(row)
        if row.wrong is not None:
            margin = " " * (self.number + 4)
            yield f"{margin}{''.join(self._lifelines())}  {warning(row.wrong)}"

    def _before(self, row: Row) -> None:
        if row.starts and row.target is not None:
            self.alive.add(row.target)

    def _after(self, row: Row) -> None:
        if row.ends and row.source is not None:
            self.alive.discard(row.source)

    def _lifelines(self) -> list[str]:
        cells = [" "] * (self.gap * len(self.names))
        for name in self.alive:
            cells[self.places[name]] = self.signs.life
        return cells

    def _draw(self, row: Row, cells: list[str]) -> None:
        signs = self.signs
        if row.source is not None and row.target is not None and row.source != row.target:
            self._arrow(self.places[row.source], self.places[row.target], row, cells)
        elif row.target is not None:
            place = self.places[row.target]
            cells[place : place + 3] = [signs.life, signs.to_left, signs.message]
        elif row.source is not None and row.buffered:
            place = self.places[row.source]
            cells[place : place + 3] = [signs.right, signs.line, signs.message]
        elif row.source is not None:
            cells[self.places[row.source]] = signs.wrong if row.wrong or row.ends else signs.mark

    def _arrow(self, start: int, end: int, row: Row, cells: list[str]) -> None:
        signs = self.signs
        low, high = min(start, end), max(start, end)
        for place in range(low + 1, high):
            plain = signs.dashes if row.buffered else signs.line
            cells[place] = signs.crossing if cells[place] == signs.life else plain
        cells[start] = signs.right if start < end else signs.left
        cells[end - 1 if start < end else end + 1] = signs.to_right if start < end else signs.to_left
