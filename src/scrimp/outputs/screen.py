"""Printing: plain text unless on a terminal, and no error if the reader closes the pipe."""

from __future__ import annotations

import locale
import os
import shutil
import sys
from collections.abc import Iterable
from contextlib import suppress
from itertools import islice

import click

from scrimp.errors import ScrimpError

PIECES_AT_ONCE = 1000


def say(lines: Iterable[str]) -> None:
    """Print lines on standard output, coloured only on a terminal."""
    text = "\n".join(lines)
    write(text + "\n" if text else "")


def screen_width() -> int | None:
    """How many columns standard output has; None if it is not a terminal."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def draws_lines() -> bool:
    """Whether standard output is a terminal on which lines and arrows can be drawn."""
    return sys.stdout.isatty() and has_all_signs()


def has_all_signs() -> bool:
    """Whether standard output takes more than ASCII. In the locale C, Python writes UTF-8 whatever the terminal is."""
    return all("utf" in name.lower() for name in (sys.stdout.encoding or "", locale.getencoding()))


def write(text: str) -> None:
    """Write text to standard output; if the pipe is closed, the rest is dropped, so that the exit code is still that of
    the verdict."""
    write_pieces([text])


def write_pieces(pieces: Iterable[str]) -> None:
    """Write a text that comes in pieces, many at once."""
    rest = iter(pieces)
    try:
        while some := "".join(islice(rest, PIECES_AT_ONCE)):
            click.echo(_without_surrogates(some), nl=False, color=False if os.environ.get("NO_COLOR") else None)
        sys.stdout.flush()
    except BrokenPipeError:
        _point_at_nothing()
    except OSError as error:
        _point_at_nothing()
        raise ScrimpError(f"cannot write to standard output: {error.strerror}") from error


def _without_surrogates(text: str) -> str:
    """Text that can be written, whatever bytes are in a file name that it contains."""
    return text.encode(errors="surrogateescape").decode(errors="replace")


def complain(message: str, *notes: str) -> None:
    """Print a message on standard error, in one line even if it contains newlines, and notes below it as they are."""
    with suppress(BrokenPipeError):
        click.echo("\n".join(["scrimp: error: " + " ".join(message.split()), *notes]), err=True)


def warn(line: str) -> None:
    """Print a line on standard error about an input that is accepted."""
    with suppress(BrokenPipeError):
        click.echo(f"scrimp: {' '.join(line.split())}", err=True)


def _point_at_nothing() -> None:
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, sys.stdout.fileno())
