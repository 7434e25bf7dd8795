"""A result for reading: the verdict first, then what was asked, the trace, and the numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import groupby
from typing import TypeAlias

from scrimp.advice import advice
from scrimp.outputs.numbers import amount, count, counted, duration, estimate, part, rate
from scrimp.outputs.style import bad, dim, good, strong, warning
from scrimp.outputs.trace_text import WIDEST_TEXT, shortened, trace_lines
from scrimp.result import Result, SnapshotUse, Statistics, Trace, Unreached, Verdict

LABEL = 13
MOST_PROPERTIES = 8
MOST_UNREACHED = 20


TraceLines: TypeAlias = Callable[[Trace], Iterator[str]]


def report_lines(result: Result, file: str, width: int | None = None, chart: TraceLines | None = None) -> Iterator[str]:
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
    yield from _statistics_lines(result)
    yield from _unreached_lines(result.unreached, file)


def verdict_line(result: Result) -> str:
    """The verdict and its reason in one line."""
    if not result.properties:
        word = strong("EXPLORED") if result.verdict is Verdict.PROVED else warning("UNFINISHED")
        return f"{word}  {result.reason}"
    paint = {Verdict.PROVED: good, Verdict.REFUTED: bad, Verdict.UNDETERMINED: warning}[result.verdict]
    return f"{paint(str(result.verdict))}  {result.reason}"


def _row(label: str, *parts: str) -> str:
    return f"  {dim(f'{label:{LABEL}}')}" + dim(" · ").join(part for part in parts if part)


def _question_lines(result: Result) -> Iterator[str]:
    yield _row("model", result.model)
    for place, each in enumerate(result.properties[:MOST_PROPERTIES]):
        yield _row("property" if place == 0 else "", str(each))
    if len(result.properties) > MOST_PROPERTIES:
        yield _row("", f"… and {count(len(result.properties) - MOST_PROPERTIES)} more")
    yield _row("strategy", *_strategy_parts(result))


def _strategy_parts(result: Result) -> Iterator[str]:
    for strategy in (result.method.order, result.method.store, result.method.reduction):
        if strategy.role != "reduction" or strategy.name != "none":
            yield f"{strategy.role} {strategy}"
    if result.seed is not None:
        yield f"shuffled by seed {result.seed}"
    if result.audit:
        yield "audited"


def _found_lines(result: Result, shows: TraceLines) -> Iterator[str]:
    """Every trace under what it shows; violations met in one state share theirs."""
    for trace, violations in groupby(result.violations, key=lambda violation: violation.trace):
        if trace is not None:
            yield from _shown_lines([bad(each.message) for each in violations], result, trace, shows)
    for goal in result.goals:
        if goal.witness is not None:
            yield from _shown_lines([good(f"{goal.name} is reachable")], result, goal.witness, shows)


def _shown_lines(messages: Sequence[str], result: Result, trace: Trace, shows: TraceLines) -> Iterator[str]:
    yield ""
    for message in messages[:-1]:
        yield f"  {message}"
    yield f"  {messages[-1]} {dim(_length(result, trace))}"
    yield from shows(trace)


def _length(result: Result, trace: Trace) -> str:
    if not trace.steps:
        return "in the initial state"
    length = f"after {counted(len(trace.steps), 'step')}"
    if not (result.went_level_by_level and result.method.store.exact):
        return length
    atomic = any(step.transient for step in trace.steps)
    return f"{length}, no trace to it {'passes fewer states' if atomic else 'is shorter'}"


def _statistics_lines(result: Result) -> Iterator[str]:
    numbers = result.statistics
    width = max(len(count(number)) for number in (numbers.states, numbers.entered, numbers.transitions))
    depth = "deepest level" if result.went_level_by_level else "longest path"
    # A rate over a few milliseconds is noise.
    timed = numbers.seconds >= 0.01
    pace = rate(numbers.states_per_second) if timed else ""
    if numbers.entered == numbers.states and numbers.states_exact:
        yield _row("states", f"{count(numbers.states):>{width}}", pace)
    else:
        yield _row("states", f"{count(numbers.states):>{width}}", "" if numbers.states_exact else "an estimate")
        yield _row("visits", f"{count(numbers.entered):>{width}}", pace)
    yield _row(
        "transitions",
        f"{count(numbers.transitions):>{width}}",
        rate(numbers.transitions_per_second) if timed else "",
        f"{count(numbers.matched)} met a visited state",
    )
    yield _row("depth", f"{count(numbers.depth):>{width}}", depth)
    if found := list(_found(numbers)):
        yield _row("found", *found)
    if numbers.reconstructions.states:
        yield _row("rebuilt", *_reconstruction_parts(numbers))
    if numbers.snapshots.taken:
        yield _row("snapshots", *_snapshot_parts(numbers))
        yield _row("known by", *_hit_parts(numbers.snapshots))
        yield _row("levels back", *_distance_parts(numbers.snapshots))
    if result.method.store.forgets_for_good:
        yield _row("references", *_reference_parts(numbers))
    yield _row("memory", *_memory_parts(numbers))
    if numbers.expected_omissions:
        yield _row("omissions", f"{estimate(numbers.expected_omissions)} states expected, as far as hashes tell")
    if line := advice(result):
        yield _row("cache", line)
    yield _row("time", duration(numbers.seconds), f"{duration(numbers.compile_seconds)} to compile")


def _found(numbers: Statistics) -> Iterator[str]:
    if numbers.deadlocks:
        yield counted(numbers.deadlocks, "deadlock")
    if numbers.faults:
        yield counted(numbers.faults, "fault")
    for name, states in numbers.violations_by_name.items():
        if states:
            yield f"{counted(states, 'state')} violating {name}"


def _reconstruction_parts(numbers: Statistics) -> Iterator[str]:
    yield counted(numbers.reconstructions.states, "state")
    yield f"by {counted(numbers.reconstructions.events, 'event')}"
    yield f"{numbers.events_per_transition:.2f} events for each transition"
    if numbers.reconstructions.detections:
        yield counted(numbers.reconstructions.detections, "detection")


def _snapshot_parts(numbers: Statistics) -> Iterator[str]:
    used = numbers.snapshots
    yield f"{count(used.taken)} taken"
    yield f"{count(used.kept)} kept for good"
    if used.backtracking:
        yield f"{counted(used.backtracking, 'state')} learnt"
    yield f"each state was visited {numbers.visits_per_state:.1f} times on average"


def _hit_parts(used: SnapshotUse) -> Iterator[str]:
    """Who recognised known states, and how many of them."""
    hits = {f"cache {number}": hits for number, hits in enumerate(used.hits_by_cache, 1)}
    hits |= {
        "the open level": used.hits_by_open,
        "what is kept": used.hits_by_kept,
        "what was learnt": used.hits_by_backtracking,
    }
    for name, number in hits.items():
        if number:
            yield f"{name} {part(number, sum(hits.values()))}"


def _distance_parts(used: SnapshotUse) -> Iterator[str]:
    for power, number in enumerate(used.hits_by_distance):
        if number:
            least, most = 2**power, 2 ** (power + 1) - 1
            levels = f"{least}" if least == most else f"{least} to {most}"
            yield f"{levels}: {part(number, sum(used.hits_by_distance))}"


def _reference_parts(numbers: Statistics) -> Iterator[str]:
    used = numbers.pseudoroot
    if used.counted_states:
        yield f"counted before, in {duration(used.counted_seconds)} and {amount(used.counted_bytes)}"
    yield f"{counted(used.kept, 'state')} left at the end"
    if used.discarded:
        yield f"{counted(used.discarded, 'state')} discarded for lack of room"
    if used.restarts:
        yield "begun anew, depth-first"


def _memory_parts(numbers: Statistics) -> Iterator[str]:
    yield f"{numbers.bytes_per_state:.1f} bytes per state"
    if numbers.most_stored != numbers.states:
        yield f"{count(numbers.most_stored)} states at once"
    yield amount(numbers.bytes_peak)
    if numbers.rss_peak:
        yield f"{amount(numbers.rss_peak)} with the interpreter"


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
