"""Errors that are the user's to mend: each prints as one line and ends the command with exit code 2."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches


class ScrimpError(Exception):
    """Bad input, bad options or a combination that is refused. `str()` is the one line to show."""


@dataclass
class ModelError(ScrimpError):
    """Something is wrong in a model's text."""

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
        scrimp.errors.OptionError: unknown order 'dsf' (did you mean 'dfs'?); there is bfs or dfs
    """


def did_you_mean(word: str, choices: Iterable[str], cutoff: float = 0.6) -> str:
    """` (did you mean 'x'?)` where a choice is close to the word, else nothing."""
    close = get_close_matches(word, list(choices), n=1, cutoff=cutoff)
    return f" (did you mean '{close[0]}'?)" if close else ""
