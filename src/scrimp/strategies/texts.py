"""Strategies from texts and records, and the messages about unknown names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from scrimp.errors import OptionError, unknown
from scrimp.strategies.orders import Order
from scrimp.strategies.reductions import Combined, Reduction
from scrimp.strategies.registry import ORDERS, REDUCTIONS, STORES
from scrimp.strategies.stores import Store
from scrimp.strategies.strategy import Strategy, option_types
from scrimp.strategies.values import alternatives, parse_value

AUTO = "auto"
"""In place of a reduction: one that is chosen by a short measurement, see reducing.py."""

AnyStrategy = TypeVar("AnyStrategy", bound=Strategy)


def names(known: tuple[type[Strategy], ...]) -> str:
    """`bfs or dfs`."""
    return alternatives([strategy.name for strategy in known])


def parse_order(text: str) -> Order:
    return parse(text, ORDERS)


def parse_store(text: str) -> Store:
    return parse(text, STORES)


def parse_reduction(text: str) -> Reduction:
    """One reduction, or several joined by `+`, each with its own options."""
    parts = tuple(parse(part, REDUCTIONS) for part in text.split("+"))
    return parts[0] if len(parts) == 1 else Combined(of=parts)


def parse(text: str, known: tuple[type[AnyStrategy], ...]) -> AnyStrategy:
    """The strategy that `name` or `name:option=value,option=value` names, among `known`."""
    name, colon, rest = text.strip().partition(":")
    chosen = _named(name, known)
    subject = f"{chosen.role} '{chosen.name}'"
    options: dict[str, Any] = {}
    for item in _items(rest) if colon else []:
        option, equals, value = (part.strip() for part in item.partition("="))
        if not equals and chosen.unnamed is not None:
            option, value = chosen.unnamed, item.strip()
        elif not equals:
            raise OptionError(f"{subject}: expected option=value, found '{item}'")
        if option in options:
            raise OptionError(f"{subject}: option '{option}' is given twice")
        options[option] = parse_value(f"{subject}: option '{option}'", _type_of(chosen, option), value)
    return chosen(**options)


def _items(text: str) -> list[str]:
    """The parts between commas, except those in parentheses."""
    items: list[str] = []
    for piece in text.split(","):
        if items and items[-1].count("(") > items[-1].count(")"):
            items[-1] += "," + piece
        else:
            items.append(piece)
    return items


def from_dict(record: Mapping[str, Any], known: tuple[type[AnyStrategy], ...]) -> AnyStrategy:
    """The strategy that `to_dict` described."""
    chosen = _named(str(record.get("name", "")), known)
    options = {option: value for option, value in record.items() if option != "name"}
    for option in options:
        _type_of(chosen, option)
    return chosen(**options)


def reduction_from_dict(record: Mapping[str, Any]) -> Reduction:
    """The reduction that `to_dict` described, with one part or several."""
    if "parts" not in record:
        return from_dict(record, REDUCTIONS)
    return Combined(of=tuple(from_dict(part, REDUCTIONS) for part in record["parts"]))


def _named(name: str, known: tuple[type[AnyStrategy], ...]) -> type[AnyStrategy]:
    by_name = {strategy.name: strategy for strategy in known}
    if name not in by_name:
        raise OptionError(unknown(known[0].role, name, by_name))
    return by_name[name]


def _type_of(strategy: type[Strategy], option: str) -> Any:
    types = option_types(strategy)
    if option in types:
        return types[option]
    subject = f"{strategy.role} '{strategy.name}'"
    if not types:
        raise OptionError(f"{subject} has no options, found '{option}'")
    raise OptionError(f"{subject}: {unknown('option', option, types)}")
