"""Errors that the user can fix: each prints as one line and ends the command with exit code 2."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches


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

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.message}"


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
