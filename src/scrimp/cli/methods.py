"""`scrimp methods`: what exists, what combines, and why the rest does not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from itertools import combinations, product
from pathlib import Path
from typing import TYPE_CHECKING

import click

from scrimp.cli.options import FILE, Once, Parsed, language_option, model_options
from scrimp.compatibility import why_not
from scrimp.errors import OptionError
from scrimp.limits import parse_bytes, parse_seconds
from scrimp.outputs.screen import say
from scrimp.outputs.style import dim, strong
from scrimp.strategies import ORDERS, REDUCTIONS, STORES, Method, Strategy, option_types
from scrimp.strategies.values import describe_type, value_text

if TYPE_CHECKING:
    from scrimp.frontends import Language

# Room for the longest name of a store, and a blank.
WIDTH = max(len(store.name) for store in STORES) + 1


@click.command("methods", cls=Once, short_help="List what exists and combines; advise on a model.")
@click.option("--advise", type=FILE, metavar="MODEL", help="Predict memory and time of exact methods on a model.")
@click.option("--memory", type=Parsed("BYTES", parse_bytes), help="With --advise: what there is, such as 64M.")
@click.option(
    "--sample", type=Parsed("TIME", parse_seconds), help="With --advise: how long to sample in all.  [default: 5s]"
)
@language_option
@model_options
def command(
    advise: Path | None,
    memory: int | None,
    sample: float | None,
    language: Language | None,
    defines: tuple[tuple[str, str], ...],
    ignore_property: bool,
) -> int:
    """List the search orders, stores and reductions with their options, and which of them combine.

    With --advise short searches of a model are sampled. They predict what whole ones would take, as ranges, and one
    method is recommended: the fastest that is likely to stay within the memory.
    """
    if advise is not None:
        from scrimp.cli.advising import advise_and_report

        return advise_and_report(advise, memory, sample, language, defines, ignore_property)
    given = {
        "--memory": memory,
        "--sample": sample,
        "--language": language,
        "-D": defines,
        "--ignore-property": ignore_property,
    }
    for option, value in given.items():
        if value not in (None, ()) and value is not False:
            raise OptionError(f"{option} has an effect only together with --advise")
    say(methods_lines())
    return 0


def methods_lines() -> Iterator[str]:
    for heading, option, strategies in (
        ("orders", "--order", ORDERS),
        ("stores", "--store", STORES),
        ("reductions", "--reduce", REDUCTIONS),
    ):
        yield f"{strong(heading)}  {dim(option)}"
        for strategy in strategies:
            yield from _strategy_lines(strategy)
        yield ""
    yield f"{strong('pairs of reductions')}  {dim('such as --reduce local+sleep')}"
    yield from _pair_lines()
    yield ""
    yield strong("combinations")
    yield from _combination_lines()


def _strategy_lines(strategy: type[Strategy]) -> Iterator[str]:
    yield f"  {strategy.name:{WIDTH}}{' '.join((strategy.__doc__ or '').split())}"
    types = option_types(strategy)
    for field in fields(strategy):
        default = value_text(types[field.name], field.default)
        yield f"  {'':{WIDTH}}{field.name} = {describe_type(types[field.name])} {dim(f'(default {default})')}"


def _pair_lines() -> Iterator[str]:
    stack = next(order() for order in ORDERS if order.keeps_stack)
    for first, second in combinations([part for reduction in REDUCTIONS if (part := reduction()).leaves_out], 2):
        yield f"  {first.name + '+' + second.name:19}{_answer(Method(order=stack, reduction=first + second))}"


def _combination_lines() -> Iterator[str]:
    for order, store, reduction in product(ORDERS, STORES, REDUCTIONS):
        answer = _answer(Method(order=order(), store=store(), reduction=reduction()))
        yield f"  {order.name} × {store.name:{WIDTH}}× {reduction.name:10}{answer}"


def _answer(method: Method) -> str:
    reason = why_not(method)
    return "yes" if reason is None else f"no: {reason}"
