"""The answers of an examination, for reading and in the contest's format."""

from __future__ import annotations

from collections.abc import Iterator

from scrimp.contest.examination import Answer, Examination
from scrimp.outputs.style import bad, dim, good, warning
from scrimp.outputs.text import labelled, statistics_lines, strategy_parts, verdict_line

# What the contest calls the techniques of a search like ours.
TECHNIQUES = "SEQUENTIAL_PROCESSING EXPLICIT"

UNKNOWN = "CANNOT_COMPUTE"


def answer_lines(examined: Examination, brief: bool = False) -> Iterator[str]:
    """The report; if it is to be brief, its first line alone."""
    result = examined.result
    yield verdict_line(result)
    if brief:
        return
    yield ""
    yield labelled("model", result.model)
    yield labelled("strategy", *strategy_parts(result))
    yield ""
    names = max(len(each.id) for each in examined.answers)
    answers = max(len(each.answer or "unknown") for each in examined.answers)
    for each in examined.answers:
        yield f"  {each.id:{names}}  {_painted(each, answers)}  {dim(each.reason)}"
    yield ""
    yield from statistics_lines(result)


def contest_lines(examined: Examination) -> Iterator[str]:
    """One line for each formula, as the contest prescribes."""
    for each in examined.answers:
        yield f"FORMULA {each.id} {each.answer or UNKNOWN} TECHNIQUES {TECHNIQUES}"


def _painted(answer: Answer, width: int) -> str:
    paint = {"TRUE": good, "FALSE": bad, None: warning}.get(answer.answer, good)
    return paint(f"{answer.answer or 'unknown':{width}}")
