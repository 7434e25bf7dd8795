"""Adapters: how another tool is run on a model, and how its numbers are found in its report."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from scrimp.errors import ModelError, ScrimpError, unknown

NUMBERS = ("states", "transitions", "matched", "depth", "visits", "seconds", "state_bytes", "bytes_per_state")
TEXTS = ("name", "run", "incomplete")
LISTS = ("suffixes", "needs", "prepare")
KEYS = (*TEXTS, *LISTS, "numbers")
REQUIRED = ("name", "suffixes", "run", "numbers")
# A method of scrimp's has a slash, and a folder's name must not.
_NAME = re.compile(r"[\w.-]+")


@dataclass(frozen=True, slots=True)
class Number:
    """The number that the first group of `pattern` matches, times `times`, plus `plus`."""

    pattern: str
    times: float = 1.0
    plus: float = 0.0

    def read(self, text: str) -> float | None:
        match = re.search(self.pattern, text)
        with suppress(ValueError):
            return float(match[1].replace(",", "")) * self.times + self.plus if match else None
        return None


@dataclass(frozen=True, slots=True)
class Adapter:
    """`prepare` and `run` are command lines, in which `{model}` stands for the model's path; they are run in a folder
    of their own. `needs` are the commands that must be installed; `incomplete` matches reports of searches that were
    cut short."""

    name: str
    suffixes: tuple[str, ...]
    run: str
    numbers: Mapping[str, Number]
    needs: tuple[str, ...] = ()
    prepare: tuple[str, ...] = ()
    incomplete: str | None = None

    def reads(self, model: Path) -> bool:
        return model.suffix.lower() in self.suffixes


def spin() -> Adapter:
    return parse_adapter("spin.toml", (files(__package__) / "spin.toml").read_text())


def read_adapter(path: Path) -> Adapter:
    try:
        return parse_adapter(str(path), path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ScrimpError(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ScrimpError(f"{path}: cannot be read: it is not UTF-8 text") from error


def parse_adapter(file: str, text: str) -> Adapter:
    """Raises ModelError, with the position in the file."""
    return _Reader(file, text).adapter()


class _Reader:
    """Reads one file; tomllib reports positions only of syntax errors, so those of keys are looked up in the text."""

    def __init__(self, file: str, text: str) -> None:
        self._file = file
        self._text = text

    def adapter(self) -> Adapter:
        record = self._parsed()
        for key in record:
            if key not in KEYS:
                self._fail(key, unknown("key", key, KEYS))
        for key in REQUIRED:
            if key not in record:
                raise ModelError(self._file, 1, 1, f"expected a key '{key}'")
        for key in TEXTS:
            self._require(key, key not in record or isinstance(record[key], str), "a text")
        self._require("name", _NAME.fullmatch(record["name"]) is not None, "letters, digits, '.', '_' and '-'")
        for key in LISTS:
            self._require(key, _is_list_of_texts(record.get(key, [])), "a list of texts")
        if "incomplete" in record:
            self._check_pattern("incomplete", record["incomplete"], groups=0)
        self._require("numbers", isinstance(record["numbers"], dict), "a table")
        numbers = {key: self._number(key, value) for key, value in record["numbers"].items()}
        if "states" not in numbers:
            self._fail("numbers", "expected a number 'states'")
        return Adapter(**record | {key: tuple(record.get(key, ())) for key in LISTS} | {"numbers": numbers})

    def _parsed(self) -> dict[str, Any]:
        try:
            return tomllib.loads(self._text)
        except tomllib.TOMLDecodeError as error:
            message, place, numbers = str(error).partition(" (at line ")
            line, column = map(int, re.findall(r"\d+", numbers)) if place and "column" in numbers else self._end()
            raise ModelError(self._file, line, column, message[:1].lower() + message[1:]) from None

    def _number(self, key: str, value: Any) -> Number:
        if key not in NUMBERS:
            self._fail(key, unknown("number", key, NUMBERS))
        given = {"pattern": value} if isinstance(value, str) else value
        is_sound = isinstance(given, dict) and set(given) <= {"pattern", "times", "plus"}
        is_sound = is_sound and isinstance(given.get("pattern"), str)
        is_sound = is_sound and all(isinstance(given.get(each, 0), int | float) for each in ("times", "plus"))
        self._require(key, is_sound, "a regular expression, or a table with pattern, times and plus")
        self._check_pattern(key, given["pattern"], groups=1)
        return Number(**given)

    def _check_pattern(self, key: str, pattern: str, groups: int) -> None:
        try:
            compiled = re.compile(pattern)
        except re.error as error:
            self._fail(key, f"'{pattern}' is not a regular expression: {error}")
        if compiled.groups < groups:
            self._fail(key, f"expected a group, as in '(\\d+) states', found '{pattern}'")

    def _require(self, key: str, is_so: bool, expected: str) -> None:
        if not is_so:
            self._fail(key, f"'{key}': expected {expected}")

    def _fail(self, key: str, message: str) -> None:
        match = re.search(rf"^[ \t]*\[?[ \t]*([\"']?{re.escape(key)}[\"']?)[ \t]*[=\].]", self._text, re.MULTILINE)
        at = match.start(1) if match else 0
        raise ModelError(self._file, self._text.count("\n", 0, at) + 1, at - self._text.rfind("\n", 0, at), message)

    def _end(self) -> tuple[int, int]:
        return self._text.count("\n") + 1, len(self._text) - self._text.rfind("\n")


def _is_list_of_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)
