"""`scrimp view`: look at a model, its traces and its searches on a local web page."""

from __future__ import annotations

import os
import sys
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from scrimp.cli.options import (
    FILE,
    STANDARD_INPUT,
    ModelOptions,
    Once,
    Parsed,
    ends_option,
    language_option,
    model_argument,
    model_options,
    whole_number,
)
from scrimp.errors import OptionError
from scrimp.outputs.screen import say, write

if TYPE_CHECKING:
    from scrimp.frontends import Model
    from scrimp.record import Record
    from scrimp.viewing.comparing import Comparison
    from scrimp.viewing.session import Session

REPORT = "report.json"


@click.command("view", cls=Once, short_help="Look at a model and its traces on a local web page.")
@model_argument
@click.option("--trace", "trace_file", type=FILE, metavar="FILE", help="Open a trace file, or a trail of SPIN's.")
@click.option("--walk", "address", metavar="N.N.…", help="Open the walk with this address, as the page shows it.")
@click.option("--save", "page_file", type=FILE, metavar="FILE", help="Write the page as one file instead.")
@click.option(
    "--port", type=Parsed("N", whole_number(0, most=65535)), default=0, help="Port of the page.  [default: any]"
)
@click.option("--no-browser", is_flag=True, help="Only print the address of the page.")
@language_option
@model_options
@ends_option
def command(
    trace_file: Path | None,
    address: str | None,
    page_file: Path | None,
    port: int,
    no_browser: bool,
    **asked: Any,
) -> int:
    """Show MODEL on a web page that only this machine can reach: step through it, ask questions, and see the searches
    and their traces. MODEL may also be a trace file, which names its model, or a folder with the report of `scrimp
    bench`. The page ends with Ctrl-C."""
    options = ModelOptions(**asked)
    report = options.model / REPORT if options.model.is_dir() else options.model
    if report.name == REPORT and report.is_file():
        from scrimp.viewing.comparing import Comparison

        return show(Comparison(report), page_file, port, browser=not no_browser)
    session = _session(options, trace_file)
    if address is not None:
        from scrimp.viewing.walks import parse_address

        session.walks.along(parse_address(address))
    return show(session, page_file, port, browser=not no_browser)


def show(session: Session | Comparison, page_file: Path | None = None, port: int = 0, *, browser: bool = True) -> int:
    """Save the page, or serve it until Ctrl-C."""
    if page_file is not None:
        return _save(session, page_file)
    from scrimp.viewing.server import PageServer

    server = PageServer(session, port)
    try:
        say([f"  page  {server.address}", "  Ctrl-C ends it"])
        if browser and _has_screen():
            webbrowser.open(server.address)
        server.serve_forever(poll_interval=0.1)
    except KeyboardInterrupt:
        write("\n")
    finally:
        session.jobs.stop_all()
        server.server_close()
    return 0


def _has_screen() -> bool:
    """Whether a browser could open a window; one that opens in the terminal would be in the way."""
    return sys.platform in ("darwin", "win32") or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")))


def show_result(result: Record, model: Model, text: str | None) -> None:
    """Show the result of a search."""
    from scrimp.viewing.session import Session

    session = Session(model, text)
    session.jobs.finished("scrimp check", result, session.publish)
    show(session)


def _save(session: Session | Comparison, file: Path) -> int:
    from scrimp.outputs.files import require_writable, write_whole
    from scrimp.viewing.saving import saved_page

    require_writable(file)
    write_whole(file, [saved_page(session)])
    return 0


def _session(options: ModelOptions, trace_file: Path | None) -> Session:
    """The session for a model, or for a trace file that names its model."""
    from scrimp.viewing.session import Session

    named = options.model
    if trace_file is None and named.suffix == ".json" and named != STANDARD_INPUT:
        trace_file, options = named, _options_of(named, options)
    model, text = options.load_with_text()
    session = Session(model, text)
    if trace_file is not None:
        session.walks.follow(trace_file, trace_file.name)
    return session


def _options_of(trace_file: Path, options: ModelOptions) -> ModelOptions:
    """The options with the model that a trace file names: as it is written there, or beside the file."""
    from dataclasses import replace

    from scrimp.outputs.trace_file import read_trace_file

    model = Path(read_trace_file(trace_file).model)
    found = [path for path in (model, trace_file.parent / model, trace_file.parent / model.name) if path.is_file()]
    if not found:
        raise OptionError(
            f"{trace_file}: its model {model} is not there; use scrimp view MODEL --trace {trace_file.name}"
        )
    return replace(options, model=found[0])
