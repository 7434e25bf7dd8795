"""Prepares tokens for the parser: expands calls of inlines, marks the names of structures and proctypes, and rejects or
sets aside what scrimp does not support.

SPIN expands inlines as text: the argument replaces the parameter, and names have the meaning they have at the call.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from scrimp.frontends.promela.text.formulas import LtlBlock, formula_block
from scrimp.frontends.promela.text.source import Source
from scrimp.frontends.promela.text.tokens import (
    END,
    NAME,
    PROCTYPE_NAME,
    SEMICOLON,
    STRUCTURE_NAME,
    Token,
    counted,
    shortened,
)

_DEEPEST = 16
_MOST_TOKENS = 2_000_000
_C_CODE = frozenset({"C_CODE", "C_DECL", "C_EXPR", "C_STATE", "C_TRACK"})
_PAIRS = {"{": "}", "(": ")"}


class Inline(NamedTuple):
    """The body includes its braces."""

    name: str
    parameters: tuple[str, ...]
    body: tuple[Token, ...]


@dataclass
class Expansion:
    """The expansion of one text. `formulas` are the `ltl` formulas that were set aside."""

    source: Source
    tokens: list[Token]
    formulas: list[LtlBlock] = field(default_factory=list)
    inlines: dict[str, Inline] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)
    count: int = 0

    def expanded(self) -> Iterator[Token]:
        """The tokens for the parser, including the end; raises ModelError."""
        tokens, index = self.tokens, 0
        naming: str | None = None
        depth = 0
        while True:
            token = tokens[index]
            kind = token.type
            if kind == "INLINE":
                index = self._define(index)
                continue
            if kind == "LTL":
                index = self._set_aside(index)
                continue
            if kind == NAME and token.text in self.inlines:
                index = yield from self._call(tokens, index, ())
                continue
            if kind == "TYPEDEF" and tokens[index + 1].type == NAME:
                self.kinds[tokens[index + 1].text] = STRUCTURE_NAME
            elif kind in ("PROCTYPE", "D_PROCTYPE") and tokens[index + 1].type == NAME:
                naming = tokens[index + 1].text
            elif kind == "OPEN_BLOCK":
                depth += 1
            elif kind == "CLOSE_BLOCK":
                depth -= 1
                if depth == 0 and naming is not None:
                    # The name denotes a proctype only after the end of its body.
                    self.kinds[naming] = PROCTYPE_NAME
                    naming = None
            yield self._classified(tokens, index)
            if kind == END:
                return
            index += 1

    def _classified(self, tokens: list[Token], index: int) -> Token:
        token = tokens[index]
        if token.type == NAME:
            token.type = self.kinds.get(token.text, NAME)
        elif token.type in _C_CODE:
            raise self.source.error(token.offset, f"embedded C code ({token.text}) is not supported")
        self.count += 1
        if self.count > _MOST_TOKENS:
            raise self.source.error(token.offset, f"inlines expand to more than {_MOST_TOKENS:,} tokens")
        return token

    def _define(self, index: int) -> int:
        """Read the definition at an index; returns the index after it."""
        name = self._expect(index + 1, NAME, "the name of an inline")
        self._expect(index + 2, "OPEN", "'('")
        index += 3
        parameters: list[str] = []
        while self.tokens[index].type != "CLOSE":
            if parameters:
                self._expect(index, "COMMA", "',' or ')'")
                index += 1
            parameters.append(self._expect(index, NAME, "the name of a parameter").text)
            index += 1
        self._expect(index + 1, "OPEN_BLOCK", "'{'")
        end = self._closing(self.tokens, index + 1)
        if name.text in self.inlines:
            raise self.source.error(name.offset, f"the inline '{shortened(name.text)}' is defined twice")
        self.inlines[name.text] = Inline(name.text, tuple(parameters), tuple(self.tokens[index + 1 : end + 1]))
        return end + 1

    def _set_aside(self, index: int) -> int:
        index += 1
        name = "" if self.tokens[index].type != NAME else self.tokens[index].text
        if name:
            index += 1
        self._expect(index, "OPEN_BLOCK", "'{'" if name else "a name or '{'")
        end = self._closing(self.tokens, index)
        tokens = self.tokens[index + 1 : end + 1]
        if len(tokens) > 1 and tokens[-2].type == SEMICOLON:
            # SPIN drops a semicolon in front of any closing brace.
            del tokens[-2]
        self.formulas.append(formula_block(name, tokens, self.source))
        return end + 1

    def _expect(self, index: int, kind: str, words: str) -> Token:
        token = self.tokens[index]
        if token.type != kind:
            raise self.source.error(token.offset, f"found {found(token)}, expected {words}")
        return token

    def _closing(self, tokens: list[Token], index: int) -> int:
        """The index of the token that closes the brace or parenthesis at an index."""
        opening, depth = tokens[index], 0
        closing = _PAIRS[opening.text]
        for place in range(index, len(tokens)):
            text = tokens[place].text
            if text == opening.text:
                depth += 1
            elif text == closing:
                depth -= 1
                if depth == 0:
                    return place
        raise self.source.error(opening.offset, f"found '{opening.text}' without an end, expected '{closing}'")

    def _call(self, tokens: list[Token], index: int, calling: tuple[str, ...]) -> Generator[Token, None, int]:
        """Yields the expansion of the call at an index; returns the index after it."""
        name = tokens[index]
        inline = self.inlines[name.text]
        if tokens[index + 1].type != "OPEN":
            after = tokens[index + 1]
            raise self.source.error(after.offset, f"found {found(after)}, expected '(' after the inline '{name.text}'")
        if name.text in calling:
            raise self.source.error(name.offset, f"the inline '{shortened(name.text)}' calls itself")
        if len(calling) >= _DEEPEST:
            raise self.source.error(name.offset, f"inlines call each other more than {_DEEPEST} levels deep")
        end = self._closing(tokens, index + 1)
        arguments = _arguments(tokens[index + 2 : end])
        if len(arguments) != len(inline.parameters):
            what = f"{counted(len(arguments), 'argument')} of the inline '{shortened(name.text)}'"
            raise self.source.error(name.offset, f"found {what}, expected {len(inline.parameters)}")
        if index and tokens[index - 1].type == "ASSIGN":
            yield Token("INLINE_VALUE", "", name.offset, 1)
        body = _substituted(inline, arguments, name)
        yield from self._body(body, (*calling, name.text))
        return end + 1

    def _body(self, tokens: list[Token], calling: tuple[str, ...]) -> Iterator[Token]:
        index = 0
        while index < len(tokens):
            token = tokens[index]
            if token.type == NAME and token.text in self.inlines:
                index = yield from self._call(tokens, index, calling)
                continue
            if token.type == "SELECT":
                token.type = "INLINED_SELECT"
            yield self._classified(tokens, index)
            index += 1


def found(token: Token) -> str:
    """A token as messages show it."""
    if token.type == END:
        return "the end of the text"
    if token.type not in (NAME, "NUMBER", "STRING", PROCTYPE_NAME, STRUCTURE_NAME) and token.text[:1].isalpha():
        return f"the keyword '{token.text}'"
    return f"'{shortened(token.text)}'"


def _arguments(tokens: list[Token]) -> list[list[Token]]:
    """Tokens split at the commas outside all brackets."""
    if not tokens:
        return []
    arguments: list[list[Token]] = [[]]
    depth = 0
    for token in tokens:
        if token.type == "COMMA" and depth == 0:
            arguments.append([])
            continue
        depth += (token.text in ("(", "[", "{")) - (token.text in (")", "]", "}"))
        arguments[-1].append(token)
    return arguments


def _substituted(inline: Inline, arguments: list[list[Token]], call: Token) -> list[Token]:
    given = dict(zip(inline.parameters, arguments, strict=True))
    body: list[Token] = []
    for token in inline.body:
        argument = given.get(token.text) if token.type == NAME else None
        if argument is None:
            body.append(token.copy(token.gap))
        else:
            body.extend(
                part.copy(token.gap if place == 0 else 1 if part.gap else 0) for place, part in enumerate(argument)
            )
    body[0].gap = call.gap
    return body
