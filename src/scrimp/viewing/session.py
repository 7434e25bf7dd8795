"""The session behind a page: what each of its messages does. A message is a verb and a JSON object."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from random import Random
from threading import RLock
from typing import Any

from scrimp.errors import ModelError, OptionError, ScrimpError
from scrimp.evidence import Violation
from scrimp.frontends.model import Model
from scrimp.outputs.page_states import Json, groups_record, holder_text, moves_record, step_record
from scrimp.record import Record
from scrimp.steps import Trace
from scrimp.system import reference
from scrimp.system.reference import EvaluationFault, Fault, State
from scrimp.viewing.explaining import explain_expression, explain_formula
from scrimp.viewing.jobs import Jobs
from scrimp.viewing.names import process_names, variable_names
from scrimp.viewing.neighbourhood import neighbourhood
from scrimp.viewing.questions import Asked
from scrimp.viewing.reaching import shortest_trace
from scrimp.viewing.sources import sources_record
from scrimp.viewing.walks import MINE, Open, Walks, parse_address
from scrimp.walking import Walk, take_random_steps

MOST_AT_ONCE = 2000
MOST_EVENTS = 200
MOST_RANDOM_STEPS = 100_000
HASH = 10


class Session:
    """A model, its walks and its searches."""

    def __init__(self, model: Model, text: str | None = None) -> None:
        """`text` is the model's text if it was not read from a file."""
        self.model = model
        self.walks = Walks(model)
        self.jobs = Jobs()
        self._lock = RLock()
        self._random = Random(0)
        self._sources = sources_record(model, text)
        self._verbs: dict[str, Callable[..., Json]] = {
            "open": self.open,
            "steps": self.steps,
            "state": self.state,
            "take": self.take,
            "undo": self.undo,
            "run": self.run,
            "walk": self.walk,
            "address": self.address,
            "rows": self.rows,
            "filter": self.filter,
            "explain": self.explain,
            "graph": self.graph,
            "ask": self.ask,
            "shortest": self.shortest,
            "jobs": self.search_records,
            "stop": self.stop,
        }

    def answer(self, verb: str, arguments: Json) -> Json:
        """Carry out a message; raises ScrimpError for one that cannot be."""
        if verb not in self._verbs or not isinstance(arguments, dict):
            raise OptionError(f"unknown message '{verb:.20}'")
        with self._lock:
            try:
                return self._verbs[verb](**arguments)
            except ScrimpError:
                raise
            except (TypeError, ValueError, KeyError, IndexError) as error:
                raise OptionError(f"message '{verb}': {error}") from error

    # The model.

    @property
    def hash(self) -> str:
        return self.model.identity[:HASH] or "model"

    def open(self) -> Json:
        """Everything that the page needs to begin."""
        model = self.model
        if not self.walks.records():
            self.walks.begin()
        return {
            "name": Path(model.path).name,
            "path": model.path,
            "language": model.language,
            "hash": self.hash,
            "processes": process_names(model),
            "variables": variable_names(model),
            "invariants": [invariant.name for invariant in model.system.invariants],
            "formulas": [{"name": formula.name, "text": formula.text} for formula in model.formulas],
            "fairness": model.language not in ("pnml", "aut"),
            "sources": self._sources,
            "walks": self.walks.records(),
            "jobs": self.jobs.records(),
            "comparison": None,
        }

    # Walks.

    def steps(self, walk: int, first: int, last: int) -> Json:
        """The steps from `first` up to `last`, each with what it changed."""
        first = max(first, 0)
        return [step_record(step) for step in self.walks[walk].walk.steps(first, min(last, first + MOST_AT_ONCE))]

    def state(self, walk: int, at: int, watch: list[str] | None = None) -> Json:
        """The state after `at` steps, its events, and the values of watched expressions."""
        way = self._at(walk, at).walk
        state = way.state(at)
        if isinstance(state, Fault):
            return {"groups": [], "events": [], "ending": state.message, "holder": "", "watch": []}
        return state_record(way, state) | {
            "next": way.event(at) if at < way.length else None,
            "watch": [_watched(way.model, state, text) for text in watch or ()],
        }

    def take(self, walk: int, at: int, events: list[int]) -> Json:
        """Take events after the first `at` steps; in the middle of a walk, or on a trace, that is a branch."""
        found = self._mine(walk, at)
        for event in events:
            found.walk.take(event)
        return found.record()

    def undo(self, walk: int) -> Json:
        """Take back the last step of a walk that the user makes."""
        found = self.walks[walk]
        if found.kind != MINE:
            raise OptionError("a trace stays as it is; take another event to branch from it")
        found.walk.undo()
        found.changed(found.walk.length)
        return found.record()

    def run(self, walk: int, at: int, steps: int, until: str = "") -> Json:
        """Take random steps, until a condition holds if one is given."""
        if not 1 <= steps <= MOST_RANDOM_STEPS:
            raise OptionError(f"expected from 1 to {MOST_RANDOM_STEPS} steps, found {steps}")
        if until.strip():
            self.model.expression(until)  # a mistake in it is reported before a branch is made
        found = self._mine(walk, at)
        reached = take_random_steps(found.walk, self._random, steps, lambda state: _is_true(found, state, until))
        return found.record() | {"reached": reached}

    def walk(self, address: str) -> Json:
        """The walk with an address, such as `1.2.1`."""
        return self.walks.along(parse_address(address)).record()

    def address(self, walk: int, at: int) -> Json:
        """The hash of the model, and the numbers that lead to a state; null for a long way."""
        places = self._at(walk, at).address(at)
        return {"hash": self.hash, "address": None if places is None else ".".join(map(str, places))}

    def rows(self, walk: int, first: int, last: int) -> Json:
        """Rows of the message sequence chart, and how many there are."""
        rows = self.walks[walk].rows()
        names = dict.fromkeys(name for row in rows for name in (row.source, row.target) if name)
        return {
            "count": len(rows),
            "processes": list(names),
            "rows": [asdict(row) for row in rows[max(first, 0) : min(last, first + MOST_AT_ONCE)]],
        }

    def filter(self, walk: int, process: str = "", variable: str = "", text: str = "") -> Json:
        """The places of the steps of a process that change a variable and contain a text."""
        return list(_matching(self.walks[walk], process, variable, text.lower()))

    def explain(self, walk: int, at: int, text: str, kind: str) -> Json:
        """Why an expression or a formula is true or false in a state."""
        found = self._at(walk, at)
        if kind == "expression":
            return explain_expression(found.walk, at, text)
        named = {formula.name: formula.text for formula in self.model.formulas if formula.name}
        return explain_formula(found.walk, at, named.get(text, text))

    def graph(self, walk: int, at: int, radius: int, by: list[str]) -> Json:
        """The states around a state."""
        return neighbourhood(self._at(walk, at).walk, at, max(1, min(radius, 50)), by)

    def _at(self, walk: int, at: int) -> Open:
        found = self.walks[walk]
        if not 0 <= at <= found.walk.length:
            raise OptionError(f"there is no step {at}")
        return found

    def _mine(self, walk: int, at: int) -> Open:
        """A walk that may be continued after `at` steps."""
        found = self._at(walk, at)
        if found.kind == MINE and at == found.walk.length:
            return found
        return self.walks.branch(found, at)

    # Searches.

    def ask(self, **asked: str) -> Json:
        """Start a search for the answer to a question; returns it."""
        question = Asked(**{name: str(value) for name, value in asked.items()})
        return self.jobs.start(
            question.title, lambda observer: question.answer(self.model, observer), self.publish
        ).record()

    def shortest(self, walk: int, at: int) -> Json:
        """Start a search for the shortest trace to a state."""
        found = self._at(walk, at)
        way = found.walk.branch(at)
        traces: list[Trace] = []

        def searching(observer: Any) -> None:
            traces.append(shortest_trace(self.model, way, at, observer))

        def publishing(_: Record | None) -> list[int]:
            with self._lock:
                name = f"shortest to step {at} of {found.name}"
                return [self.walks.follow(trace, name).number for trace in traces]

        return self.jobs.start(f"shortest trace to step {at} of {found.name}", searching, publishing).record()

    def search_records(self) -> Json:
        return {"jobs": self.jobs.records(), "walks": self.walks.records()}

    def stop(self, job: int) -> Json:
        self.jobs[job].stop()
        return {}

    def publish(self, result: Record | None) -> list[int]:
        """Open the traces of a result; returns the numbers of their walks."""
        if result is None:
            return []
        with self._lock:
            return [self._publish(*each) for each in _traces(result)]

    def _publish(self, trace: Trace, shows: str, violation: Violation | None) -> int:
        found = self.walks.follow(trace, shows)
        found.shows = shows
        if violation is not None:
            found.notes = violation.notes
            found.formula = violation.name if violation.kind.value == "ltl" else ""
        return found.number


