"""What the commands that search share: most options, a live line during the search, then the report, the record and the
exit code."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

from scrimp.cli.options import ModelOptions
from scrimp.compatibility import choose, require_possible
from scrimp.errors import OptionError
from scrimp.limits import Limits
from scrimp.outputs import json
from scrimp.outputs.files import require_other_file, require_writable, write_whole
from scrimp.outputs.live import anyone_watching, live_line
from scrimp.outputs.screen import draws_lines, say, screen_width, warn, write_pieces
from scrimp.outputs.sequence_chart import chart_lines
from scrimp.outputs.text import report_lines, verdict_line
from scrimp.outputs.trace_file import first_trace
from scrimp.result import Result
from scrimp.statistics import Progress
from scrimp.steps import Trace
from scrimp.strategies import Method, NoReduction, Order, Reduction, Store

if TYPE_CHECKING:
    from scrimp.frontends.model import Model

STDOUT = Path("-")

Observer = Callable[[Progress], None] | None


class Arguments(TypedDict):
    """The arguments that `scrimp.check`, `scrimp.explore` and `scrimp.export` have in common."""

    order: Order | None
    store: Store | None
    reduction: Reduction | str | None
    memory: int | None
    time: float | None
    depth: int | None
    threads: int | None
    shuffle: bool
    seed: int
    audit: bool


class SpillingArguments(Arguments):
    """Those that `scrimp.check` and `scrimp.explore` have in common."""

    disk: int | None
    spill: Path | None


@dataclass(frozen=True, kw_only=True, slots=True)
class SearchOptions(ModelOptions):
    """The values of `search_options`, and the model, under their names."""

    order: Order | None
    store: Store | None
    reduction: Reduction | str | None
    shuffle: bool
    seed: int | None
    audit: bool
    memory: int | None
    time: float | None
    depth: int | None
    disk: int | None
    spill: Path | None
    threads: int | None
    json_file: Path | None
    quiet: bool
    has_checks: bool = False

    @property
    def method(self) -> Method:
        return choose(self.order, self.store, self.fixed_reduction).method

    @property
    def fixed_reduction(self) -> Reduction:
        """The reduction, or none if it is chosen automatically."""
        return self.reduction if isinstance(self.reduction, Reduction) else NoReduction()

    @property
    def limits(self) -> Limits:
        return Limits(memory=self.memory, time=self.time, depth=self.depth, disk=self.disk, spill=self.spill)

    @property
    def arguments(self) -> Arguments:
        """The arguments; options that suit no model are refused here, before the model is read."""
        require_possible(self.method, self.limits, self.threads or 1, self.audit, self.has_checks)
        return Arguments(
            order=self.order,
            store=self.store,
            reduction=self.reduction,
            memory=self.memory,
            time=self.time,
            depth=self.depth,
            threads=self.threads,
            shuffle=self.shuffle,
            seed=require_shuffle(self.shuffle, self.seed),
            audit=self.audit,
        )

    @property
    def spilling_arguments(self) -> SpillingArguments:
        return SpillingArguments(**self.arguments, disk=self.disk, spill=self.spill)

    def watched(self) -> AbstractContextManager[Observer]:
        """Show a live line on a terminal; gives the observer that updates it."""
        if self.quiet or not anyone_watching():
            return nullcontext()
        return live_line(f"compiling {self.model.name} …", self.method)


@dataclass(frozen=True, slots=True)
class Outputs:
    """Where a result is to go. `model` is the file that was read."""

    model: Path
    json_file: Path | None
    quiet: bool
    trace_file: Path | None = None
    trail_file: Path | None = None
    chart: bool = False

    def __post_init__(self) -> None:
        """Refuse files that cannot be written now, not after hours of search."""
        if self.chart and (self.quiet or self.json_file == STDOUT):
            raise OptionError(f"--msc has no effect with {'--quiet' if self.quiet else '--json -'}")
        if self.trace_file == STDOUT:
            raise OptionError("--trace: expected a file, found '-'; --json - prints the trace as well")
        if self.trail_file == STDOUT:
            raise OptionError("--trail: expected a file, found '-'")
        named = {"--json": self.json_file, "--trace": self.trace_file, "--trail": self.trail_file}
        files = [(option, file) for option, file in named.items() if file is not None and file != STDOUT]
        for option, file in files:
            require_other_file(option, file, self.model)
            require_writable(file)
        for (one, first), (other, second) in combinations(files, 2):
            if first.resolve() == second.resolve():
                raise OptionError(f"{one} and {other} both name {first}")

    def require_fit(self, model: Model) -> None:
        """Refuse files that cannot be written for this model."""
        if self.trail_file is not None and model.spin is None:
            raise OptionError(f"--trail needs a Promela model, and this one is in {model.language}")


def deliver(result: Result, model: Model, outputs: Outputs) -> int:
    """Print a result and write the files that are asked for; returns the exit code."""
    if outputs.json_file == STDOUT:
        write_pieces(json.result_pieces(result))
    elif outputs.quiet:
        say([verdict_line(result)])
    else:
        width = screen_width()
        chart = partial(chart_lines, width=width, lines=draws_lines()) if outputs.chart else None
        say(report_lines(result, Path(model.path).name, width, chart))
    if outputs.json_file not in (None, STDOUT):
        write_whole(outputs.json_file, json.result_pieces(result))
    write_traces(result, model, outputs)
    return result.exit_code


def write_traces(result: Result, model: Model, outputs: Outputs) -> None:
    """Write the first trace to the files that are asked for. If there is none, say so: an older file may be there."""
    first = first_trace(result)
    if first is None:
        for file in filter(None, (outputs.trace_file, outputs.trail_file)):
            warn(f"there is no trace, so {file} was not written")
        return
    if outputs.trace_file is not None:
        write_whole(outputs.trace_file, first.pieces())
    if outputs.trail_file is not None:
        write_trail(outputs.trail_file, model, first.trace)


def write_trail(file: Path, model: Model, trace: Trace) -> None:
    """Write a trace as a trail for SPIN."""
    from scrimp.outputs.trail import trail_pieces
    from scrimp.walking import Walk, follow_trace

    walk = Walk(model)
    follow_trace(walk, trace, str(file))
    write_whole(file, trail_pieces(walk.model, walk.trace))


def require_shuffle(shuffle: bool, seed: int | None) -> int:
    """The seed to use; a seed without effect is refused."""
    if seed is not None and not shuffle:
        raise OptionError("--seed needs --shuffle")
    return seed or 0
