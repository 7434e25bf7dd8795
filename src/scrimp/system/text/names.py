"""Names in the text form: identifiers are written as they are, anything else in quotes, as in JSON."""

from __future__ import annotations

import json
import re

RESERVED = frozenset(
    {"_", "assert", "clear", "else", "expect", "find", "if", "len", "message", "outgrow", "timeout"}
    | {"undefined", "when"}
)
"""The keywords that occur where a name could; all other keywords occur only where a name cannot."""

IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")


def print_name(name: str) -> str:
    return name if IDENTIFIER.fullmatch(name) and name not in RESERVED else print_string(name)


def print_string(text: str) -> str:
    return json.dumps(text, ensure_ascii=not text.isprintable())