def _traces(result: Record) -> Iterator[tuple[Trace, str, Violation | None]]:
    seen: list[Trace] = []
    for violation in result.violations:
        if violation.trace is not None and not any(violation.trace is each for each in seen):
            seen.append(violation.trace)
            yield violation.trace, violation.message, violation
    for goal in result.goals:
        if goal.witness is not None:
            yield goal.witness, f"{goal.name} is reachable", None


def state_record(walk: Walk, state: State) -> Json:
    """A state of the model of a walk, with its events."""
    events = reference.enabled(walk.system, state)
    shown = [_event_record(walk, state, event) for event in events[:MOST_EVENTS]]
    return {
        "groups": groups_record(walk.system, walk.model.vocabulary, walk.words, state),
        "events": shown,
        "more": len(events) - len(shown),
        "ending": "" if events else _ending(walk.model, state),
        "holder": holder_text(walk.words, state),
        "violated": list(_violated(walk.model, state)),
    }


def _event_record(walk: Walk, state: State, event: int) -> Json:
    """An event that is enabled in a state, with what it would change."""
    record = {"event": event, "moves": moves_record(walk.moves(event))}
    try:
        outcome = reference.outcome(walk.system, state, event)
    except reference.Outgrown:  # the system grows when the event is taken
        return record
    return step_record(walk.words.step(state, event, outcome)) | record


