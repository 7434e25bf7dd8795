"""Errors that the user can fix: each prints as one line, perhaps with a note that shows the place, and ends the command
with exit code 2."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches

_LONGEST_LINE = 100


class ScrimpError(Exception):
    """Bad input, bad options or a combination that is refused. `str()` is the line to show.

    Example:
        >>> import scrimp
        >>> try:
        ...     scrimp.check("models/absent.dve")
        ... except scrimp.ScrimpError as error:
        ...     print(error)
        models/absent.dve: cannot be read: No such file or directory
    """


@dataclass
class ModelError(ScrimpError):
    """Something is wrong in a model's text.

    Example:
        >>> import scrimp
        >>> try:
        ...     scrimp.load(text="byte x = ;", language="promela")
        ... except scrimp.ModelError as error:
        ...     print(error.line, error.column)
        1 10
    """

    file: str
    line: int
    column: int
    message: str

    def __post_init__(self) -> None:
        """Whatever a message quotes from the text, it stays one line, and no terminal obeys it."""
        self.message = spelled(self.message)

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.message}"

    def pointing(self, text: str, line: int | None = None, column: int | None = None) -> ModelError:
        """This error, with a note for terminals and tracebacks: a line of the text, and a caret below a column. Both
        are those of the error unless others are given."""
        lines = text.split("\n")
        at = self.line if line is None else line
        if at <= len(lines) and lines[at - 1].strip():
            self.add_note(_marked(lines[at - 1], self.column if column is None else column))
        return self


def spelled(text: str) -> str:
    """A text whose characters can all be shown: others as `\\x00`, `\\u2028` or `\\U000e0001`."""
    return "".join(each if each.isprintable() else each.encode("unicode_escape", "replace").decode() for each in text)


def _marked(line: str, column: int) -> str:
    """A line of the text without its indentation, cut around a column, and a caret below that column."""
    start = min(len(line) - len(line.lstrip()), column - 1)
    start = max(start, column - 1 - _LONGEST_LINE // 2)
    text = "".join(each if each.isprintable() else " " for each in line[start : start + _LONGEST_LINE].rstrip())
    return f"    {text}\n    {' ' * (column - 1 - start)}^"


class OptionError(ScrimpError, ValueError):
    """An option's value, or a combination of options, cannot be used.

    Example:
        >>> import scrimp
        >>> scrimp.check("models/peterson.dve", order="dsf")
        Traceback (most recent call last):
            ...
        scrimp.errors.OptionError: unknown order 'dsf'; did you mean 'dfs'? (choices: bfs, dfs)
    """


def nearest(word: str, choices: Iterable[str], cutoff: float = 0.6) -> str | None:
    """The choice that the word was probably meant to be, if there is one."""
    close = get_close_matches(word, list(choices), n=1, cutoff=cutoff)
    return close[0] if close else None


def did_you_mean(word: str, choices: Iterable[str], cutoff: float = 0.6) -> str:
    """` (did you mean 'x'?)`, for the middle of a sentence, if a choice is close to the word; otherwise empty."""
    close = nearest(word, choices, cutoff)
    return f" (did you mean '{close}'?)" if close else ""


def suggestion(word: str, choices: Iterable[str], cutoff: float = 0.6) -> str:
    """`; did you mean 'x'?`, for the end of a sentence, if a choice is close to the word or begins with it; otherwise
    empty."""
    known = list(choices)
    close = nearest(word, known, cutoff) or next((each for each in known if word and each.startswith(word)), None)
    return f"; did you mean '{close}'?" if close else ""


def unknown(what: str, word: str, choices: Iterable[str]) -> str:
    """`unknown store 'ful'; did you mean 'full'? (choices: full, cache)`."""
    known = list(choices)
    return f"unknown {what} '{word}'{suggestion(word, known)} (choices: {', '.join(known)})"
