"""Parsers for the grammars of front ends."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lark import Lark, Transformer

from scrimp.disk_cache import cache_folder


def parser_of(language: str, grammar: Path, builder: Transformer[Any, Any]) -> Lark:
    """A parser for models and expressions, whose tokens the caller feeds and whose tree `builder` makes."""
    return Lark(
        grammar.read_text(encoding="utf-8"),
        parser="lalr",
        lexer="basic",
        start=["model", "expression"],
        transformer=builder,
        cache=_tables(language) or False,
    )


def _tables(language: str) -> str | None:
    """The file where lark keeps the tables of the grammar, which take ten times as long to make as to read; lark makes
    them again when the grammar changes."""
    folder = cache_folder()
    if folder is None:
        return None
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        return None
    return str(folder / f"{language}-grammar.tables")
