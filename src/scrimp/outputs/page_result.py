"""A result on the page, and in a notebook: the page itself, in a frame."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, astuple
from html import escape
from pathlib import Path

from scrimp.forecast import Forecast
from scrimp.numbers import rough, rough_range, rough_time
from scrimp.outputs.page import single_file
from scrimp.outputs.page_states import Json, groups_record, step_record
from scrimp.outputs.sequence_chart import chart_rows
from scrimp.outputs.style import plain
from scrimp.outputs.text import LABEL, statistics_lines, strategy_parts, verdict_word
from scrimp.record import Record
from scrimp.statistics import Progress
from scrimp.steps import Step, Trace
from scrimp.trace import ReplayedSteps

MOST_LEVELS = 2000
# A notebook keeps what it shows: longer traces are cut there.
LONGEST = 2000
TALL, SHORT = 640, 420


def result_record(result: Record) -> Json:
    """What the page shows of a result."""
    statistics = result.statistics
    return {
        "verdict": plain(verdict_word(result)),
        "reason": result.reason,
        "strategy": " · ".join(strategy_parts(result)),
        "properties": [[each.property.text, each.verdict.value] for each in result.properties],
        "left_out": [[each.text, each.reason] for each in result.left_out],
        "numbers": [_labelled(plain(line)) for line in statistics_lines(result)],
        "parts": sorted(statistics.bytes_by_part.items(), key=lambda part: -part[1]),
        "peak": statistics.bytes_peak,
        "levels": _thinned(statistics.levels),
        "level_count": len(statistics.levels),
        "changes": [list(change) for change in result.method.store.changes_made(statistics.report)],
        "covered": result.ending.value == "closed" and result.method.reduction.keeps_all_states,
        "unreached": [
            {"file": each.file or "", "line": each.line, "text": each.text, "process": each.process}
            for each in result.unreached
        ],
    }


def progress_record(progress: Progress) -> Json:
    """What the page shows of a running search, besides the curves."""
    width = progress.level_width
    forecast = progress.forecast or Forecast()
    change = forecast.change
    return {
        "levels": [[place * width, *level] for place, level in enumerate(progress.levels)],
        "level_width": width,
        "parts": sorted(progress.bytes_by_part.items(), key=lambda part: -part[1]),
        "held": progress.bytes,
        "disk": progress.disk_bytes,
        "changes": [list(change) for change in progress.changes],
        "states": None if forecast.states is None else astuple(forecast.states),
        "seconds_left": None if forecast.seconds_left is None else astuple(forecast.seconds_left),
        "change": None if change is None else asdict(change),
        "summary": _forecast_parts(forecast),
    }


def _forecast_parts(forecast: Forecast) -> list[str]:
    """The forecast in words."""
    parts = []
    if forecast.states is not None:
        states = forecast.states
        parts.append(f"about {rough(states.likely)} states in all ({rough_range(states.least, states.most)})")
    if forecast.seconds_left is not None:
        parts.append(f"{rough_time(forecast.seconds_left.least, forecast.seconds_left.most)} left")
    if forecast.change is not None:
        change = forecast.change
        doubt = "" if change.is_likely else ", if it gets that far"
        when = rough_time(change.seconds.least, change.seconds.most)
        at = rough_range(change.states.least, change.states.most)
        parts.append(f"next change: {change.name} at {at} states, in {when}{doubt}")
    return parts


def _labelled(line: str) -> list[str]:
    return [line[: LABEL + 2].strip(), line[LABEL + 2 :]]


def _thinned(levels: Sequence[tuple[int, int]]) -> list[list[int]]:
    """The number, the states and the transitions of levels, at most so many of them."""
    stride = -(-len(levels) // MOST_LEVELS) or 1
    return [[number, *levels[number]] for number in range(0, len(levels), stride)]


def notebook_result(result: Record) -> str:
    """A result in a notebook: its traces with the model's text, its numbers and its levels."""
    traces = [(each.message, each.trace) for each in result.violations if each.trace is not None]
    traces += [(f"{each.name} is reachable", each.witness) for each in result.goals if each.witness is not None]
    job = {"id": 0, "title": Path(result.model).name, "status": "done", "message": "", "samples": []}
    return _frame(result.model, traces, [job | {"result": result_record(result), "walks": list(range(len(traces)))}])


def notebook_trace(model: str, trace: Trace, shows: str) -> str:
    """A trace in a notebook."""
    return _frame(model, [(shows, trace)], [])


def _frame(model: str, traces: Sequence[tuple[str, Trace]], jobs: list[Json]) -> str:
    walks = [_walk(number, shows, trace) for number, (shows, trace) in enumerate(traces)]
    steps = [step for _, trace in traces for step in trace.once_around()]
    opened = {
        "name": Path(model).name,
        "path": model,
        "language": "",
        "hash": "",
        "processes": list(dict.fromkeys(move.process for step in steps for move in step.moves)),
        "variables": list(dict.fromkeys(change.name for step in steps for change in step.changes)),
        "invariants": [],
        "formulas": [],
        "fairness": False,
        "sources": [_source(model)],
        "jobs": jobs,
        "comparison": None,
    }
    nodes = list(_first_states(traces))
    page = single_file({"open": opened, "walks": walks, "nodes": nodes, "graphs": {}, "trees": {}}, title=model)
    height = TALL if traces else SHORT
    return (
        f'<iframe sandbox="allow-scripts" srcdoc="{escape(page)}" title="scrimp" '
        f'style="width:100%;height:{height}px;border:1px solid #8884;border-radius:8px"></iframe>'
    )


def _walk(number: int, shows: str, trace: Trace) -> Json:
    steps: list[Step] = [*trace.steps[:LONGEST], *(trace.cycle or ())[:LONGEST]]
    whole = len(trace.steps) <= LONGEST
    rows = list(chart_rows(steps))
    record = {
        "id": number,
        "name": shows,
        "kind": "trace",
        "length": len(steps),
        "cycle": len(trace.steps) if trace.cycle is not None and whole else None,
        "shows": shows,
        "formula": "",
        "notes": [] if whole else [f"only the first {LONGEST} steps are shown here"],
    }
    return {
        "record": record,
        "steps": [step_record(step) for step in steps],
        "nodes": [number],
        "places": [],
        "rows": [asdict(row) for row in rows],
        "processes": list(dict.fromkeys(name for row in rows for name in (row.source, row.target) if name)),
    }


def _first_states(traces: Sequence[tuple[str, Trace]]) -> Iterator[Json]:
    """The state in which each trace begins; the page works out the others from what the steps change."""
    for _, trace in traces:
        groups: Json = []
        if isinstance(trace.steps, ReplayedSteps):
            steps = trace.steps
            groups = groups_record(steps.system, steps.vocabulary, steps.words, steps.begin)
        yield {"state": {"groups": groups, "events": [], "ending": "", "holder": "", "partial": True}, "targets": []}


def _source(model: str) -> Json:
    try:
        return {"file": "", "name": Path(model).name, "lines": [], "text": Path(model).read_text(encoding="utf-8")}
    except (OSError, ValueError):
        return {"file": "", "name": Path(model).name, "lines": [], "text": "", "problem": "the file is not there"}
