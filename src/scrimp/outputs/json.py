"""A result as JSON: the record that docs/json.md describes.

Its text comes in pieces: the whole text of a long trace or of many levels would take more memory than the search.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from scrimp.record import Record
from scrimp.steps import Step, StepMove, Trace

WIDTH = 100


def result_pieces(result: Record) -> Iterator[str]:
    """The text of `result.to_dict()`."""
    record = replace(result, statistics=replace(result.statistics, levels=()), violations=(), goals=()).to_dict()
    record["levels"] = result.statistics.levels
    record["violations"] = [replace(each, trace=None).to_dict() | {"trace": each.trace} for each in result.violations]
    record["goals"] = [{"name": each.name, "reached": each.reached, "trace": each.witness} for each in result.goals]
    return record_pieces(record | {"trace": result.trace})


def record_pieces(record: Mapping[str, Any]) -> Iterator[str]:
    """The text of a record. A value that is longer than a line gets one line per element, a step always a single one;
    a trace is written as its `to_dict()`."""
    yield from _pieces(record, "\n")
    yield "\n"


def _pieces(value: Any, newline: str) -> Iterator[str]:
    if isinstance(value, Step):
        yield _step_text(value)
    elif (flat := _flat(value)) is not None:
        yield flat
    else:
        opening, members, closing = _parts(value)
        separator = ""
        yield opening
        for label, member in members:
            yield f"{separator}{newline}  {label}"
            yield from _pieces(member, newline + "  ")
            separator = ","
        yield newline + closing


def _parts(value: Any) -> tuple[str, Iterable[tuple[str, Any]], str]:
    """The opening of a long value, its members with their labels, and its closing."""
    match value:
        case Trace():
            return "{", [('"steps": ', value.steps), ('"cycle": ', value.cycle)], "}"
        case dict():
            return "{", ((f"{_text(key)}: ", member) for key, member in value.items()), "}"
        case _:
            return "[", (("", member) for member in value), "]"


def _flat(value: Any) -> str | None:
    """The text of a value that fits on one line; None if its members get lines of their own."""
    if isinstance(value, str | int | float | None):
        return _text(value)
    if isinstance(value, Sequence):
        if len(value) > WIDTH:
            return None
        value = tuple(value)
    try:
        text = _text(value)
    except TypeError:  # it contains a step, or one of our own sequences
        return None
    return text if len(text) <= WIDTH else None


def _step_text(step: Step) -> str:
    """The text of `step.to_dict()`."""
    changes = _text([change.to_dict() for change in step.changes])
    return (
        f'{{"event": {step.event}, "moves": {_moves_text(step.moves)}, "changes": {changes}, '
        f'"fault": {_text(step.fault)}}}'
    )


@lru_cache
def _moves_text(moves: tuple[StepMove, ...]) -> str:
    return _text([move.to_dict() for move in moves])


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
