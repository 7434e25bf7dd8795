"""The report of `scrimp bench`: a table for the terminal, CSV, JSON, and a self-contained HTML page."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Any

from scrimp.laboratory.bench import COLUMNS, Cell
from scrimp.laboratory.comparison import seconds
from scrimp.laboratory.svg import Axis, Point, legend, log_axis, palette, plot
from scrimp.laboratory.tables import csv_text, text_lines
from scrimp.numbers import amount, count, duration
from scrimp.outputs.files import write_whole
from scrimp.outputs.style import dim, strong, warning

HEADER = ("method", "verdict", "states", "visits", "transitions", "threads", "time", "memory", "B/state")

STYLE = """
:root { color-scheme: light dark; --paper: #fff; --ink: #222; --faint: #666; --line: #ddd; --grid: #e8e8e8;
  --warning: #a50; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #16181c; --ink: #e2e2e2; --faint: #a0a0a0; --line: #3a3d42; --grid: #2c2f34; --warning: #f0a050; }
}
body { font: 15px/1.5 system-ui, sans-serif; max-width: 78em; margin: 2em auto; padding: 0 1em; color: var(--ink);
  background: var(--paper); }
h1 { font-size: 1.6em; } h2 { font-size: 1.2em; margin-top: 2em; }
.runs { overflow-x: auto; }
table { border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums; width: 100%; }
th, td { padding: 3px 10px; text-align: right; border-bottom: 1px solid var(--line); vertical-align: top;
  white-space: nowrap; }
th { cursor: pointer; } th[data-up="1"]::after { content: " ▲"; } th[data-up="0"]::after { content: " ▼"; }
th:nth-child(-n+3), td:nth-child(-n+3), td.message { text-align: left; }
td:nth-child(2) { white-space: normal; overflow-wrap: break-word; min-width: 14em; }
td.message { color: var(--warning); white-space: normal; min-width: 24em; }
tbody tr:hover { background: var(--grid); }
.plots { display: flex; flex-wrap: wrap; gap: 1.5em; } figure { margin: 0; flex: 1 1 22em; min-width: 0; }
figcaption { color: var(--faint); font-size: 13px; }
svg { width: 100%; height: auto; } svg text { font: 14px system-ui, sans-serif; fill: var(--faint); }
svg .grid { stroke: var(--grid); }
.keys { display: flex; flex-wrap: wrap; gap: .2em 1.2em; font-size: 13px; } .key { overflow-wrap: anywhere; }
.key svg { width: .9em; height: .9em; margin-right: .4em; vertical-align: -.1em; }
""" + palette()

# A click on a heading sorts by that column.
SCRIPT = """
for (const [column, heading] of document.querySelectorAll("th").entries()) heading.onclick = () => {
  const body = document.querySelector("tbody"), cell = row => row.cells[column] || row.cells[row.cells.length - 1];
  const value = row => cell(row).dataset.value ?? cell(row).textContent;
  const order = (a, b) => isNaN(value(a)) || isNaN(value(b)) ? value(a).localeCompare(value(b)) : value(a) - value(b);
  const rows = [...body.rows].sort(order), sign = heading.dataset.up === "1" ? -1 : 1;
  document.querySelectorAll("th").forEach(other => delete other.dataset.up);
  heading.dataset.up = sign === 1 ? "1" : "0";
  body.append(...(sign === 1 ? rows : rows.reverse()));
};
"""


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
    write_whole(page, html_pieces(cells, settings))
    return page


def write_record(path: Path, cells: Sequence[Cell], settings: Mapping[str, Any]) -> None:
    record = {"settings": dict(settings), "cells": [cell.to_dict() for cell in cells]}
    write_whole(path, [json.dumps(record, indent=1, ensure_ascii=False), "\n"])


def html_pieces(cells: Sequence[Cell], settings: Mapping[str, Any]) -> Iterator[str]:
    yield '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">\n'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1"><title>scrimp bench</title>\n'
    yield f"<style>{STYLE}</style></head><body>\n<h1>scrimp bench</h1>\n"
    yield (
        "<p>" + " · ".join(f"{escape(name)} <b>{escape(str(value))}</b>" for name, value in settings.items()) + "</p>\n"
    )
    yield from _plots(cells)
    yield '<h2>All runs</h2>\n<div class="runs"><table><thead><tr><th>model</th>'
    yield "".join(f"<th>{heading}</th>" for heading in HEADER) + "</tr></thead><tbody>\n"
    names = shown_models(cells)
    for cell in cells:
        yield _html_row(names[cell.model], cell)
    yield f"</tbody></table></div>\n<script>{SCRIPT}</script>\n</body></html>\n"


def _html_row(model: str, cell: Cell) -> str:
    method = escape(cell.method).replace(",", ",<wbr>")  # a long one may be broken here
    first = f"<tr><td>{escape(model)}</td><td>{method}</td><td>{escape(shown_verdict(cell))}</td>"
    if cell.status in ("refused", "failed"):
        return f'{first}<td class="message" colspan="7">{escape(cell.message)}</td></tr>\n'
    values = (cell.states, cell.visits, cell.transitions, cell.threads, cell.seconds, cell.rss_peak)
    numbers = [
        f'<td data-value="{"" if value is None else value}">{escape(text)}</td>'
        for value, text in zip((*values, cell.bytes_per_state), _row(cell)[2:], strict=True)
    ]
    return f"{first}{''.join(numbers)}</tr>\n"


def _plots(cells: Sequence[Cell]) -> Iterator[str]:
    done = [cell for cell in cells if cell.status == "complete" and cell.seconds is not None]
    if not done:
        yield "<p>No run is complete, so there is nothing to plot.</p>\n"
        return
    completed = {cell.method for cell in done}
    methods = [method for method in dict.fromkeys(cell.method for cell in cells) if method in completed]
    yield f'<p class="keys">{legend(methods)}</p>\n<div class="plots">\n'
    yield f"<figure>{scatter(done, methods)}<figcaption>Time and memory: a point is one method on one model."
    yield " Down and to the left is better.</figcaption></figure>\n"
    yield f"<figure>{cactus(done, methods)}<figcaption>How many models each method completes within a time limit for "
    yield "each. Down and to the right is better.</figcaption></figure>\n</div>\n"


def scatter(done: Sequence[Cell], methods: Sequence[str]) -> str:
    """Memory of the process against time."""
    names = shown_models(done)
    series: dict[str, list[Point]] = {method: [] for method in methods}
    for cell in done:
        title = f"{names[cell.model]}, {duration(seconds(cell))}, {amount(cell.rss_peak)}"
        series[cell.method].append(Point(seconds(cell), cell.rss_peak / 2**20, title))
    x = log_axis("time of the search", [seconds(cell) for cell in done], duration)
    y = log_axis("memory of the process", [cell.rss_peak / 2**20 for cell in done], lambda mib: f"{mib:g} MiB")
    return plot(x, y, series, joined=False)


def cactus(done: Sequence[Cell], methods: Sequence[str]) -> str:
    """The times of each method in ascending order: within the n-th, it completes n models."""
    names = shown_models(done)
    series = {}
    for method in methods:
        ordered = sorted((cell for cell in done if cell.method == method), key=seconds)
        series[method] = [
            Point(place, seconds(cell), f"{place} models, the last {names[cell.model]}, {duration(seconds(cell))}")
            for place, cell in enumerate(ordered, 1)
        ]
    most = max(len(points) for points in series.values())
    x = Axis("models completed", 0, most + 0.5, lambda number: f"{number:g}", linear=True)
    y = log_axis("time of the search", [seconds(cell) for cell in done], duration)
    return plot(x, y, series, joined=True)
