"""Enough stack to process expressions recursively, as deep as a valid system nests them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from scrimp.system.validate import MOST_NESTED_EXPRESSIONS, MOST_NESTED_STATEMENTS

_CALLS_PER_LEVEL = 6


@contextmanager
def deep_recursion() -> Iterator[None]:
    before = sys.getrecursionlimit()
    needed = _CALLS_PER_LEVEL * (MOST_NESTED_EXPRESSIONS + MOST_NESTED_STATEMENTS) + 1_000
    sys.setrecursionlimit(max(before, needed))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def fingerprint(value: object) -> str:
    """A text that is equal for two values only if they are equal."""
    with deep_recursion():
        return repr(value)
