"""Names in the text form: identifiers stand as they are, anything else between quotes, as in JSON."""

from __future__ import annotations

import json
import re

RESERVED = frozenset(
    {"_", "assert", "clear", "else", "expect", "find", "if", "len", "message", "outgrow", "timeout"}
    | {"undefined", "when"}
)
"""The words that could be mistaken for a name where they are used; all others mean something only in their place."""

IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")


def print_name(name: str) -> str:
    return name if IDENTIFIER.fullmatch(name) and name not in RESERVED else print_string(name)


def print_string(text: str) -> str:
    return json.dumps(text, ensure_ascii=not text.isprintable())
