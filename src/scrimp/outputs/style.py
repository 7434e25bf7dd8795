"""The few ways in which text stands out on a terminal. Whoever prints removes them where there is none."""

from __future__ import annotations

from click import style


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
