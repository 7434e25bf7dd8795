"""`scrimp methods`: the strategies, which of them combine, and why the others do not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from itertools import combinations, product
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Literal, get_args

import click

from scrimp.cli.options import FILE, Once, Parsed, language_option, model_options, threads_option
from scrimp.compatibility import why_not, why_one_thread
from scrimp.errors import OptionError
from scrimp.limits import parse_bytes, parse_seconds
from scrimp.outputs.screen import say, screen_width
from scrimp.outputs.style import dim, strong
from scrimp.strategies import ORDERS, REDUCTIONS, STORES, Method, Store, Strategy, option_types, parse_store
from scrimp.strategies.values import alternatives, describe_type, value_text

if TYPE_CHECKING:
    from scrimp.frontends import Language

# The longest name of a store, and a space.
WIDTH = max(len(store.name) for store in STORES) + 1
USUAL_WIDTH = 100


@click.command("methods", cls=Once, short_help="List orders, stores and reductions; advise on a model.")
@click.option("--advise", type=FILE, metavar="MODEL", help="Predict memory and time of exact methods for MODEL.")
@click.option("--memory", type=Parsed("BYTES", parse_bytes), help="With --advise: the memory limit, such as 64M.")
@click.option(
    "--sample", type=Parsed("TIME", parse_seconds), help="With --advise: how long to sample in total.  [default: 5s]"
)
@threads_option("With --advise: threads of a search whose method can use several.  [default: the available processors]")
@language_option
@model_options
def command(
    advise: Path | None,
    memory: int | None,
    sample: float | None,
    threads: int | None,
    language: Language | None,
    defines: tuple[tuple[str, str], ...],
    ignore_property: bool,
) -> int:
    """List the search orders, stores and reductions with their options, and which of them combine.

    With --advise, short searches of a model predict the memory and time of complete ones, as ranges. One method is
    recommended: bfs/auto, which goes to disk if memory is short, unless another is clearly better.
    """
    if advise is not None:
        from scrimp.cli.advising import advise_and_report

        return advise_and_report(advise, memory, sample, threads, language, defines, ignore_property)
    given = {
        "--memory": memory,
        "--sample": sample,
        "--threads": threads,
        "--language": language,
        "-D": defines,
        "--ignore-property": ignore_property,
    }
    for option, value in given.items():
        if value not in (None, ()) and value is not False:
            raise OptionError(f"{option} needs --advise")
    say(methods_lines(screen_width()))
    return 0


def methods_lines(width: int | None = None) -> Iterator[str]:
    """The listing, on a screen of the given width (None: of usual width)."""
    for heading, option, strategies in (
        ("orders", "--order", ORDERS),
        ("stores", "--store", STORES),
        ("reductions", "--reduce", REDUCTIONS),
    ):
        yield f"{strong(heading)}  {dim(option)}"
        for strategy in strategies:
            yield from _strategy_lines(strategy, width or USUAL_WIDTH)
        yield ""
    yield f"{strong('pairs of reductions')}  {dim('such as --reduce local+sleep')}"
    yield f"  {', '.join(_pairs())}"
    yield ""
    yield f"{strong('combinations')}  {dim('the reductions that each store accepts, by order')}"
    yield from _combination_lines()
    yield ""
    yield strong("why the others do not combine")
    for reason in _reasons():
        yield from _wrapped(reason, "  ", "    ", width or USUAL_WIDTH)
    yield ""
    yield f"{strong('several threads')}  {dim('--threads; all other methods have one')}"
    yield from _wrapped(", ".join(_shared()), "  ", "  ", width or USUAL_WIDTH)


def _strategy_lines(strategy: type[Strategy], width: int) -> Iterator[str]:
    indent = " " * (2 + WIDTH)
    yield from _wrapped(strategy.description(), f"  {strategy.name:{WIDTH}}", indent, width)
    types = option_types(strategy)
    for field in fields(strategy):
        default = value_text(types[field.name], field.default)
        yield f"{indent}{field.name} = {describe_type(types[field.name])} {dim(f'(default {default})')}"


def _wrapped(text: str, first: str, rest: str, width: int) -> list[str]:
    return wrap(" ".join(text.split()), width, initial_indent=first, subsequent_indent=rest, break_long_words=False)


def _pairs() -> Iterator[str]:
    """The pairs of reductions that combine."""
    stack = next(order() for order in ORDERS if order.keeps_stack)
    for first, second in combinations([part for reduction in REDUCTIONS if (part := reduction()).leaves_out], 2):
        if why_not(Method(order=stack, reduction=first + second)) is None:
            yield f"{first.name}+{second.name}"


def _combination_lines() -> Iterator[str]:
    for store in STORES:
        for order in ORDERS:
            methods = [Method(order=order(), store=store(), reduction=reduction()) for reduction in REDUCTIONS]
            taken = [method.reduction.name for method in methods if why_not(method) is None]
            if taken:
                yield f"  {store.name:{WIDTH}}{order.name}  {', '.join(taken)}"


def _shared() -> Iterator[str]:
    """The methods that can use several threads: without a reduction, then the reductions that each of them takes."""
    for order, store in product(ORDERS, STORES):
        for compressed in _compressed(store):
            method = Method(order=order(), store=compressed)
            if why_not(method) is None and why_one_thread(method) is None:
                yield str(method)
    taken = [reduction.name for reduction in REDUCTIONS if why_one_thread(Method(reduction=reduction())) is None]
    yield f"each with --reduce {alternatives(taken)}"


def _compressed(store: type[Store]) -> Iterator[Store]:
    """A store with each of its compressions, if it has that option."""
    for choice in get_args(option_types(store).get("compress", Literal["none"])):
        yield parse_store(store.name if choice == "none" else f"{store.name}:compress={choice}")


def _reasons() -> Iterator[str]:
    """Why strategies do not combine, each reason once."""
    methods = (Method(order=o(), store=s(), reduction=r()) for o, s, r in product(ORDERS, STORES, REDUCTIONS))
    yield from dict.fromkeys(reason for method in methods if (reason := why_not(method)) is not None)
