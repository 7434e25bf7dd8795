"""A result as JSON: the record that docs/json.md describes.

Its text comes in pieces: that of a long trace as a whole would take more memory than the search.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

from scrimp.result import Result, Step, StepMove, Trace

WIDTH = 100


def result_pieces(result: Result) -> Iterator[str]:
    """The text of `result.to_dict()`."""
    record = replace(result, violations=(), goals=()).to_dict()
    record["violations"] = [replace(each, trace=None).to_dict() | {"trace": each.trace} for each in result.violations]
    record["goals"] = [{"name": each.name, "reached": each.reached, "trace": each.witness} for each in result.goals]
    return record_pieces(record | {"trace": result.trace})


def record_pieces(record: Mapping[str, Any]) -> Iterator[str]:
    """Whatever is longer than a line has one line per element; a step has one. A trace stands for its `to_dict()`."""
    yield from _pieces(record, "\n")
    yield "\n"


def _pieces(value: Any, newline: str) -> Iterator[str]:
    if isinstance(value, Step):
        yield _step_text(value)
    elif (flat := _flat(value)) is not None and (len(flat) <= WIDTH or not isinstance(value, list | dict)):
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
    """How a long value begins, its members with what stands before them, and how it ends."""
    match value:
        case Trace():
            return "{", [('"steps": ', value.steps)], "}"
        case dict():
            return "{", ((f"{_text(key)}: ", member) for key, member in value.items()), "}"
        case _:
            return "[", (("", member) for member in value), "]"


def _flat(value: Any) -> str | None:
    """A value on one line; None where it holds steps."""
    try:
        return _text(value)
    except TypeError:
        return None if value else "[]"


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