def _ending(model: Model, state: State) -> str:
    kind = "deadlock" if reference.is_deadlock(model.system, state) else "a valid end"
    return f"{kind}: {model.vocabulary.nothing_moves}"


def _watched(model: Model, state: State, text: str) -> Json:
    try:
        return {"text": text, "value": str(reference.evaluate(model.system, state, model.expression(text)))}
    except ModelError as error:
        return {"text": text, "problem": error.message}
    except EvaluationFault as fault:
        return {"text": text, "problem": str(fault)}


def _violated(model: Model, state: State) -> Iterator[str]:
    """The model's invariants that do not hold in a state."""
    if state.holder is not None:
        return
    for invariant in model.system.invariants:
        try:
            if not reference.evaluate(model.system, state, invariant.test):
                yield invariant.name
        except EvaluationFault:
            yield invariant.name


def _is_true(found: Open, state: State, text: str) -> bool:
    """Whether a condition holds; one that cannot be evaluated does not."""
    if not text.strip():
        return False
    try:
        model = found.walk.model  # it may have grown on the way
        return reference.evaluate(model.system, state, model.expression(text)) != 0
    except EvaluationFault:
        return False


def _matching(found: Open, process: str, variable: str, text: str) -> Iterator[int]:
    """Steps are replayed only if what they change matters."""
    walk = found.walk
    moving = range(walk.length)
    if process:
        moving_events = {event for event in _events(found) if any(m.process == process for m in walk.moves(event))}
        chosen = [place for place in moving if walk.event(place) in moving_events]
    else:
        chosen = list(moving)
    if not variable and not text:
        yield from chosen
        return
    wanted = set(chosen)
    for place, step in enumerate(walk.steps(0, walk.length)):
        if place not in wanted:
            continue
        if variable and not any(_is_part(change.name, variable) for change in step.changes):
            continue
        if text and text not in _text(step_record(step)):
            continue
        yield place


def _events(found: Open) -> set[int]:
    return {found.walk.event(place) for place in range(found.walk.length)}


def _is_part(name: str, variable: str) -> bool:
    return name == variable or name.startswith((f"{variable}[", f"{variable}."))


def _text(record: Json) -> str:
    moves = " ".join(f"{move['process']} {move['text']} {move['line']}" for move in record["moves"])
    changes = " ".join(" ".join(change) for change in record.get("changes", ()))
    return f"{moves} {changes} {record.get('fault', '')}".lower()
