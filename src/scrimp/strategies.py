"""Strategies: how a search goes about its work, as values.

An `Order`, a `Store` and a `Reduction` are frozen dataclasses whose fields are their options, and each has three faces:
`Full(compress="tree")` in Python, `full:compress=tree` on the command line, `{"name": "full", "compress": "tree"}` in
records. Parsing and printing read the dataclass fields, so a new strategy or option is one class or one line here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from difflib import get_close_matches
from types import UnionType
from typing import Any, ClassVar, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from scrimp.errors import OptionError

Compression = Literal["none", "tree", "cleary"]


@dataclass(frozen=True, kw_only=True)
class Strategy:
    """What orders, stores and reductions share: a name, options, and a text that gives them back."""

    role: ClassVar[str]
    name: ClassVar[str]

    def __post_init__(self) -> None:
        for option, kind in option_types(type(self)).items():
            _check_value(f"{self.role} '{self.name}': option '{option}'", kind, getattr(self, option))

    def __str__(self) -> str:
        """The command line's text: the name, then the options that differ from their defaults."""
        options = [f"{f.name}={_text(value)}" for f in fields(self) if (value := getattr(self, f.name)) != f.default]
        return self.name + (":" + ",".join(options) if options else "")

    def to_dict(self) -> dict[str, Any]:
        return {"name": self.name} | {f.name: getattr(self, f.name) for f in fields(self)}


@dataclass(frozen=True, kw_only=True)
class Order(Strategy):
    """In which order states are visited."""

    role = "order"
    holds_its_path: ClassVar[bool]
    finds_shortest_traces: ClassVar[bool]


@dataclass(frozen=True, kw_only=True)
class BreadthFirst(Order):
    """Level by level: traces are as short as they can be."""

    name = "bfs"
    holds_its_path = False
    finds_shortest_traces = True


@dataclass(frozen=True, kw_only=True)
class DepthFirst(Order):
    """Strictly depth-first: a successor is entered when its event is taken, not before."""

    name = "dfs"
    holds_its_path = True
    finds_shortest_traces = False


@dataclass(frozen=True, kw_only=True)
class Store(Strategy):
    """What is remembered of the visited states."""

    role = "store"
    may_forget: ClassVar[bool]
    exact: ClassVar[bool]


@dataclass(frozen=True, kw_only=True)
class Full(Store):
    """Every state, packed into as few bits as its variables need; `compress` shares what states have in common."""

    name = "full"
    may_forget = False
    exact = True
    compress: Compression = "none"


@dataclass(frozen=True, kw_only=True)
class Reduction(Strategy):
    """Which events need not be fired."""

    role = "reduction"
    keeps_all_states: ClassVar[bool]


@dataclass(frozen=True, kw_only=True)
class NoReduction(Reduction):
    """Every enabled event is fired."""

    name = "none"
    keeps_all_states = True


ORDERS: tuple[type[Order], ...] = (BreadthFirst, DepthFirst)
STORES: tuple[type[Store], ...] = (Full,)
REDUCTIONS: tuple[type[Reduction], ...] = (NoReduction,)

AnyStrategy = TypeVar("AnyStrategy", bound=Strategy)


def parse_order(text: str) -> Order:
    return parse(text, ORDERS)


def parse_store(text: str) -> Store:
    return parse(text, STORES)


def parse_reduction(text: str) -> Reduction:
    return parse(text, REDUCTIONS)


def parse(text: str, known: tuple[type[AnyStrategy], ...]) -> AnyStrategy:
    """The strategy that `name` or `name:option=value,option=value` names, among `known`."""
    name, colon, rest = text.strip().partition(":")
    chosen = _named(name, known)
    subject = f"{chosen.role} '{chosen.name}'"
    options: dict[str, Any] = {}
    for item in rest.split(",") if colon else []:
        option, equals, value = (part.strip() for part in item.partition("="))
        if not equals:
            raise OptionError(f"{subject}: expected option=value, found '{item}'")
        if option in options:
            raise OptionError(f"{subject}: option '{option}' is given twice")
        options[option] = _parse_value(f"{subject}: option '{option}'", _type_of(chosen, option), value)
    return chosen(**options)


