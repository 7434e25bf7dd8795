"""From text to formulas.

Operators, from the weakest to the strongest, as in SPIN's `ltl` blocks; infix operators group to the left:

    ->  <->       implies  equivalent  imply
    ||            or
    &&            and
    U V R W M     until  stronguntil  release  weakuntil  strongrelease
    ! [] <> X     not  always  eventually  next  G  F

Everything else is an atom: an expression in the model's own language. It extends as far as no operator of this table
stands outside its brackets: `x + 1 == y[i] U done` has the atoms `x + 1 == y[i]` and `done`. Parentheses around a whole
operand belong to the formula, all others to an atom, and so do those of `(c -> x : y)`. Text in braces is always one
atom: `{F} U {x}`. A negation belongs to the atom if that has an infix operator of its own: whether `!x == 1` negates x
is for the model's language to decide. `[] x == 1` is refused, because SPIN takes `[]` for an operand of `==` there.

A letter is an operator only where one can stand: in `F == 1`, F is a variable.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NoReturn

from scrimp.errors import ModelError
from scrimp.ltl.formula import (
    FALSE,
    TRUE,
    Always,
    Atom,
    Eventually,
    Formula,
    Next,
    Release,
    StrongRelease,
    Until,
    WeakUntil,
    conjunction,
    depth,
    disjunction,
    equivalence,
    implication,
    negation,
)

# Beyond this depth, recursive functions over formulas come close to Python's limit.
DEEPEST = 100

_TOKEN = re.compile(
    r"""\s*(?:(?P<comment>/\*.*?\*/)
    | (?P<string>"(?:[^"\\\n]|\\.)*")
    | (?P<sign>\[\]|<>|<->|->|&&|\|\||/\\|\\/|<=|>=|==|!=|<<|>>|[!(){}\[\]])
    | (?P<word>[A-Za-z_][A-Za-z_0-9]*)
    | (?P<other>[0-9]+|[^\s]))""",
    re.VERBOSE | re.DOTALL,
)

Infix = Callable[[Formula, Formula], Formula]
Join = Callable[[str, Formula, Formula], Formula | None]
"""What two operands of `->`, `||` or `&&` become; None: what these operators make of them."""
_INFIX: dict[str, tuple[int, Infix]] = {
    "->": (1, implication),
    "implies": (1, implication),
    "imply": (1, implication),
    "<->": (1, equivalence),
    "equivalent": (1, equivalence),
    "||": (2, lambda left, right: disjunction((left, right))),
    "or": (2, lambda left, right: disjunction((left, right))),
    "\\/": (2, lambda left, right: disjunction((left, right))),
    "&&": (3, lambda left, right: conjunction((left, right))),
    "and": (3, lambda left, right: conjunction((left, right))),
    "/\\": (3, lambda left, right: conjunction((left, right))),
    "U": (4, Until),
    "until": (4, Until),
    "stronguntil": (4, Until),
    "V": (4, Release),
    "R": (4, Release),
    "release": (4, Release),
    "W": (4, WeakUntil),
    "weakuntil": (4, WeakUntil),
    "M": (4, StrongRelease),
    "strongrelease": (4, StrongRelease),
}
_PREFIX: dict[str, Callable[[Formula], Formula]] = {
    "[]": Always,
    "always": Always,
    "G": Always,
    "<>": Eventually,
    "eventually": Eventually,
    "F": Eventually,
    "X": Next,
    "next": Next,
}
_JOINED = {"->": "->", "implies": "->", "imply": "->"}
_JOINED |= {"||": "||", "or": "||", "\\/": "||", "&&": "&&", "and": "&&", "/\\": "&&"}
_NEGATIONS = frozenset({"!", "not"})
_OPENING = {"(": ")", "[": "]", "{": "}"}
_TEMPORAL_INFIX = frozenset(sign for sign, (level, _) in _INFIX.items() if level == 4)
# Infix operators that some modelling language has, and formulas do not.
_FOREIGN = frozenset({"==", "!=", "<", ">", "<=", ">=", "<<", ">>", "+", "-", "*", "/", "%", "&", "|", "^", "="})
# What begins an arrow of other notations, and ours.
_ARROWS = {"=": "->", "<=": "<->"}
_OPERAND = "an expression, '(' or a temporal operator"


# After these, a word is part of a name; and these begin an operand.
_JOINING = frozenset({".", "@", ":", "?"})
_BEGINNING = frozenset({"[]", "<>", "!", "(", "{"})
_DIGITS = '"0123456789'


@dataclass(frozen=True, slots=True)
class Token:
    text: str
    start: int
    end: int
    is_name: bool


@dataclass(frozen=True, slots=True)
class Span:
    """The text of an atom, and where it begins."""

    text: str
    line: int
    column: int


MakeAtom = Callable[[Span], Formula]


def constant_or_atom(span: Span) -> Formula:
    """`true` and `false` are constants, any other text is the name of an atom."""
    return {"true": TRUE, "1": TRUE, "false": FALSE, "0": FALSE}.get(span.text) or Atom(span.text)


def _apart(operator: str, left: Formula, right: Formula) -> None:
    """No operands are joined."""


def parse(text: str, atom: MakeAtom = constant_or_atom, file: str = "<formula>", join: Join = _apart) -> Formula:
    """The formula of a text. `atom` turns the text of each atom into a formula, which may have a structure of its own;
    it may raise ModelError. Raises ModelError with the position in the text."""
    return _Parser(text, atom, file, join).formula()


class _Parser:
    def __init__(self, text: str, atom: MakeAtom, file: str, join: Join) -> None:
        self.text = text
        self.atom = atom
        self.file = file
        self.join = join
        self.tokens = list(_tokens(text))
        self._refuse_arrows()
        self.partner = self._partners()
        self.temporal = self._temporal()
        self.place = 0
        self.depth = 0

    def _refuse_arrows(self) -> None:
        """`=>` and `<=>`, which other notations have."""
        for place in range(len(self.tokens) - 1):
            first, second = self.tokens[place : place + 2]
            if first.text in _ARROWS and second.text == ">" and first.end == second.start:
                position = self._position(first.start)
                raise ModelError(self.file, *position, f"found '{first.text}>', expected '{_ARROWS[first.text]}'")

    def formula(self) -> Formula:
        found = self._infix(1)
        if self.place < len(self.tokens):
            self._fail(self.place, "an operator or the end of the formula")
        if depth(found) > DEEPEST:
            raise ModelError(self.file, 1, 1, f"the formula is nested more than {DEEPEST} levels deep")
        return found

    def _infix(self, level: int) -> Formula:
        """Operands with infix operators of at least this level between them."""
        left = self._prefix()
        while (known := self._infix_here()) is not None and known[0] >= level:
            operator = _JOINED.get(self.tokens[self.place].text)
            self.place += 1
            right = self._infix(known[0] + 1)
            joined = self.join(operator, left, right) if operator else None
            left = joined or known[1](left, right)
        return left

    def _infix_here(self) -> tuple[int, Infix] | None:
        return _INFIX.get(self.tokens[self.place].text) if self.place < len(self.tokens) else None

    def _prefix(self) -> Formula:
        self.depth += 1
        if self.depth > DEEPEST:
            self._fail(self.place, f"operators nested at most {DEEPEST} levels deep")
        found = self._operand()
        self.depth -= 1
        return found

    def _operand(self) -> Formula:
        if self.place == len(self.tokens):
            self._fail(self.place, _OPERAND)
        token = self.tokens[self.place]
        if self._is_prefix(self.place):
            self.place += 1
            self._require_simple_operand(token)
            return _PREFIX[token.text](self._prefix())
        if token.text in _NEGATIONS and not self._is_foreign(self.place):
            self.place += 1
            return negation(self._prefix())
        if token.text == "(" and self._is_group(self.place):
            return self._group()
        if token.text == "{":
            return self._braces()
        return self._atom()

    def _group(self) -> Formula:
        closing = self.partner[self.place]
        self.place += 1
        found = self._infix(1)
        if self.place != closing:
            self._fail(self.place, "an operator or ')'")
        self.place += 1
        self._require_operator()
        return found

    def _braces(self) -> Formula:
        opening, closing = self.place, self.partner[self.place]
        if closing == opening + 1:
            self._fail(closing, "an expression between the braces")
        self.place = closing + 1
        self._require_operator()
        return self._made(self.tokens[opening + 1].start, self.tokens[closing - 1].end)

    def _atom(self) -> Formula:
        """The tokens up to the next operator of a formula outside all brackets."""
        first = self.place
        while self.place < len(self.tokens) and not self._ends_atom(first):
            if self._is_prefix(self.place) or self.temporal[self.place]:
                self._fail(self.place, "an operator before it")
            self.place = self.partner.get(self.place, self.place) + 1
        if self.place == first:
            self._fail(self.place, _OPERAND)
        return self._made(self.tokens[first].start, self.tokens[self.place - 1].end)

    def _ends_atom(self, first: int) -> bool:
        token = self.tokens[self.place]
        is_name = (token.is_name and self.place == first) or self._continues_atom(self.place)
        return token.text in ")]}" or (token.text in _INFIX and not is_name)

    def _continues_atom(self, place: int) -> bool:
        """Whether a name is part of the atom before it: the last part of a name, as R is in P@R, or what follows an
        operator that formulas do not have, as R does in x == R."""
        return self.tokens[place].is_name and place > 0 and self.tokens[place - 1].text in _JOINING | _FOREIGN

    def _made(self, start: int, end: int) -> Formula:
        line, column = self._position(start)
        return self.atom(Span(self.text[start:end], line, column))

    def _is_prefix(self, place: int) -> bool:
        """Whether a token is a temporal prefix operator: a word is one only if an operand follows."""
        token = self.tokens[place]
        if token.text not in _PREFIX or (token.is_name and place + 1 == len(self.tokens)):
            return False
        if not token.is_name:
            return True
        after = self.tokens[place + 1]
        begins = after.text not in _INFIX if after.is_name else after.text in _BEGINNING or after.text[0] in _DIGITS
        return begins and not self._continues_atom(place)

    def _is_foreign(self, place: int) -> bool:
        """Whether the operand that begins here is an atom with an infix operator."""
        return self._foreign(place) is not None

    def _foreign(self, place: int) -> str | None:
        """The first infix operator of the atom that begins here."""
        while place < len(self.tokens) and not self._is_prefix(place):
            text = self.tokens[place].text
            if text in _FOREIGN:
                return text
            if (text in _INFIX and not self._continues_atom(place)) or text in _OPENING.values():
                return None
            place = self.partner.get(place, place) + 1
        return None

    def _is_group(self, opening: int) -> bool:
        """Whether an opening parenthesis belongs to the formula."""
        after = self.partner[opening] + 1
        is_whole = after == len(self.tokens) or self.tokens[after].text in _INFIX or self.tokens[after].text == ")"
        return self.temporal[opening] or (is_whole and not self._is_conditional(opening))

    def _is_conditional(self, opening: int) -> bool:
        """Whether parentheses have a colon inside, outside all other brackets."""
        place = opening + 1
        while place < self.partner[opening]:
            if self.tokens[place].text == ":":
                return True
            place = self.partner.get(place, place) + 1
        return False

    def _require_simple_operand(self, prefix: Token) -> None:
        if (operator := self._foreign(self.place)) is not None:
            why = f"the operand of '{prefix.text}' has the operator '{operator}', so it needs parentheses"
            self._fail(self.place, f"'(': {why}")

    def _require_operator(self) -> None:
        if self.place < len(self.tokens) and self._infix_here() is None and self.tokens[self.place].text != ")":
            self._fail(self.place, "an operator of the formula or its end")

    def _partners(self) -> dict[int, int]:
        """The closing bracket of each opening one."""
        found: dict[int, int] = {}
        opened: list[int] = []
        for place, token in enumerate(self.tokens):
            if token.text in _OPENING:
                opened.append(place)
            elif token.text in _OPENING.values():
                if not opened or _OPENING[self.tokens[opened[-1]].text] != token.text:
                    self._fail(place, "an opening bracket before it")
                found[opened.pop()] = place
        if opened:
            line, column = self._position(self.tokens[opened[-1]].start)
            bracket = self.tokens[opened[-1]].text
            raise ModelError(self.file, line, column, f"found '{bracket}' without its '{_OPENING[bracket]}'")
        return found

    def _temporal(self) -> list[bool]:
        """For each opening parenthesis, whether a temporal operator is inside."""
        found = [False] * len(self.tokens)
        for opening, closing in self.partner.items():
            if self.tokens[opening].text == "(":
                found[opening] = any(self._is_temporal(place) for place in self._outside_braces(opening, closing))
        return found

    def _outside_braces(self, opening: int, closing: int) -> Iterator[int]:
        place = opening + 1
        while place < closing:
            if self.tokens[place].text == "{":
                place = self.partner[place]
            else:
                yield place
            place += 1

    def _is_temporal(self, place: int) -> bool:
        if self._continues_atom(place):
            return False
        if self.tokens[place].text in _TEMPORAL_INFIX:
            before = self.tokens[place - 1]
            return before.text not in ("(", "!", "[") and (before.text not in _INFIX) and not self._is_prefix(place - 1)
        return self._is_prefix(place)

    def _position(self, offset: int) -> tuple[int, int]:
        before = self.text[:offset]
        return before.count("\n") + 1, offset - (before.rfind("\n") + 1) + 1

    def _fail(self, place: int, expected: str) -> NoReturn:
        if place < len(self.tokens):
            start, found = self.tokens[place].start, f"'{self.tokens[place].text}'"
        else:
            start, found = len(self.text.rstrip()), "the end of the formula"
        raise ModelError(self.file, *self._position(start), f"found {found}, expected {expected}")


def _tokens(text: str) -> Iterator[Token]:
    place = 0
    while (found := _TOKEN.match(text, place)) is not None:
        place = found.end()
        kind = found.lastgroup
        if kind is not None and kind != "comment":
            yield Token(found.group(kind), found.start(kind), found.end(kind), kind == "word")
