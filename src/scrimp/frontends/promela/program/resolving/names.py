"""The meanings of names in a Promela model, and their scopes."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import chain
from typing import NamedTuple, TypeAlias

from scrimp.errors import ModelError, did_you_mean
from scrimp.frontends.promela.program.syntax import Proctype, Structure, Symbol
from scrimp.frontends.promela.text.source import Source
from scrimp.frontends.promela.text.tokens import Token, shortened


class MtypeConstant(NamedTuple):
    name: str
    set: str


class ProctypeName(NamedTuple):
    """A proctype or a named claim, known as soon as its head is read."""

    parameters: tuple[Symbol, ...]


Meaning: TypeAlias = Symbol | MtypeConstant | ProctypeName | Structure

_PREDEFINED = frozenset({"_", "_pid", "_nr_pr", "_last", "_nr_qs", "_priority"})


@dataclass
class Names:
    """The names declared so far. `scopes` are those of the current proctype, the innermost last: names of the enclosing
    blocks are visible in a block, and must not be declared again."""

    source: Source
    everywhere: dict[str, Meaning] = field(default_factory=dict)
    scopes: list[dict[str, Symbol]] = field(default_factory=list)
    mtypes: dict[str, list[str]] = field(default_factory=dict)
    proctypes: dict[str, Proctype] = field(default_factory=dict)

    def find(self, name: str) -> Meaning | None:
        for scope in reversed(self.scopes):
            if name in scope:
                return scope[name]
        return self.everywhere.get(name)

    def declare(self, token: Token, meaning: Meaning) -> None:
        """Declare a name in the innermost scope; raises ModelError if it is already declared."""
        self.check_new(token)
        if self.scopes and isinstance(meaning, Symbol):
            self.scopes[-1][token.text] = meaning
        else:
            self.everywhere[token.text] = meaning

    def check_new(self, token: Token) -> None:
        name = token.text
        if name in _PREDEFINED:
            raise self.source.error(token.offset, f"'{name}' is predefined and cannot be declared")
        known = self.find(name)
        if known is not None:
            raise self.source.error(token.offset, f"'{shortened(name)}' is already declared as {kind_of(known)}")

    def mtype_value(self, constant: MtypeConstant) -> int:
        return self.mtypes[constant.set].index(constant.name) + 1

    def unknown(self, token: Token, expected: str) -> ModelError:
        name = shortened(token.text)
        near = did_you_mean(name, chain(*self.scopes, self.everywhere))
        return self.source.error(token.offset, f"unknown name '{name}'{near}, expected {expected}")


def kind_of(meaning: Meaning) -> str:
    """The kind of a meaning, as messages name it."""
    match meaning:
        case MtypeConstant():
            return "an mtype constant"
        case ProctypeName():
            return "a proctype"
        case Structure():
            return "a typedef"
        case Symbol(length=int()):
            return "an array"
        case Symbol(type=Structure()):
            return "a structure"
        case Symbol(type="chan"):
            return "a channel"
        case _:
            return "a variable"
