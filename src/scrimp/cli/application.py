"""The `scrimp` command: finds the subcommand, and turns every error into one line and an exit code; below the line
may be the place in a model.

Exit codes: 0 proved, 1 refuted, 2 bad input or options, 3 undetermined, 70 a defect in scrimp itself.
"""

from __future__ import annotations

import os
import traceback
from importlib import import_module

import click

from scrimp import __version__
from scrimp.errors import ScrimpError, suggestion, unknown
from scrimp.outputs.screen import complain

BAD_INPUT = 2
UNDETERMINED = 3
DEFECT = 70

COMMANDS = (
    *("new", "check", "explore", "resume", "export", "simulate", "replay", "view", "info", "compile"),
    *("methods", "bench", "reproduce"),
)


class Commands(click.Group):
    """Subcommands, each imported from the module of its name."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"scrimp.cli.{cmd_name}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            raise click.UsageError(unknown("command", args[0], COMMANDS))
        return super().resolve_command(ctx, args)


@click.command(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 proved, 1 refuted, 2 bad input, 3 undetermined.",
)
@click.version_option(__version__, "-V", "--version", message="scrimp %(version)s")
def application() -> None:
    """A model checker with an exact verdict inside a byte budget. It explores the states of a concurrent system and
    decides which properties hold."""


def run(arguments: list[str]) -> int:
    """Carry out a command line; returns the exit code."""
    try:
        if arguments[:1] in ([], ["help"]):
            arguments = [*arguments[1:2], "--help"]
        code = application.main(arguments, prog_name="scrimp", standalone_mode=False)
        return code if isinstance(code, int) else 0
    except click.NoSuchOption as error:
        hint = suggestion(error.option_name, list(error.possibilities or ()), cutoff=0.75)
        complain(f"unknown option '{error.option_name}'{hint or '; --help lists the options'}")
    except click.ClickException as error:
        complain(_in_our_style(error.format_message()))
    except ScrimpError as error:
        complain(str(error), *getattr(error, "__notes__", ()))
    except OSError as error:
        complain(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    except click.Abort:
        complain("interrupted")
        return UNDETERMINED
    except Exception as error:
        return _defect(error)
    return BAD_INPUT


def _in_our_style(message: str) -> str:
    """A message of click's in the form of ours: without a capital and a full stop."""
    return message[:1].lower() + message[1:].rstrip(".")


def _defect(error: Exception) -> int:
    if os.environ.get("SCRIMP_DEBUG") == "1":
        traceback.print_exc()
    what = f"{type(error).__name__}: {error}".rstrip(": ")
    complain(f"{what}: this is a defect in scrimp, please report it with the model (SCRIMP_DEBUG=1 prints a traceback)")
    return DEFECT
