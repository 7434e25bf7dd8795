"""The texts of a model for the page, and the lines on which its statements stand."""

from __future__ import annotations

from pathlib import Path

from scrimp.errors import ScrimpError
from scrimp.frontends import read_text
from scrimp.frontends.model import Model
from scrimp.outputs.page_states import Json
from scrimp.viewing.names import MOST_EVENTS_READ

LONGEST = 4_000_000
TOO_LONG = "the text is too long to be shown here"


def sources_record(model: Model, text: str | None) -> Json:
    """The model's text, which was read from a file unless it is given, then those of included files. Each has the lines
    on which statements stand."""
    statements = _statement_lines(model)
    files = ["", *sorted(file for file in statements if file)]
    return [
        {"file": file, "name": Path(file or model.path).name, "lines": sorted(statements.get(file, ()))}
        | _text(model, file, text if not file else None)
        for file in files
    ]


def _text(model: Model, file: str, text: str | None) -> dict[str, str]:
    if text is None:
        try:
            text = read_text(_found(model, file))
        except ScrimpError as error:
            return {"text": "", "problem": str(error)}
    return {"text": "", "problem": TOO_LONG} if len(text) > LONGEST else {"text": text}


def _found(model: Model, file: str) -> Path:
    if not file:
        return Path(model.path)
    beside = Path(model.path).parent / file
    return beside if beside.exists() else Path(file)


def _statement_lines(model: Model) -> dict[str, set[int]]:
    found: dict[str, set[int]] = {}
    if len(model.system.transitions) <= MOST_EVENTS_READ:
        for transition in model.system.transitions:
            for move in transition.moves:
                found.setdefault(move.position.file or "", set()).add(move.position.line)
    return found
