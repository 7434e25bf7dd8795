"""From text to tokens: one regular expression, several times as fast as lark's own lexers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from scrimp.errors import ModelError
from scrimp.frontends.promela.text.source import Source
from scrimp.system.types import INT

NAME, PROCTYPE_NAME, STRUCTURE_NAME = "NAME", "PROCTYPE_NAME", "STRUCTURE_NAME"
NUMBER, STRING, OPERATOR = "NUMBER", "STRING", "OPERATOR"
SEMICOLON, ARROW, END = "SEMICOLON", "ARROW", "$END"

Gap = Literal[0, 1, 2]
"""The space before a token: none, blanks, or the end of a line."""


@dataclass(slots=True, eq=False)
class Token:
    """`type` is its terminal in the grammar, `index` its place among the tokens for the parser, `value` the value of a
    number."""

    type: str
    text: str
    offset: int
    gap: Gap
    value: int = 0
    index: int = -1

    def copy(self, gap: Gap) -> Token:
        return Token(self.type, self.text, self.offset, gap, self.value)


_TYPES = ("bit", "bool", "byte", "short", "int", "unsigned", "pid", "mtype", "chan")
_KEYWORDS = (
    *("active", "assert", "atomic", "break", "d_step", "D_proctype"),
    *("c_code", "c_decl", "c_expr", "c_state", "c_track"),
    *("do", "else", "empty", "enabled", "eval", "fi", "for", "full", "get_priority", "goto", "hidden", "if", "init"),
    *("inline", "len", "local", "ltl", "nempty", "never", "nfull", "notrace", "np_", "od", "of", "pc_value", "printf"),
    *("printm", "priority", "proctype", "provided", "return", "run", "select", "set_priority", "show", "timeout"),
    *("trace", "typedef", "unless", "xr", "xs"),
)
_CONSTANTS = {"true": 1, "false": 0, "skip": 1}
_SIGNS = {
    ";": SEMICOLON,
    "-->": ARROW,
    "->": ARROW,
    "::": "OPTION",
    "..": "RANGE",
    ":": "COLON",
    ",": "COMMA",
    ".": "DOT",
    "(": "OPEN",
    ")": "CLOSE",
    "[": "OPEN_INDEX",
    "]": "CLOSE_INDEX",
    "{": "OPEN_BLOCK",
    "}": "CLOSE_BLOCK",
    "=": "ASSIGN",
    "++": "INCREMENT",
    "--": "DECREMENT",
    "!": "SEND",
    "!!": "SORTED_SEND",
    "?": "RECEIVE",
    "??": "ANY_RECEIVE",
    "@": "AT",
    "~": "TILDE",
    "-": "MINUS",
    "<": "LESS",
    ">": "GREATER",
    # Only in formulas, which the parser never reads.
    "/\\": "FORMULA_SIGN",
    "\\/": "FORMULA_SIGN",
}
LEVELS = (
    ("||",),
    ("&&",),
    ("|",),
    ("^",),
    ("&",),
    ("==", "!="),
    ("<", "<=", ">=", ">"),
    ("<<", ">>"),
    ("+", "-"),
    ("*", "/", "%"),
)
"""Binary operators, those with the lowest precedence first."""

KINDS: dict[str, str] = {
    **{spelling: OPERATOR for level in LEVELS for spelling in level},
    **_SIGNS,
    **dict.fromkeys(_TYPES, "TYPE"),
    **{word: word.upper() for word in _KEYWORDS},
    **dict.fromkeys(_CONSTANTS, NUMBER),
}
"""The terminals of keywords, signs and operators, by spelling."""

# SPIN skips the end of a comment that has no beginning.
_BLANK = r"(?:[ \t\r\n\f\v]++|//[^\n]*|/\*.*?\*/|\*/)*+"
_SIGN = "|".join(re.escape(sign) for sign in sorted((s for s in KINDS if not s[0].isalpha()), key=len, reverse=True))
_PATTERN = re.compile(
    rf"(?P<blank>{_BLANK})(?:(?P<name>[A-Za-z_][A-Za-z0-9_]*)|(?P<number>[0-9]+)|(?!/\*)(?P<sign>{_SIGN})"
    r"|(?P<string>\"(?:[^\"\\\n]|\\.)*\"|\$[^$\n]*\$)|(?P<character>'(?:\\.|[^\\\n])')|\Z)",
    re.DOTALL,
)
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "f": "\f"}
_LARGEST = 2**32 - 1
_MOST_DIGITS = len(str(_LARGEST))
_LONGEST_SHOWN = 40


def tokenize(source: Source) -> list[Token]:
    """The tokens of a text and one for its end; raises ModelError at a character that starts no token."""
    tokens: list[Token] = []
    add, kinds, end = tokens.append, KINDS, 0
    for match in _PATTERN.finditer(source.text):
        if match.start() != end:
            break
        end = match.end()
        blank, group = match["blank"], match.lastgroup
        gap: Gap = 0 if not blank else 2 if "\n" in blank else 1
        if group is None or group == "blank":
            add(Token(END, "", end, gap))
            return tokens
        spelling = match[group]
        offset = end - len(spelling)
        if group == "name":
            kind = kinds.get(spelling, NAME)
            add(Token(kind, spelling, offset, gap, _CONSTANTS[spelling] if kind == NUMBER else 0))
        elif group == "sign":
            add(Token(kinds[spelling], spelling, offset, gap))
        elif group == "string":
            add(Token(STRING, spelling, offset, gap))
        else:
            value = _number(source, spelling, offset) if group == "number" else _character(spelling)
            add(Token(NUMBER, spelling, offset, gap, value))
    raise _stray(source, end)


def shortened(text: str) -> str:
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…"


def counted(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _number(source: Source, digits: str, offset: int) -> int:
    """SPIN takes the lower 32 bits of larger numbers."""
    significant = digits.lstrip("0") or "0"
    if len(significant) > _MOST_DIGITS or int(significant) > _LARGEST:
        raise source.error(offset, f"found the number {shortened(digits)}, expected at most {_LARGEST}")
    value = int(significant)
    return value if value <= INT.high else value - _LARGEST - 1


def _character(spelling: str) -> int:
    inner = spelling[1:-1]
    return ord(_ESCAPES.get(inner[1], inner[1]) if inner[0] == "\\" else inner)


def _stray(source: Source, end: int) -> ModelError:
    blank = re.compile(_BLANK, re.DOTALL).match(source.text, end)
    offset = blank.end() if blank else end
    if source.text.startswith("/*", offset):
        return source.error(offset, "found a comment without an end, expected '*/'")
    character = source.text[offset]
    if character == '"':
        return source.error(offset, "found a string without an end, expected '\"' in the same line")
    if character == "'":
        return source.error(offset, "found a quote, expected a single character between two quotes")
    return source.error(offset, f"found the character '{character}', expected a name, a number or a symbol")
