"""From text to syntax tree, by the grammar of grammar.lark; errors in plain words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import takewhile
from pathlib import Path
from typing import Any, Literal, cast

from lark import Lark, UnexpectedToken

from scrimp.errors import ModelError
from scrimp.frontends.dve.source import Source
from scrimp.frontends.dve.syntax import Model, Node
from scrimp.frontends.dve.tokens import END, NAME, NUMBER, OPERATOR, Sign, Token, Tokenizer, shown, tokenizer
from scrimp.frontends.dve.tree import TreeBuilder
from scrimp.frontends.grammars import parser_of

Start = Literal["model", "expression"]

# What an operand can start with: together they are "an expression" to the reader of a message.
_OPERAND_STARTS = frozenset({NAME, NUMBER, "TRUE", "FALSE", "LPAR", "NOT", "BANG", "TILDE", "MINUS"})
_IN_WORDS = {NAME: "a name", NUMBER: "a number", OPERATOR: "an operator"}


def parse_model(source: Source) -> Model:
    """The tree of a whole model; raises ModelError."""
    return cast(Model, _parse(source, "model"))


def parse_expression(source: Source) -> Node:
    """The tree of one expression; raises ModelError."""
    return cast(Node, _parse(source, "expression"))


@dataclass(frozen=True)
class _Parser:
    lark: Lark
    tokenizer: Tokenizer


@cache
def _parser() -> _Parser:
    lark = parser_of("dve", Path(__file__).with_name("grammar.lark"), TreeBuilder())
    return _Parser(lark, tokenizer(lark.terminals))


def _parse(source: Source, start: Start) -> object:
    parser = _parser()
    # Of a token, lark looks at its type alone, so that ours can be nodes of the tree already. This is the method behind
    # its interactive parser's: one call less per token.
    feed: Callable[[Any, bool], object] = parser.lark.parse_interactive(start=start).parser_state.feed_token
    result = None
    try:
        for token in parser.tokenizer.tokens(source):
            result = feed(token, token.type == END)
    except UnexpectedToken:
        raise _syntax_error(source, token, _expected_before(source, start, token)) from None
    return result


def _expected_before(source: Source, start: Start, wrong: Token) -> set[str]:
    """The terminals that may stand where the wrong token does. The parser that failed may have gone further on the
    wrong token than the right ones would have allowed, so this is asked of a fresh one."""
    parser = _parser()
    interactive = parser.lark.parse_interactive(start=start)
    for token in takewhile(lambda token: token != wrong, parser.tokenizer.tokens(source)):
        interactive.feed_token(cast(Any, token))
    return cast(set[str], interactive.accepts())  # type: ignore[no-untyped-call]


def _syntax_error(source: Source, found: Token, expected: set[str]) -> ModelError:
    spelling = {terminal: spelling for spelling, terminal in _parser().tokenizer.kinds.items() if terminal != OPERATOR}
    if found.type == END:
        what = "the end of the text"
    elif isinstance(found, Sign) and found.spelling.isalpha():
        what = f"the keyword '{found.spelling}'"
    else:
        what = f"'{shown(found)}'"
    return source.error(found.offset, f"found {what}, expected {_any_of(_described(expected, spelling))}")


def _described(terminals: set[str], spelling: dict[str, str]) -> Iterator[str]:
    """What the terminals are to the reader, the most telling first."""
    if terminals >= _OPERAND_STARTS:
        yield "an expression"
        terminals = terminals - _OPERAND_STARTS
    if OPERATOR in terminals:
        terminals = terminals - {"MINUS"}
    yield from (words for terminal, words in _IN_WORDS.items() if terminal in terminals)
    if END in terminals:
        yield "the end of the text"
    yield from sorted(f"'{spelling[terminal]}'" for terminal in terminals - _IN_WORDS.keys() - {END})


def _any_of(alternatives: Iterable[str]) -> str:
    *others, last = alternatives
    return f"{', '.join(others)} or {last}" if others else last
