"""Steps and states as the page shows them: JSON values whose texts are in the model's words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

from scrimp.outputs.trace_text import value_text
from scrimp.steps import Step, StepMove
from scrimp.system.reference import PROGRAM, SETTLING, State
from scrimp.system.system import System
from scrimp.trace import Words
from scrimp.vocabulary import Vocabulary

Json: TypeAlias = Any

GLOBAL = "variables"
CHANNELS = "channels"
PLACES = "places"


def step_record(step: Step) -> Json:
    """A step: its moves, and only what it changed."""
    record: dict[str, Json] = {"moves": moves_record(step.moves)}
    if step.changes:
        record["changes"] = [
            [change.name, value_text(change.old, change.names), value_text(change.new, change.names)]
            for change in step.changes
        ]
    if step.fault is not None:
        record["fault"] = step.fault
    if step.transient:
        record["transient"] = True
    return record


def moves_record(moves: tuple[StepMove, ...]) -> Json:
    return [
        {
            "process": move.process,
            "text": " ".join(move.text.split()),
            "line": move.line,
            "file": move.file or "",
            "from": move.source,
            "to": move.target,
        }
        for move in moves
    ]


def groups_record(system: System, vocabulary: Vocabulary, words: Words, state: State) -> Json:
    """A state as groups of rows: one for each process that runs, with its location and its own variables; then global
    variables and channels. A net has one group, its places that hold tokens."""
    if vocabulary.marking is not None:
        rows = [[name, value_text(count)] for name, count, _ in words.valuation(state)]
        return [{"name": PLACES, "rows": rows}]
    groups: dict[int | None, dict[str, Json]] = {
        process: {"name": name, "place": location, "rows": []} for process, (name, location) in _running(words, state)
    }
    shared: list[Json] = []
    for owner, name, value in _variables(system, vocabulary, state):
        group = groups.get(owner)
        if group is None:
            shared.append([name, value])
        else:
            group["rows"].append([name, value])
    channels = [
        [declared.name, value_text(messages, vocabulary.messages.get(number, ())), len(messages)]
        for number, (declared, messages) in enumerate(zip(system.channels, state.channels, strict=True))
    ]
    rest = [{"name": GLOBAL, "rows": shared}, {"name": CHANNELS, "rows": channels}]
    return [*groups.values(), *(group for group in rest if group["rows"])]


def _running(words: Words, state: State) -> Iterator[tuple[int, tuple[str, str]]]:
    for process in range(len(state.locations)):
        name, _, location = words.place(state, process).partition(" at ")
        if name:
            yield process, (name, location)


def _variables(system: System, vocabulary: Vocabulary, state: State) -> Iterator[tuple[int | None, str, str]]:
    """The owner, the name and the value of every variable and element."""
    for variable, values in enumerate(state.values):
        if not vocabulary.is_there(system, variable, state.locations):
            continue
        owner = system.variables[variable].owner
        for element, value in enumerate(values):
            name = vocabulary.element(system, variable, element)
            yield owner, name, value_text(value, vocabulary.names(variable))


def holder_text(words: Words, state: State) -> str:
    """The process that continues alone from a transient state; empty for others."""
    if state.holder in (None, PROGRAM, SETTLING):
        return ""
    return words.place(state, state.holder)
