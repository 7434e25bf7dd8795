"""Trace files: a path through a model as JSON, to be replayed or to guide a simulation."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from scrimp.errors import ScrimpError
from scrimp.outputs.json import record_pieces
from scrimp.record import Record
from scrimp.steps import Change, Step, StepMove, Trace, Value
from scrimp.system.violations import ViolationKind

FORMAT = "scrimp trace"
PATH_VERSION, CYCLE_VERSION = 1, 2
KINDS = (*(kind.value for kind in ViolationKind), "goal", "simulation", "cycle")


@dataclass(frozen=True, slots=True)
class Claim:
    """What a trace claims to end in. `name` is the expression of an invariant or a goal; the kind "cycle" is that of a
    trace that only claims to repeat its last steps forever."""

    kind: str
    name: str
    message: str


@dataclass(frozen=True, slots=True)
class TraceFile:
    """A trace through a model, and its claim. Steps read from a file need not be the model's."""

    model: str
    shows: Claim
    trace: Trace

    def pieces(self) -> Iterator[str]:
        """The file's text."""
        cycle = {} if self.trace.cycle is None else {"cycle": self.trace.cycle}
        version = CYCLE_VERSION if cycle else PATH_VERSION
        head = {"format": FORMAT, "version": version, "model": self.model, "shows": asdict(self.shows)}
        return record_pieces(head | {"steps": self.trace.steps} | cycle)


def first_trace(result: Record) -> TraceFile | None:
    """The trace of a result that is written to a file: the first violation's or, without one, the first goal's."""
    for violation in result.violations:
        if violation.trace is not None:
            claim = Claim(violation.kind.value, violation.name, violation.message)
            return TraceFile(result.model, claim, violation.trace)
    for goal in result.goals:
        if goal.witness is not None:
            return TraceFile(result.model, Claim("goal", goal.name, f"{goal.name} is reachable"), goal.witness)
    return None


def read_trace_file(path: Path) -> TraceFile:
    """The trace in a file; anything else is refused in one line."""
    record = _read_json(path)
    if not isinstance(record, dict) or record.get("format") != FORMAT:
        raise ScrimpError(f'{path}: not a trace file: expected an object with "format": "{FORMAT}"')
    version = record.get("version")
    if version not in (PATH_VERSION, CYCLE_VERSION):
        raise ScrimpError(f"{path}: unknown trace version {version!r} (choices: {PATH_VERSION}, {CYCLE_VERSION})")
    try:
        return TraceFile(
            model=_field(record, "model", str),
            shows=_claim(_field(record, "shows", dict)),
            trace=Trace(_steps(record, "steps"), _steps(record, "cycle") if version == CYCLE_VERSION else None),
        )
    except _MalformedError as error:
        raise ScrimpError(f"{path}: not a trace file: {error}") from error


def _read_json(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ScrimpError(f"cannot read {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ScrimpError(f"{path}: not a trace file: it is not UTF-8 text") from error
    except json.JSONDecodeError as error:
        raise ScrimpError(f"{path}:{error.lineno}:{error.colno}: not a trace file: {error.msg}") from error
    except (RecursionError, ValueError) as error:  # nested too deeply, or a number of thousands of digits
        raise ScrimpError(f"{path}: not a trace file") from error


class _MalformedError(Exception):
    """A trace file lacks a field, or has a field of the wrong type."""


TYPE_WORDS: dict[type[Any], str] = {str: "a text", int: "a number", list: "a list", dict: "an object"}


def _field(record: Any, name: str, kind: type[Any]) -> Any:
    if not isinstance(record, dict) or name not in record:
        raise _MalformedError(f'"{name}" is missing')
    value = record[name]
    if not isinstance(value, kind) or isinstance(value, bool):
        raise _MalformedError(f'"{name}" should be {TYPE_WORDS[kind]}')
    return value


def _claim(record: dict[str, Any]) -> Claim:
    claim = Claim(_field(record, "kind", str), _field(record, "name", str), _field(record, "message", str))
    if claim.kind not in KINDS:
        raise _MalformedError(f'"kind" should be one of {", ".join(KINDS)}')
    return claim


def _steps(record: Any, name: str) -> tuple[Step, ...]:
    return tuple(_step(step) for step in _field(record, name, list))


def _step(record: Any) -> Step:
    fault = record.get("fault") if isinstance(record, dict) else None
    return Step(
        event=_field(record, "event", int),
        moves=tuple(_move(move) for move in _field(record, "moves", list)),
        changes=tuple(_change(change) for change in _field(record, "changes", list)),
        fault=None if fault is None else _field(record, "fault", str),
    )


def _move(record: Any) -> StepMove:
    file = record.get("file") if isinstance(record, dict) else None
    process, source, target, text = (_field(record, name, str) for name in ("process", "source", "target", "text"))
    line, column = (_field(record, name, int) for name in ("line", "column"))
    return StepMove(process, source, target, text, line, column, None if file is None else _field(record, "file", str))


def _change(record: Any) -> Change:
    return Change(_field(record, "name", str), _value(record, "old"), _value(record, "new"))


def _value(record: dict[str, Any], name: str) -> Value:
    value = record.get(name)
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, list) and all(isinstance(message, list) for message in value):
        return tuple(tuple(message) for message in value)
    raise _MalformedError(f'"{name}" should be a number or a list of messages')
