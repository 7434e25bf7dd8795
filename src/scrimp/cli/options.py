"""Options that several commands share, and the types of their values."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import click

from scrimp.arguments import MOST
from scrimp.errors import OptionError
from scrimp.limits import parse_bytes, parse_seconds
from scrimp.outputs.screen import warn
from scrimp.strategies import (
    AUTO,
    ORDERS,
    REDUCTIONS,
    STORES,
    Reduction,
    names,
    parse_order,
    parse_reduction,
    parse_store,
)
from scrimp.threads import MOST_THREADS

Decorated = TypeVar("Decorated", bound=Callable[..., Any])
Decorator = Callable[[Decorated], Decorated]


if TYPE_CHECKING:
    from scrimp.frontends import Language, Model

    ParamType = click.ParamType[Any]
else:  # not generic at run time in every version of click
    ParamType = click.ParamType


class Parsed(ParamType):
    """An option's value, parsed by one of our own functions; an error message begins with the option's name."""

    def __init__(self, name: str, parse: Callable[[str], Any]) -> None:
        self.name = name
        self._parse = parse

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not isinstance(value, str):
            return value
        try:
            return self._parse(value)
        except OptionError as error:
            raise OptionError(f"{param.opts[-1]}: {error}" if param else str(error)) from None


class Once(click.Command):
    """A command that refuses an option that is given twice: one of its values would have no effect."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        _, _, given = self.make_parser(ctx).parse_args(list(args))
        for option in given:
            is_single = isinstance(option, click.Option) and not option.multiple and not option.is_flag
            if is_single and given.count(option) > 1:
                raise OptionError(f"{option.opts[-1]} is given twice")
        return super().parse_args(ctx, args)


def whole_number(least: int, otherwise: str = "", most: int = MOST) -> Callable[[str], int]:
    def parse(text: str) -> int:
        if re.fullmatch(r"[+-]?[0-9]{1,30}", text) and least <= int(text) <= most:
            return int(text)
        is_bounded = most < MOST or re.fullmatch(r"\+?[0-9]{19,}", text) is not None
        bounds = f"from {least} to {most}" if is_bounded else f"of at least {least}"
        raise OptionError(f"expected a whole number {bounds}{otherwise}, found '{text:.40}'")

    return parse


def parse_violations(text: str) -> int | Literal["all"]:
    return "all" if text == "all" else whole_number(1, " or 'all'")(text)


def parse_define(text: str) -> tuple[str, str]:
    """`NAME=VALUE`; `NAME` alone stands for `NAME=1`, as in every preprocessor."""
    match = re.fullmatch(r"([A-Za-z_][A-Za-z0-9_]*)(?:=(.*))?", text, re.DOTALL)
    if match is None:
        raise OptionError(f"expected NAME=VALUE, found '{text}'")
    return match[1], "1" if match[2] is None else match[2]


@dataclass(frozen=True, kw_only=True, slots=True)
class ModelOptions:
    """The values of `model_options`, `language_option` and `ends_option`, and the model, under their names."""

    model: Path
    language: Language | None
    defines: tuple[tuple[str, str], ...]
    ignore_property: bool
    empty_channels: bool = False

    def load(self) -> Model:
        return self.load_with_text()[0]

    def load_with_text(self) -> tuple[Model, str | None]:
        """The model, and its text if that came from standard input."""
        from scrimp.frontends import INPUT_NAME, load, standard_input

        defines: dict[str, str] = {}
        for name, value in self.defines:
            if name in defines:
                raise OptionError(f"-D: {name} is defined twice")
            defines[name] = value
        text = standard_input() if self.model == STANDARD_INPUT else None
        model = load(
            self.model if text is None else INPUT_NAME,
            text=text,
            language=self.language,
            defines=defines,
            ignore_property=self.ignore_property,
            empty_channels=self.empty_channels,
        )
        for line in model.warnings:
            warn(line)
        return model, text


def model_arguments(defines: tuple[tuple[str, str], ...], ignore_property: bool) -> list[str]:
    """The command-line arguments that `model_options` would parse into these values."""
    words = [part for name, value in defines for part in ("-D", f"{name}={value}")]
    return words + ["--ignore-property"] * ignore_property


def chain(*decorators: Decorator[Any]) -> Decorator[Any]:
    """Several decorators as one; the first is listed first by --help."""

    def decorate(function: Any) -> Any:
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return decorate


