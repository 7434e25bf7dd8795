"""`scrimp check --properties`: the answers to all formulas of a property file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from scrimp.cli.running import STDOUT, SearchOptions
from scrimp.errors import OptionError
from scrimp.outputs import json
from scrimp.outputs.files import require_other_file, require_writable, write_whole
from scrimp.outputs.screen import say, write_pieces


def answer(
    options: SearchOptions, file: Path, mcc: bool, without_effect: Sequence[str], *, as_written: bool = False
) -> int:
    """Answer the formulas of a file; options that would have no effect are refused. Returns the exit code."""
    from scrimp.contest.examination import examine
    from scrimp.contest.report import answer_lines, contest_lines

    if without_effect:
        raise OptionError(
            f"{without_effect[0]} has no effect with --properties, which answers the file's formulas alone"
        )
    if options.json_file not in (None, STDOUT):
        require_other_file("--json", options.json_file, options.model)
        require_other_file("--json", options.json_file, file)
        require_writable(options.json_file)
    model = options.load()
    with options.watched() as progress:
        examined = examine(model, file, as_written=as_written, progress=progress, **options.arguments)
    if options.json_file == STDOUT:
        write_pieces(json.result_pieces(examined.result))
    else:
        say(contest_lines(examined) if mcc else answer_lines(examined, brief=options.quiet))
    if options.json_file not in (None, STDOUT):
        write_whole(options.json_file, json.result_pieces(examined.result))
    return examined.result.exit_code
