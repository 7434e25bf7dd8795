"""What `check` and `explore` share: a live line during the search, then the report, the record and the exit code."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

from scrimp.errors import OptionError
from scrimp.outputs import json
from scrimp.outputs.files import require_writable, write_whole
from scrimp.outputs.live import anyone_watching, live_line
from scrimp.outputs.screen import say, screen_width, write_pieces
from scrimp.outputs.text import report_lines, verdict_line
from scrimp.outputs.trace_file import first_trace
from scrimp.result import Progress, Result
from scrimp.strategies import Order

STDOUT = Path("-")

Observer = Callable[[Progress], None] | None


@dataclass(frozen=True, slots=True)
class Outputs:
    """Where a result is to go."""

    json_file: Path | None
    trace_file: Path | None
    quiet: bool

    def __post_init__(self) -> None:
        """Find out now, and not after hours of search, what cannot be written."""
        if self.trace_file == STDOUT:
            raise OptionError("--trace: expected a file, found '-'; --json - holds the trace as well")
        files = [file for file in (self.json_file, self.trace_file) if file is not None and file != STDOUT]
        for file in files:
            require_writable(file)
        if len(files) == 2 and files[0].resolve() == files[1].resolve():
            raise OptionError(f"--json and --trace both name {files[0]}")


def run_and_report(model: Path, order: Order, outputs: Outputs, search: Callable[[Observer], Result]) -> int:
    """Run `search` with a live line where anyone can see it, and deliver its result."""
    watched = anyone_watching() and not outputs.quiet
    with live_line(f"compiling {model.name} …", order) if watched else nullcontext() as observer:
        result = search(observer)
    deliver(result, model, outputs)
    return result.exit_code


def deliver(result: Result, model: Path, outputs: Outputs) -> None:
    if outputs.json_file == STDOUT:
        write_pieces(json.result_pieces(result))
    elif outputs.quiet:
        say([verdict_line(result)])
    else:
        say(report_lines(result, model.name, screen_width()))
    if outputs.json_file not in (None, STDOUT):
        write_whole(outputs.json_file, json.result_pieces(result))
    if outputs.trace_file is not None and (trace := first_trace(result)) is not None:
        write_whole(outputs.trace_file, trace.pieces())


def require_shuffle(shuffle: bool, seed: int | None) -> int:
    """The seed to use; one that would have no effect is refused."""
    if seed is not None and not shuffle:
        raise OptionError("--seed has an effect only together with --shuffle")
    return seed or 0
