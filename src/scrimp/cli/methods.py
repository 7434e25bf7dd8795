"""`scrimp methods`: what exists, what combines, and why the rest does not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from itertools import combinations, product

import click

from scrimp.compatibility import why_not
from scrimp.outputs.screen import say
from scrimp.outputs.style import dim, strong
from scrimp.strategies import (
    ORDERS,
    REDUCTIONS,
    STORES,
    DepthFirst,
    Full,
    NoReduction,
    Order,
    Reduction,
    Store,
    Strategy,
    option_types,
)
from scrimp.strategies.values import describe_type, value_text


@click.command("methods", short_help="List what exists, what combines, and why not.")
def command() -> int:
    """List the search orders, stores and reductions with their options, and which of them combine."""
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
    yield f"  {strategy.name:10}{' '.join((strategy.__doc__ or '').split())}"
    types = option_types(strategy)
    for field in fields(strategy):
        default = value_text(types[field.name], field.default)
        yield f"  {'':10}{field.name} = {describe_type(types[field.name])} {dim(f'(default {default})')}"


def _pair_lines() -> Iterator[str]:
    for first, second in combinations([reduction() for reduction in REDUCTIONS if reduction is not NoReduction], 2):
        yield f"  {first.name + '+' + second.name:19}{_answer(DepthFirst(), Full(), first + second)}"


def _combination_lines() -> Iterator[str]:
    for order, store, reduction in product(ORDERS, STORES, REDUCTIONS):
        answer = _answer(order(), store(), reduction())
        yield f"  {order.name} × {store.name:8} × {reduction.name:10}{answer}"


def _answer(order: Order, store: Store, reduction: Reduction) -> str:
    reason = why_not(order, store, reduction)
    return "yes" if reason is None else f"no: {reason}"
