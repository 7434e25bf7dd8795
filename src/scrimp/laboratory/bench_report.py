"""The report of `scrimp bench`: a table for the terminal, CSV, JSON, and a self-contained HTML page."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from scrimp.laboratory.bench import COLUMNS, Cell
from scrimp.laboratory.tables import csv_text, text_lines
from scrimp.numbers import amount, count, duration
from scrimp.outputs.files import write_whole
from scrimp.outputs.page_comparison import comparison_page
from scrimp.outputs.style import dim, strong, warning

HEADER = ("method", "verdict", "states", "visits", "transitions", "threads", "time", "memory", "B/state")


def table_lines(cells: Sequence[Cell]) -> Iterator[str]:
    """A table for each model; below it, why methods were refused or failed."""
    names = shown_models(cells)
    for model, some in groupby(cells, key=lambda cell: cell.model):
        of_model = list(some)
        yield strong(names[model])
        yield from text_lines([dim(name) for name in HEADER], [_row(cell) for cell in of_model])
        messages = (cell.message for cell in of_model if cell.status not in ("complete", "time", "memory"))
        for message in dict.fromkeys(messages):
            methods = ", ".join(cell.method for cell in of_model if cell.message == message)
            yield f"  {dim(methods + ':')} {message}"
        yield ""


def shown_models(cells: Sequence[Cell]) -> dict[str, str]:
    """The names of files, with their folders if two have the same name."""
    models = list(dict.fromkeys(cell.model for cell in cells))
    names = [Path(model).name for model in models]
    return {model: name if names.count(name) == 1 else model for model, name in zip(models, names, strict=True)}


def _row(cell: Cell) -> list[str]:
    verdict = shown_verdict(cell)
    if cell.status in ("refused", "failed"):
        return [cell.method, warning(verdict), *[""] * 7]
    return [
        cell.method,
        verdict if cell.status == "complete" else warning(verdict),
        ("" if cell.states_exact else "≈ ") + _number(cell.states),
        _number(cell.visits),
        _number(cell.transitions),
        _number(cell.threads),
        "" if cell.seconds is None else duration(cell.seconds),
        amount(cell.rss_peak),
        "" if cell.bytes_per_state is None else f"{cell.bytes_per_state:.1f}",
    ]


def shown_verdict(cell: Cell) -> str:
    if cell.status == "complete":
        return cell.verdict or "complete"
    return f"out of {cell.status}" if cell.status in ("time", "memory") else cell.status


def _number(number: int | None) -> str:
    return "" if number is None else count(number)


def write_reports(folder: Path, cells: Sequence[Cell], settings: Mapping[str, Any]) -> Path:
    """Write report.json, report.csv and report.html, with the settings; returns the page's path."""
    write_record(folder / "report.json", cells, settings)
    write_whole(folder / "report.csv", [csv_text(COLUMNS, [list(cell.to_dict().values()) for cell in cells])])
    page = folder / "report.html"
    write_whole(page, [comparison_page([cell.to_dict() for cell in cells], settings)])
    return page


def write_record(path: Path, cells: Sequence[Cell], settings: Mapping[str, Any]) -> None:
    record = {"settings": dict(settings), "cells": [cell.to_dict() for cell in cells]}
    write_whole(path, [json.dumps(record, indent=1, ensure_ascii=False), "\n"])