def _language(text: str) -> Language:
    from scrimp.frontends import parse_language

    return parse_language(text)


def _reduction(text: str) -> Reduction | str:
    return text if text == AUTO else parse_reduction(text)


FILE = click.Path(path_type=Path)
STANDARD_INPUT = Path("-")

model_argument = click.argument("model", type=FILE)

model_options = chain(
    click.option(
        "-D",
        "defines",
        type=Parsed("NAME=VALUE", parse_define),
        multiple=True,
        help="Set a constant or macro of the model; NAME alone sets it to 1.",
    ),
    click.option(
        "--ignore-property",
        "--ignore-claims",
        is_flag=True,
        help="Ignore the model's ltl formulas, claims or property process; the verdict then says so.",
    ),
)

language_option = click.option(
    "--language",
    type=Parsed("LANGUAGE", _language),
    help="Language of MODEL, if its suffix does not say or if it is - (standard input): promela, dve, python, pnml or "
    "aut.",
)

ends_option = click.option(
    "--empty-channels",
    is_flag=True,
    help="Promela: an end state is valid only if all channels are empty, as with pan -q.",
)


def threads_option(text: str) -> Decorator[Any]:
    return click.option("--threads", type=Parsed("N", whole_number(1, most=MOST_THREADS)), help=text)


disk_options = chain(
    click.option(
        "--disk",
        type=Parsed("BYTES", parse_bytes),
        help="Bytes that store 'auto' may take on disk, such as 10G; 0: none.  [default: half of what is free]",
    ),
    click.option("--spill", type=FILE, metavar="DIR", help="Folder for states on disk.  [default: $TMPDIR, or /tmp]"),
)

search_options = chain(
    click.option(
        "--order",
        type=Parsed("ORDER", parse_order),
        help=f"Search order: {names(ORDERS)}.  [default: bfs, or the order that the store needs; dfs with a named "
        "reduction]",
    ),
    click.option(
        "--store",
        type=Parsed("STORE", parse_store),
        help=f"How visited states are stored: {names(STORES)}, with options such as cache:states=600,policy=lru.  "
        "[default: auto, or full if the search is not breadth-first]",
    ),
    click.option(
        "--reduce",
        "reduction",
        type=Parsed("REDUCTION", _reduction),
        help=f"Partial-order reduction: {names(REDUCTIONS)}; or a pair, such as local+sleep; or auto: stubborn, if "
        "it saves much.  [default: none; auto for check, unless a method is named]",
    ),
    click.option("--shuffle", is_flag=True, help="Fire the events of each state in random order."),
    click.option("--seed", type=Parsed("N", whole_number(0)), help="Seed for --shuffle.  [default: 0]"),
    click.option(
        "--audit",
        is_flag=True,
        help="Check every choice of a reduction against its definition, and passes and symmetries on small models; "
        "count distinct states exactly.",
    ),
    click.option(
        "--memory",
        type=Parsed("BYTES", parse_bytes),
        help="Memory limit of the process that searches, such as 64M.  [default: 80% of the available memory]",
    ),
    click.option("--time", type=Parsed("TIME", parse_seconds), help="Time limit, such as 10m."),
    click.option("--depth", type=Parsed("N", whole_number(1)), help="Depth limit, in events."),
    disk_options,
    threads_option("Threads of the search.  [default: the available processors, or 1 if the method needs one thread]"),
    language_option,
    model_options,
    ends_option,
    click.option(
        "--json", "json_file", type=FILE, metavar="FILE", help="Write the result as JSON; - is standard output."
    ),
    click.option("-q", "--quiet", is_flag=True, help="Print only the verdict."),
)
"""The options of all commands that search; their values make a `SearchOptions`."""

every_option = click.option(
    "--checkpoint-every",
    type=Parsed("TIME", parse_seconds),
    help="Time between two checkpoints, such as 10m.  [default: 10m]",
)
checkpoint_options = chain(
    click.option(
        "--checkpoint",
        type=FILE,
        metavar="DIR",
        help="Leave checkpoints in the new directory DIR; `scrimp resume DIR` continues the search.",
    ),
    every_option,
)

symmetry_option = click.option(
    "--symmetry",
    is_flag=True,
    help="Visit only one of the states that differ by an exchange of interchangeable processes, which are found and "
    "proved to be so.",
)

chart_option = click.option(
    "--msc", "chart", is_flag=True, help="Show a trace as a message sequence chart instead of a list of steps."
)