def from_dict(record: Mapping[str, Any], known: tuple[type[AnyStrategy], ...]) -> AnyStrategy:
    """The strategy that `to_dict` described."""
    chosen = _named(str(record.get("name", "")), known)
    options = {option: value for option, value in record.items() if option != "name"}
    for option in options:
        _type_of(chosen, option)
    return chosen(**options)


def option_types(strategy: type[Strategy]) -> dict[str, Any]:
    """The options of a strategy with their types, in the order they are declared."""
    hints = get_type_hints(strategy)
    return {f.name: hints[f.name] for f in fields(strategy)}


def describe_type(kind: Any) -> str:
    """What may be written for an option, in words."""
    if get_origin(kind) is Literal:
        return alternatives([str(choice) for choice in get_args(kind)])
    if get_origin(kind) in (Union, UnionType):
        return alternatives([describe_type(member) for member in get_args(kind)])
    words = {int: "a whole number", float: "a number", bool: "true or false", type(None): "none", str: "a word"}
    return words[kind]


def alternatives(words: list[str]) -> str:
    """`a, b or c`."""
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " or " + words[-1]


def did_you_mean(word: str, choices: list[str], cutoff: float = 0.6) -> str:
    """` (did you mean 'x'?)` where a choice is close to the word, else nothing."""
    close = get_close_matches(word, choices, n=1, cutoff=cutoff)
    return f" (did you mean '{close[0]}'?)" if close else ""


def _named(name: str, known: tuple[type[AnyStrategy], ...]) -> type[AnyStrategy]:
    by_name = {strategy.name: strategy for strategy in known}
    if name not in by_name:
        names = list(by_name)
        hint = did_you_mean(name, names)
        raise OptionError(f"unknown {known[0].role} '{name}'{hint}; there is {alternatives(names)}")
    return by_name[name]


def _type_of(strategy: type[Strategy], option: str) -> Any:
    types = option_types(strategy)
    if option in types:
        return types[option]
    subject = f"{strategy.role} '{strategy.name}'"
    if not types:
        raise OptionError(f"{subject} has no options, found '{option}'")
    hint = did_you_mean(option, list(types))
    raise OptionError(f"{subject} has no option '{option}'{hint}; there is {alternatives(list(types))}")


def _parse_value(subject: str, kind: Any, text: str) -> Any:
    """Read `text` as a value of type `kind`; the dataclass checks what comes out."""
    if get_origin(kind) in (Union, UnionType):
        return _parse_member(subject, kind, text)
    if kind is bool and text in ("true", "false"):
        return text == "true"
    if kind in (int, float):
        try:
            return kind(text.replace("_", ""))
        except ValueError:
            pass
    elif get_origin(kind) is Literal or kind is str:
        return text
    raise OptionError(f"{subject} takes {describe_type(kind)}, found '{text}'")


def _parse_member(subject: str, kind: Any, text: str) -> Any:
    """Read `text` as the first member of a union that accepts it."""
    for member in get_args(kind):
        if member is type(None):
            if text == "none":
                return None
            continue
        try:
            value = _parse_value(subject, member, text)
            _check_value(subject, member, value)
        except OptionError:
            continue
        return value
    raise OptionError(f"{subject} takes {describe_type(kind)}, found '{text}'")


def _check_value(subject: str, kind: Any, value: Any) -> None:
    if not _is_a(kind, value):
        choices = [str(choice) for choice in get_args(kind)] if get_origin(kind) is Literal else []
        hint = did_you_mean(str(value), choices)
        raise OptionError(f"{subject} takes {describe_type(kind)}, found '{_text(value)}'{hint}")


def _is_a(kind: Any, value: Any) -> bool:
    if get_origin(kind) is Literal:
        return value in get_args(kind)
    if get_origin(kind) in (Union, UnionType):
        return any(_is_a(member, value) for member in get_args(kind))
    if isinstance(value, bool):
        return kind is bool
    return isinstance(value, kind)


def _text(value: Any) -> str:
    if value is None:
        return "none"
    return str(value).lower() if isinstance(value, bool) else str(value)
