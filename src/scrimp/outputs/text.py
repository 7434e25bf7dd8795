"""A result as a report: the verdict first, then the question, the trace, and the numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain, groupby
from typing import TypeAlias

from scrimp.notes import Note
from scrimp.numbers import amount, count, counted, duration, rate, rough, rough_range
from scrimp.outputs.style import bad, dim, good, strong, warning
from scrimp.outputs.trace_text import WIDEST_TEXT, shortened, trace_lines
from scrimp.properties import Judgement
from scrimp.record import Record, Unreached
from scrimp.statistics import Statistics
from scrimp.steps import Trace
from scrimp.verdict import Verdict

LABEL = 13
MOST_PROPERTIES = 8
MOST_UNREACHED = 20

_PAINT = {Verdict.PROVED: good, Verdict.REFUTED: bad, Verdict.UNDETERMINED: warning}

TraceLines: TypeAlias = Callable[[Trace], Iterator[str]]


def report_lines(result: Record, file: str, width: int | None = None, chart: TraceLines | None = None) -> Iterator[str]:
    """The whole report on the model in `file`, line by line, on a screen of the given width (None: any). A trace is
    shown by its steps, or by `chart`."""
    shows = chart or partial(trace_lines, file, width=width)
    yield verdict_line(result)
    yield ""
    yield from _question_lines(result)
    shown = list(_found_lines(result, shows))
    yield from shown
    if shown:
        yield ""
    yield from statistics_lines(result)
    yield from _unreached_lines(result.unreached, file)
    if result.unknown_coverage:
        yield ""
        unknown = counted(result.unknown_coverage, "transition")
        option = "a search without --symmetry" if result.symmetry else "--as-written"
        yield f"  whether {unknown} can be executed is not known; {option} finds out"


def verdict_line(result: Record) -> str:
    """The verdict and its reason in one line."""
    return f"{verdict_word(result)}  {result.reason}"


def verdict_word(result: Record) -> str:
    """The verdict; if nothing was asked, whether every state was visited."""
    if result.properties:
        return _PAINT[result.verdict](str(result.verdict))
    return strong("EXPLORED") if result.verdict is Verdict.PROVED else warning("UNFINISHED")


def labelled(label: str, *parts: str) -> str:
    return f"  {dim(f'{label:{LABEL}}')}" + dim(" · ").join(part for part in parts if part)


def _question_lines(result: Record) -> Iterator[str]:
    yield labelled("model", result.model)
    asked = list(_property_parts(result.properties))
    for place, parts in enumerate(asked[:MOST_PROPERTIES]):
        yield labelled("property" if place == 0 else "", *parts)
    if len(asked) > MOST_PROPERTIES:
        yield labelled("", f"… and {count(len(asked) - MOST_PROPERTIES)} more")
    if result.left_out:
        yield labelled("not checked", *(each.text for each in result.left_out))
    yield labelled("strategy", *strategy_parts(result))
    if result.passes:
        yield labelled("passes", *(note.text for note in result.passes))
    for place, exchangeable in enumerate(result.symmetry):
        yield labelled("symmetry" if place == 0 else "", exchangeable.text)


def _property_parts(judgements: Sequence[Judgement]) -> Iterator[list[str]]:
    """The properties, line by line; if their verdicts differ, each with its verdict."""
    differ = len({each.verdict for each in judgements}) > 1
    lines: list[tuple[list[str], Verdict]] = []
    for each in judgements:
        if each.property.continues_line and lines and lines[-1][1] is each.verdict:
            lines[-1][0].append(each.property.text)
        else:
            lines.append(([each.property.text], each.verdict))
    for texts, verdict in lines:
        yield [", ".join(texts), *([_PAINT[verdict](verdict.value)] if differ else [])]


def strategy_parts(result: Record) -> Iterator[str]:
    """The strategies of a search, in words."""
    for strategy in (result.method.order, result.method.store, result.method.reduction):
        reasons = {
            "order": result.order_reason,
            "store": result.store_reason,
            "reduction": result.reduction_reason,
        }
        reason = reasons.get(strategy.role)
        if strategy.role != "reduction" or strategy.name != "none" or reason:
            yield f"{strategy.role} {strategy}" + (f" ({reason})" if reason else "")
    if result.seed is not None:
        yield f"shuffled by seed {result.seed}"
    if result.audit:
        yield "audited"


def _found_lines(result: Record, shows: TraceLines) -> Iterator[str]:
    """Every trace, under the message about its violation or goal; violations in the same state share a trace."""
    for trace, together in groupby(result.violations, key=lambda violation: violation.trace):
        violations = list(together)
        if trace is not None:
            yield from _shown_lines([bad(each.message) for each in violations], result, trace, shows)
        for note in dict.fromkeys(chain.from_iterable(each.notes for each in violations)):
            yield f"  {dim(note)}"
    for goal in result.goals:
        if goal.witness is not None:
            yield from _shown_lines([good(f"{goal.name} is reachable")], result, goal.witness, shows)


def _shown_lines(messages: Sequence[str], result: Record, trace: Trace, shows: TraceLines) -> Iterator[str]:
    yield ""
    for message in messages[:-1]:
        yield f"  {message}"
    yield f"  {messages[-1]} {dim(_length(result, trace))}"
    yield from shows(trace)


def _length(result: Record, trace: Trace) -> str:
    length = f"after {counted(len(trace.steps), 'step')}" if trace.steps else "in the initial state"
    if trace.cycle is not None and not trace.cycle:
        return f"{length}, where the run ends"
    if trace.cycle is not None:
        return f"{length}, in a cycle of {counted(len(trace.cycle), 'step')}"
    if not (trace.steps and result.has_shortest_traces):
        return length
    atomic = any(step.transient for step in trace.steps)
    return f"{length} ({'no trace passes fewer states' if atomic else 'no shorter trace exists'})"


def statistics_lines(result: Record) -> Iterator[str]:
    """The numbers of a search."""
    numbers = result.statistics
    width = max(len(count(number)) for number in (numbers.states, numbers.entered, numbers.transitions))
    depth = "deepest level" if result.went_level_by_level else "longest path"
    # A rate over a few milliseconds is noise.
    timed = numbers.seconds >= 0.01
    pace = rate(numbers.states_per_second) if timed else ""
    if numbers.entered == numbers.states and numbers.states_exact:
        yield labelled("states", f"{count(numbers.states):>{width}}", pace)
    else:
        yield labelled("states", f"{count(numbers.states):>{width}}", "" if numbers.states_exact else "an estimate")
        yield labelled("visits", f"{count(numbers.entered):>{width}}", pace)
    yield labelled(
        "transitions",
        f"{count(numbers.transitions):>{width}}",
        rate(numbers.transitions_per_second) if timed else "",
        f"{count(numbers.matched)} met a visited state",
    )
    yield labelled("depth", f"{count(numbers.depth):>{width}}", depth)
    if (forecast := numbers.states_forecast) is not None:
        ends = rough_range(forecast.least, forecast.most)
        yield labelled("forecast", f"about {rough(forecast.likely)} states in all", f"probably {ends}")
    if found := list(_found(numbers, result.passes)):
        yield labelled("found", *found)
    for label, parts in result.method.store.rows(numbers):
        yield labelled(label, *parts)
    yield labelled("memory", *_memory_parts(numbers))
    for label, remark in result.method.store.remarks(result.verdict, result.method.reduction, numbers):
        yield labelled(label, remark)
    yield labelled("time", *_time_parts(numbers))


def _found(numbers: Statistics, passes: Sequence[Note]) -> Iterator[str]:
    if numbers.deadlocks and all(note.keeps_deadlocks for note in passes):
        yield counted(numbers.deadlocks, "deadlock")
    if numbers.faults:
        yield counted(numbers.faults, "fault")
    for name, states in numbers.violations_by_name.items():
        if states:
            yield f"{counted(states, 'state')} violating {name}"


def _memory_parts(numbers: Statistics) -> Iterator[str]:
    yield f"{numbers.bytes_per_state:.1f} bytes per state"
    if numbers.most_stored != numbers.states:
        yield f"{count(numbers.most_stored)} states at once"
    yield amount(numbers.bytes_peak)
    if numbers.rss_peak:
        yield f"{amount(numbers.rss_peak)} in all"


def _time_parts(numbers: Statistics) -> Iterator[str]:
    yield f"{duration(numbers.seconds)} on {counted(numbers.threads, 'thread')}"
    yield f"{duration(numbers.compile_seconds)} to compile"
    if numbers.resumed:
        yield f"resumed {counted(numbers.resumed, 'time')}"


def _unreached_lines(unreached: tuple[Unreached, ...], file: str) -> Iterator[str]:
    if not unreached:
        return
    yield ""
    yield f"  {warning(counted(len(unreached), 'transition') + ' never executed')}"
    shown = unreached[:MOST_UNREACHED]
    width = max(len(each.process) for each in shown)
    place = max(len(f"{each.file or file}:{each.line}") for each in shown)
    for each in shown:
        where = f"{each.file or file}:{each.line}"
        yield f"    {dim(f'{where:{place}}')}  {each.process:{width}}  {shortened(each.text, WIDEST_TEXT)}"
    if len(unreached) > len(shown):
        yield dim(f"    … and {count(len(unreached) - len(shown))} more; --json lists them all")
