"""From text to syntax tree: preprocessor, tokens, inlines, the grammar of grammar.lark, and names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import cast

from lark import Lark, UnexpectedToken

from scrimp.errors import ModelError
from scrimp.frontends.grammars import Start, any_of, expected_after, parsed, parser_of
from scrimp.frontends.promela.program import nodes, syntax
from scrimp.frontends.promela.program.hints import assignment_hint, known_mistake
from scrimp.frontends.promela.program.resolving.model import resolve_expression, resolve_model
from scrimp.frontends.promela.program.tree import TreeBuilder
from scrimp.frontends.promela.text.implications import implied
from scrimp.frontends.promela.text.inlines import Expansion, found
from scrimp.frontends.promela.text.preprocess import expand, preprocess
from scrimp.frontends.promela.text.separators import separated
from scrimp.frontends.promela.text.source import Source, plain_source
from scrimp.frontends.promela.text.tokens import (
    END,
    KINDS,
    NAME,
    NUMBER,
    OPERATOR,
    PROCTYPE_NAME,
    SEMICOLON,
    STRUCTURE_NAME,
    Token,
    tokenize,
)

EXPRESSION = "<expression>"


def parse_model(path: str, text: str, defines: Mapping[str, str]) -> syntax.Program:
    """The program of a text; raises ModelError."""
    source = preprocess(path, text, defines)
    expansion = Expansion(source, tokenize(source))
    tokens = _numbered(separated(expansion.expanded()))
    units = cast(tuple[nodes.Unit, ...], _parse(source, tokens, "model"))
    return replace(resolve_model(source, tokens, units, expansion.formulas), macros=source.macros)


def parse_expression(text: str, program: syntax.Program) -> syntax.Expression:
    """An expression over a program's globals and processes, in which its macros and the implication `->` may be used;
    raises ModelError, whose file is `<expression>`."""
    source = expand(EXPRESSION, text, program.macros) if program.macros else plain_source(EXPRESSION, text)
    expansion = Expansion(source, tokenize(source))
    expansion.kinds.update({proctype.name: PROCTYPE_NAME for proctype in program.proctypes})
    tokens = _numbered(implied(list(expansion.expanded())))
    node = cast(nodes.Node, _parse(source, tokens, "expression"))
    return resolve_expression(source, node, program)


@cache
def _parser() -> Lark:
    return parser_of("promela", Path(__file__).with_name("grammar.lark"), TreeBuilder())


def _numbered(tokens: Iterable[Token]) -> list[Token]:
    listed = list(tokens)
    for index, token in enumerate(listed):
        token.index = index
    return listed


def _parse(source: Source, tokens: list[Token], start: Start) -> object:
    try:
        return parsed(_parser(), tokens, start)
    except UnexpectedToken as error:
        raise _syntax_error(source, tokens, cast(Token, error.token).index, start) from None


def _syntax_error(source: Source, tokens: list[Token], wrong: int, start: Start) -> ModelError:
    expected = expected_after(_parser(), tokens[:wrong], start)
    token = tokens[wrong]
    if (mistake := known_mistake(source, tokens, wrong, expected)) is not None:
        return mistake
    what = found(token) if token.text or token.type == END else "the end of the statement"
    before = tokens[wrong - 1] if wrong else token
    added = before.type == SEMICOLON and not before.text and token.gap == 2 and token.type in _INFIX
    hint = assignment_hint(tokens, wrong) if start == "model" else ""
    if added:
        hint = "; the previous line ends a statement"
    return source.error(token.offset, f"found {what}, expected {any_of(_described(expected))}{hint}")


_DECLARATION = frozenset({"TYPE", STRUCTURE_NAME, "HIDDEN", "SHOW", "LOCAL"})
_OPERAND = frozenset({NAME, NUMBER, PROCTYPE_NAME, "OPEN", "MINUS", "TILDE", "SEND", "RUN", "LEN", "FULL", "EMPTY"}) | {
    *("NFULL", "NEMPTY", "ENABLED", "PC_VALUE", "GET_PRIORITY", "TIMEOUT", "NP_")
}
_STATEMENT = _OPERAND | {
    *("IF", "DO", "FOR", "SELECT", "INLINED_SELECT", "GOTO", "BREAK", "ELSE", "ATOMIC", "D_STEP", "OPEN_BLOCK"),
    *("PRINTF", "PRINTM", "ASSERT", "RETURN", "SET_PRIORITY"),
}
_INFIX = frozenset({OPERATOR, "MINUS", "LESS", "GREATER"})
_UNIT = frozenset(
    {"ACTIVE", "PROCTYPE", "D_PROCTYPE", "INIT", "NEVER", "TRACE", "NOTRACE", "TYPEDEF", "SEMICOLON", "ARROW"}
)
# Groups of terminals that a message describes by one word, the largest first.
_GROUPS = (
    ("a proctype", _UNIT),
    ("a statement", _STATEMENT),
    ("a declaration", _DECLARATION | {"XR", "XS"}),
    ("a declaration", _DECLARATION),
    ("an expression", _OPERAND),
    ("an operator", _INFIX),
    ("a name", frozenset({NAME, PROCTYPE_NAME, STRUCTURE_NAME})),
    ("a name", frozenset({NAME, PROCTYPE_NAME})),
    ("a name", frozenset({NAME})),
    ("a number", frozenset({NUMBER})),
    ("a string", frozenset({"STRING"})),
    ("a type", frozenset({"TYPE", STRUCTURE_NAME})),
    ("a type", frozenset({"TYPE"})),
    ("the end of the text", frozenset({END})),
)
_SPELLINGS = {terminal: spelling for spelling, terminal in KINDS.items()}


def _described(terminals: set[str]) -> Iterator[str]:
    """Descriptions of terminals for a message, the most general first."""
    for words, group in _GROUPS:
        if group <= terminals:
            yield words
            terminals = terminals - group
    yield from sorted(f"'{_SPELLINGS[terminal]}'" for terminal in terminals if terminal in _SPELLINGS)
