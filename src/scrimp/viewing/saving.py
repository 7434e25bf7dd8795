"""The page as one file: its walks, and as much of the state space around them as keeps the file small.

In a saved page one can step along the walks, and branch off as far as the saved states reach; it has no interpreter and
cannot search.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

from scrimp.errors import OptionError
from scrimp.numbers import counted
from scrimp.outputs.page import single_file
from scrimp.outputs.page_states import Json, step_record
from scrimp.system import reference
from scrimp.system.reference import Outgrown, State
from scrimp.viewing.comparing import Comparison
from scrimp.viewing.explaining import explain_formula
from scrimp.viewing.neighbourhood import neighbourhood
from scrimp.viewing.session import MOST_EVENTS, Session, state_record
from scrimp.viewing.walks import Open
from scrimp.walking import Walk

LONGEST = 200_000
MOST_ALONG = 250
MOST_NODES = 400
MOST_GRAPHS = 12
MOST_TREES = 40
RADIUS = 2


def saved_page(session: Session | Comparison) -> str:
    """The text of the file."""
    opened = session.open()
    data = {"open": opened, "walks": []} if isinstance(session, Comparison) else _data(session, opened)
    return single_file(data, title=f"{opened['name']} · scrimp")


def _data(session: Session, opened: Json) -> Json:
    walks = [session.walks[number["id"]] for number in opened["walks"]]
    steps = sum(each.walk.length for each in walks)
    if steps > LONGEST:
        raise OptionError(f"--save: the walks have {counted(steps, 'step')}, and a page can hold {LONGEST}")
    states = _States(walks)
    return {
        "open": opened,
        "walks": [_walk_record(each, states) for each in walks],
        "nodes": states.records(),
        "graphs": dict(_graphs(walks)),
        "trees": dict(_trees(session, walks)),
    }


def _walk_record(found: Open, states: _States) -> Json:
    rows = found.rows()
    return {
        "record": found.record(),
        "steps": [step_record(step) for step in found.walk.steps(0, found.walk.length)],
        "nodes": states.along(found.walk),
        "places": found.address(min(found.walk.length, MOST_ALONG)) or [],
        "rows": [asdict(row) for row in rows],
        "processes": list(dict.fromkeys(name for row in rows for name in (row.source, row.target) if name)),
    }


class _States:
    """The states of a saved page: those of its walks, then those nearest to them."""

    def __init__(self, walks: list[Open]) -> None:
        self._numbers: dict[tuple[int, State], int] = {}
        self._found: list[tuple[Walk, State]] = []
        for each in walks:
            self._enter(each.walk)
        for walk, state in self._found:  # grows on the way
            for after in _successors(walk, state):
                if isinstance(after, State) and len(self._found) < MOST_NODES:
                    self._number(walk, after)

    def _enter(self, walk: Walk) -> list[int]:
        last = min(walk.length, MOST_ALONG)
        path = [self._number(walk, state) for state in walk.states(0, last)]
        end = walk.state(last)
        return [*path, self._number(walk, end)] if isinstance(end, State) else path

    def _number(self, walk: Walk, state: State) -> int:
        key = id(walk.system), state
        if key not in self._numbers:
            self._numbers[key] = len(self._found)
            self._found.append((walk, state))
        return self._numbers[key]

    def along(self, walk: Walk) -> list[int]:
        """The numbers of the states of a walk."""
        return self._enter(walk)

    def records(self) -> list[Json]:
        return [
            {
                "state": state_record(walk, state),
                "targets": [
                    self._numbers.get((id(walk.system), after)) if isinstance(after, State) else None
                    for after in _successors(walk, state)
                ],
            }
            for walk, state in self._found
        ]


def _successors(walk: Walk, state: State) -> Iterator[State | reference.Fault | None]:
    for event in reference.enabled(walk.system, state)[:MOST_EVENTS]:
        try:
            yield reference.fire(walk.system, state, event)
        except Outgrown:
            yield None


def _graphs(walks: list[Open]) -> Iterator[tuple[str, Json]]:
    for found in walks:
        for place in range(min(found.walk.length + 1, MOST_GRAPHS)):
            yield f"{found.number}:{place}", neighbourhood(found.walk, place, RADIUS, [])


def _trees(session: Session, walks: list[Open]) -> Iterator[tuple[str, Json]]:
    """Why the formula of a trace is false, in its first states."""
    named = {formula.name: formula.text for formula in session.model.formulas}
    for found in walks:
        if found.formula:
            text = named.get(found.formula, found.formula)
            for place in range(min(found.walk.length + 1, MOST_TREES)):
                yield f"{found.number}:{place}:{text}", explain_formula(found.walk, place, text)
