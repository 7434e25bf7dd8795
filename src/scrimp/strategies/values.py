"""The values of options: which are allowed for each type, how they are read from texts and written back.

A type is a Python type, a `Literal`, a union of types, or `Annotated` with a `Notation` if only some values are allowed
or they have a notation of their own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import UnionType
from typing import Annotated, Any, Literal, Protocol, Union, get_args, get_origin

from scrimp.arguments import MOST
from scrimp.errors import OptionError, suggestion
from scrimp.limits import parse_bytes


class Notation(Protocol):
    """How the values of an annotated type are written."""

    @property
    def words(self) -> str:
        """What may be written, in words."""

    def read(self, text: str) -> Any:
        """The value that a text stands for; raises ValueError or OptionError if there is none."""

    def write(self, value: Any) -> str:
        return str(value)

    def complaint(self, value: Any) -> str | None:
        """What is wrong with a value of the right Python type: None if nothing is, "" if `words` says it all."""

    def meaning(self, value: Any) -> object:
        """The value for the engine: a number or a word, or named tuples and tuples of them."""
        return value


@dataclass(frozen=True)
class WholeNumber(Notation):
    """At least `low` and, unless it is None, at most `high`."""

    low: int
    high: int | None = None

    @property
    def words(self) -> str:
        bounds = f"of at least {self.low}" if self.high is None else f"from {self.low} to {self.high}"
        return f"a whole number {bounds}"

    def read(self, text: str) -> int:
        return int(text.replace("_", ""))

    def complaint(self, value: int) -> str | None:
        if value > MOST and self.high is None:
            return f"expected at most {MOST}, found {value}"
        return None if self.low <= value <= (value if self.high is None else self.high) else ""


@dataclass(frozen=True)
class AmountOfMemory(Notation):
    """Bytes, written as `64M`."""

    words = "an amount of memory such as 64M"

    def read(self, text: str) -> int:
        return parse_bytes(text)

    def write(self, value: int) -> str:
        for size, unit in ((2**30, "G"), (2**20, "M"), (2**10, "K")):
            if value and value % size == 0:
                return f"{value // size}{unit}"
        return str(value)

    def complaint(self, value: int) -> str | None:
        if value > MOST:
            return f"expected at most {MOST} bytes, found {value}"
        return None if value > 0 else ""


@dataclass(frozen=True)
class Spelling:
    """A text in a notation of its own, which is kept as a text. `meaning` raises ValueError if it is malformed."""

    words: str
    meaning: Callable[[str], object]

    def read(self, text: str) -> str:
        return text

    def write(self, value: str) -> str:
        return value

    def complaint(self, value: str) -> str | None:
        try:
            self.meaning(value)
        except ValueError as error:
            return str(error)
        return None


def describe_type(kind: Any) -> str:
    """What may be written for an option, in words."""
    if get_origin(kind) is Literal:
        return alternatives([str(choice) for choice in get_args(kind)])
    if get_origin(kind) in (Union, UnionType):
        return alternatives([describe_type(member) for member in get_args(kind)])
    if get_origin(kind) is Annotated:
        return _notation(kind).words
    words = {int: "a whole number", float: "a number", bool: "true or false", type(None): "none", str: "a word"}
    return words[kind]


def alternatives(words: list[str]) -> str:
    """`a, b or c`."""
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " or " + words[-1]


def parse_value(subject: str, kind: Any, text: str) -> Any:
    """Read `text` as a value of type `kind`; `check_value` checks the value."""
    if get_origin(kind) in (Union, UnionType):
        return _parse_member(subject, kind, text)
    if kind is bool and text in ("true", "false"):
        return text == "true"
    if get_origin(kind) is Literal or kind is str:
        return text
    try:
        if get_origin(kind) is Annotated:
            return _notation(kind).read(text)
        if kind in (int, float):
            return kind(text.replace("_", ""))
    except (ValueError, OptionError):
        pass
    raise OptionError(f"{subject} takes {describe_type(kind)}, found '{text}'")


def _parse_member(subject: str, kind: Any, text: str) -> Any:
    """Read `text` as the first member of a union that accepts it or, if there is none, that can read it: `check_value`
    says what is wrong with the value."""
    readable = []
    for member in get_args(kind):
        if member is type(None):
            if text == "none":
                return None
            continue
        try:
            value = parse_value(subject, member, text)
        except OptionError:
            continue
        if _complaint(member, value) is None:
            return value
        readable.append(value)
    if readable:
        return readable[0]
    raise OptionError(f"{subject} takes {describe_type(kind)}, found '{text}'")


def check_value(subject: str, kind: Any, value: Any) -> None:
    complaint = _complaint(kind, value)
    if complaint:
        raise OptionError(f"{subject}: {complaint}")
    if complaint is not None:
        choices = [str(choice) for choice in get_args(kind)] if get_origin(kind) is Literal else []
        hint = suggestion(str(value), choices)
        raise OptionError(f"{subject} takes {describe_type(kind)}, found '{value_text(kind, value)}'{hint}")


def _complaint(kind: Any, value: Any) -> str | None:
    """As `Notation.complaint`."""
    if get_origin(kind) is Annotated:
        return "" if not _is_plain(get_args(kind)[0], value) else _notation(kind).complaint(value)
    if get_origin(kind) is Literal:
        return None if value in get_args(kind) else ""
    if get_origin(kind) in (Union, UnionType):
        complaints = [_complaint(member, value) for member in get_args(kind)]
        return None if None in complaints else max(complaints, key=bool)
    return None if _is_plain(kind, value) else ""


def _is_plain(kind: type, value: Any) -> bool:
    return kind is bool if isinstance(value, bool) else isinstance(value, kind)


def value_text(kind: Any, value: Any) -> str:
    """The text that `parse_value` reads as the value; if there is none, any text."""
    for member in get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,):
        if get_origin(member) is Annotated and _is_plain(get_args(member)[0], value):
            return _notation(member).write(value)
    if value is None:
        return "none"
    return str(value).lower() if isinstance(value, bool) else str(value)


def meaning(kind: Any, value: Any) -> Any:
    """The value for the engine, in numbers, words, lists and dictionaries."""
    for member in get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,):
        if get_origin(member) is Annotated and _is_plain(get_args(member)[0], value):
            return _record(_notation(member).meaning(value))
    return value


def _record(value: Any) -> Any:
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return {name: _record(each) for name, each in value._asdict().items()}
    return [_record(each) for each in value] if isinstance(value, tuple) else value


def _notation(kind: Any) -> Notation:
    notation: Notation = get_args(kind)[1]
    return notation
