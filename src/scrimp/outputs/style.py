"""The few styles of text on a terminal. `screen.py` removes them when it prints to anything else."""

from __future__ import annotations

from click import style, unstyle


def plain(text: str) -> str:
    """The text without any style."""
    return unstyle(text)


def strong(text: str) -> str:
    return style(text, bold=True)


def dim(text: str) -> str:
    return style(text, dim=True)


def good(text: str) -> str:
    return style(text, fg="green", bold=True)


def bad(text: str) -> str:
    return style(text, fg="red", bold=True)


def warning(text: str) -> str:
    return style(text, fg="yellow", bold=True)
