"""Hints for syntax errors that come from other languages: calls of proctypes, `:=`, `+=`, types such as `integer`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from scrimp.errors import ModelError
from scrimp.frontends.promela.text.inlines import found
from scrimp.frontends.promela.text.source import Source
from scrimp.frontends.promela.text.tokens import NAME, PROCTYPE_NAME, Token, shortened

_SIMILAR_TYPES = {"boolean": "bool", "integer": "int", "long": "int", "char": "byte"}
_MISSING_TYPES = frozenset({"float", "double", "string"})
_COMPOUND = frozenset({"+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"})
_PARTS_OF_TARGET = frozenset({NAME, "NUMBER", "DOT", "OPEN_INDEX", "CLOSE_INDEX"})


def known_mistake(source: Source, tokens: Sequence[Token], wrong: int, expected: set[str]) -> ModelError | None:
    """The error for a wrong token, if the mistake is a call or the name of a type."""
    token, before = tokens[wrong], _before(tokens, wrong)
    if token.type == "OPEN" and before is not None and before.type in (NAME, PROCTYPE_NAME):
        return source.error(before.offset, f"found a call of {found(before)}, {_no_inline(tokens, before)}")
    if "TYPE" in expected and _type_hint(token):
        return source.error(token.offset, f"unknown type {found(token)}; {_type_hint(token)}")
    if token.type == NAME and before is not None and _type_hint(before):
        return source.error(before.offset, f"unknown type {found(before)}; {_type_hint(before)}")
    return None


def assignment_hint(tokens: Sequence[Token], wrong: int) -> str:
    """What to write for `:=`, `+=` and the like, if the wrong token is their `=`; otherwise empty."""
    token, before = tokens[wrong], _before(tokens, wrong)
    if token.type != "ASSIGN" or token.gap or before is None:
        return ""
    if before.type == "COLON":
        return "; assignment is '='"
    if before.text not in _COMPOUND:
        return ""
    target = _target(tokens[: wrong - 1])
    return f"; write {target} = {target} {before.text} …"


def _before(tokens: Sequence[Token], place: int) -> Token | None:
    return tokens[place - 1] if place else None


def _no_inline(tokens: Sequence[Token], name: Token) -> str:
    heads = pairwise(tokens)
    if any(first.type in ("PROCTYPE", "D_PROCTYPE") and second.text == name.text for first, second in heads):
        return f"which is a proctype; 'run {shortened(name.text)}(…)' starts a process"
    return "which is not an inline defined above"


def _type_hint(token: Token) -> str:
    if token.type != NAME:
        return ""
    if token.text in _SIMILAR_TYPES:
        return f"did you mean '{_SIMILAR_TYPES[token.text]}'?"
    return "Promela has no such type" if token.text in _MISSING_TYPES else ""


def _target(tokens: Sequence[Token]) -> str:
    """The text of the variable at the end of tokens."""
    start = len(tokens)
    while start and tokens[start - 1].type in _PARTS_OF_TARGET:
        start -= 1
    return shortened("".join(token.text for token in tokens[start:]))
