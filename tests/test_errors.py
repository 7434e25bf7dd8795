"""Unknown names: the message has the nearest name and the choices."""

from __future__ import annotations

import pytest

from scrimp.errors import unknown


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("slep", "; did you mean 'sleep'?"),
        ("stub", "; did you mean 'stubborn'?"),
        ("ghp92", "; did you mean 'ghp92-table1'?"),
        ("zzz", ""),
        ("", ""),
    ],
)
def test_a_name_that_is_close_or_begins_like_the_word_is_suggested(word: str, hint: str) -> None:
    choices = ("sleep", "stubborn", "ghp92-table1")
    assert unknown("name", word, choices) == f"unknown name '{word}'{hint} (choices: sleep, stubborn, ghp92-table1)"
