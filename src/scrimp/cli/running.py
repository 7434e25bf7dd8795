"""What `check` and `explore` share: most options, a live line during the search, then the report, the record and the
exit code."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, fields
from functools import partial, wraps
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict

from scrimp.cli.options import (
    chain,
    defines_by_name,
    ends_option,
    limit_options,
    model_options,
    output_options,
    strategy_options,
)
from scrimp.errors import OptionError
from scrimp.limits import Limits
from scrimp.outputs import json
from scrimp.outputs.files import require_writable, write_whole
from scrimp.outputs.live import anyone_watching, live_line
from scrimp.outputs.screen import draws_lines, say, screen_width, write_pieces
from scrimp.outputs.sequence_chart import chart_lines
from scrimp.outputs.text import report_lines, verdict_line
from scrimp.outputs.trace_file import first_trace
from scrimp.result import Result
from scrimp.statistics import Progress
from scrimp.strategies import Order, Reduction, Store

if TYPE_CHECKING:
    from scrimp.frontends.model import Model

STDOUT = Path("-")

Observer = Callable[[Progress], None] | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Told:
    """What both commands are told: the model and the options below, under their names."""

    model: Path
    order: Order
    store: Store
    reduction: Reduction
    shuffle: bool
    seed: int | None
    audit: bool
    memory: int | None
    time: float | None
    depth: int | None
    defines: tuple[tuple[str, str], ...]
    ignore_property: bool
    empty_channels: bool
    json_file: Path | None
    quiet: bool


def search_options(command: Callable[..., int]) -> Callable[..., int]:
    """The options of both commands; `command` is given them, and the model, as one `Told`."""

    @wraps(command)
    def gathered(**given: Any) -> int:
        told = Told(**{field.name: given.pop(field.name) for field in fields(Told)})
        return command(told, **given)

    decorate = chain(strategy_options, limit_options, model_options, ends_option, output_options)
    options: Callable[..., int] = decorate(gathered)
    return options


class Arguments(TypedDict):
    """The arguments that `scrimp.check` and `scrimp.explore` have in common."""

    order: Order
    store: Store
    reduction: Reduction
    limits: Limits
    shuffle: bool
    seed: int
    audit: bool
    progress: Observer


@dataclass(frozen=True, slots=True)
class Outputs:
    """Where a result is to go."""

    json_file: Path | None
    trace_file: Path | None
    trail_file: Path | None
    quiet: bool
    chart: bool = False

    def __post_init__(self) -> None:
        """Find out now, and not after hours of search, what cannot be written."""
        if self.chart and (self.quiet or self.json_file == STDOUT):
            raise OptionError(f"--msc has no effect with {'--quiet' if self.quiet else '--json -'}")
        if self.trace_file == STDOUT:
            raise OptionError("--trace: expected a file, found '-'; --json - holds the trace as well")
        if self.trail_file == STDOUT:
            raise OptionError("--trail: expected a file, found '-'")
        named = {"--json": self.json_file, "--trace": self.trace_file, "--trail": self.trail_file}
        files = [(option, file) for option, file in named.items() if file is not None and file != STDOUT]
        for _, file in files:
            require_writable(file)
        for (one, first), (other, second) in combinations(files, 2):
            if first.resolve() == second.resolve():
                raise OptionError(f"{one} and {other} both name {first}")


def run_and_report(
    told: Told,
    search: Callable[[Model, Arguments], Result],
    *,
    trace_file: Path | None = None,
    trail_file: Path | None = None,
    chart: bool = False,
) -> int:
    """Run `search` with a live line where anyone can see it, and deliver its result."""
    from scrimp.frontends import load

    limits = Limits(memory=told.memory, time=told.time, depth=told.depth)
    outputs = Outputs(told.json_file, trace_file, trail_file, told.quiet, chart)
    seed = require_shuffle(told.shuffle, told.seed)
    model = load(told.model, defines_by_name(told.defines), told.ignore_property, told.empty_channels)
    if trail_file is not None and model.spin is None:
        raise OptionError(f"--trail: SPIN reads models in Promela, and this one is in {model.language}")
    watched = anyone_watching() and not outputs.quiet
    with live_line(f"compiling {told.model.name} …", told.order, told.store) if watched else nullcontext() as observer:
        arguments = Arguments(
            order=told.order,
            store=told.store,
            reduction=told.reduction,
            limits=limits,
            shuffle=told.shuffle,
            seed=seed,
            audit=told.audit,
            progress=observer,
        )
        result = search(model, arguments)
    deliver(result, told.model, outputs)
    if trail_file is not None:
        write_trail(trail_file, model, result)
    return result.exit_code


def deliver(result: Result, model: Path, outputs: Outputs) -> None:
    if outputs.json_file == STDOUT:
        write_pieces(json.result_pieces(result))
    elif outputs.quiet:
        say([verdict_line(result)])
    else:
        width = screen_width()
        chart = partial(chart_lines, width=width, lines=draws_lines()) if outputs.chart else None
        say(report_lines(result, model.name, width, chart))
    if outputs.json_file not in (None, STDOUT):
        write_whole(outputs.json_file, json.result_pieces(result))
    if outputs.trace_file is not None and (trace := first_trace(result)) is not None:
        write_whole(outputs.trace_file, trace.pieces())


def write_trail(file: Path, model: Model, result: Result) -> None:
    """The trail of the first trace, if there is one."""
    from scrimp.cli.walk import Walk, follow_trace
    from scrimp.outputs.trail import trail_pieces

    if (first := first_trace(result)) is not None:
        walk = Walk(model)
        follow_trace(walk, first.trace, file)
        write_whole(file, trail_pieces(walk.model, walk.trace))


def require_shuffle(shuffle: bool, seed: int | None) -> int:
    """The seed to use; one that would have no effect is refused."""
    if seed is not None and not shuffle:
        raise OptionError("--seed has an effect only together with --shuffle")
    return seed or 0
