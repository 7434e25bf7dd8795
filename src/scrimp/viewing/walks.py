"""The walks of a session: traces that were found or read, and walks that the user makes.

A walk's address is the hash of the model and, for each step, the place of its event among those that were enabled,
counting from 1: the number of the button that takes the step.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from pathlib import Path

from scrimp.errors import OptionError
from scrimp.frontends.model import Model
from scrimp.numbers import counted
from scrimp.outputs.page_states import Json
from scrimp.outputs.sequence_chart import Row, chart_rows
from scrimp.outputs.trace_file import Claim
from scrimp.recorded import follow_recorded
from scrimp.steps import Trace
from scrimp.system import reference
from scrimp.walking import Walk

# Longer walks have no address.
LONGEST_ADDRESS = 2000

MINE = "walk"


@dataclass
class Open:
    """A walk on the page. `kind` is "walk" for one that the user makes; others are not changed, but branched from.
    `shows` describes the end of a trace."""

    number: int
    name: str
    kind: str
    walk: Walk
    shows: str = ""
    formula: str = ""
    notes: tuple[str, ...] = ()
    _places: array[int] = field(default_factory=lambda: array("I"))
    _rows: list[Row] | None = None

    def record(self) -> Json:
        return {
            "id": self.number,
            "name": self.name,
            "kind": self.kind,
            "length": self.walk.length,
            "cycle": self.walk.before_cycle,
            "shows": self.shows,
            "formula": self.formula,
            "notes": list(self.notes),
        }

    def address(self, place: int) -> list[int] | None:
        """The numbers of the buttons that take the first `place` steps; None if there are too many."""
        if place > LONGEST_ADDRESS:
            return None
        for number, state in enumerate(self.walk.states(len(self._places), place), start=len(self._places)):
            enabled = reference.enabled(self.walk.system, state)
            self._places.append(enabled.index(self.walk.event(number)) + 1)
        return list(self._places[:place])

    def changed(self, length: int) -> None:
        """The walk has changed after its first `length` steps."""
        del self._places[length:]
        self._rows = None

    def rows(self) -> list[Row]:
        """The rows of its message sequence chart."""
        if self._rows is None:
            self._rows = list(chart_rows(self.walk.steps(0, self.walk.length)))
        return self._rows


class Walks:
    """All walks of a session, by number."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._open: dict[int, Open] = {}

    def __getitem__(self, number: object) -> Open:
        if not isinstance(number, int) or number not in self._open:
            raise OptionError(f"there is no walk {number!r:.20}")
        return self._open[number]

    def records(self) -> list[Json]:
        return [each.record() for each in self._open.values()]

    def add(self, name: str, kind: str, walk: Walk, shows: str = "", formula: str = "") -> Open:
        number = len(self._open)
        self._open[number] = Open(number, name, kind, walk, shows, formula)
        return self._open[number]

    def begin(self) -> Open:
        """A walk in the initial state."""
        return self.add(self._free_name(), MINE, Walk(self._model))

    def branch(self, whole: Open, place: int) -> Open:
        """A walk of the user's own that begins like another one."""
        return self.add(self._free_name(), MINE, whole.walk.branch(place))

    def _free_name(self) -> str:
        mine = sum(each.kind == MINE for each in self._open.values())
        return f"walk {mine + 1}"

    def follow(self, recorded: Trace | Path, name: str, claim: Claim | None = None) -> Open:
        """A recorded trace, which is followed to its end first."""
        walk = Walk(self._model)
        found = follow_recorded(walk, recorded)
        claim = claim or found
        shows = "" if claim is None else claim.message
        formula = claim.name if claim is not None and claim.kind == "ltl" else ""
        return self.add(name, "trace", walk, shows, formula)

    def along(self, places: list[int]) -> Open:
        """The walk with an address."""
        made = self.begin()
        for number, place in enumerate(places, start=1):
            events = made.walk.events()
            if not 1 <= place <= len(events):
                raise OptionError(
                    f"step {number} of the address takes event {place}, and there are {counted(len(events), 'event')}"
                )
            made.walk.take(events[place - 1])
        return made


def parse_address(text: str) -> list[int]:
    """`1.2.1` as numbers; an empty text is the initial state."""
    parts = [part for part in text.split(".") if part]
    if not all(part.isascii() and part.isdecimal() and len(part) < 10 for part in parts):
        raise OptionError(f"expected numbers with dots between them, such as 1.2.1, found '{text:.40}'")
    return [int(part) for part in parts]
