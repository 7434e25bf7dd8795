"""The meanings of names in a DVE model, and their scopes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from scrimp.errors import ModelError, did_you_mean
from scrimp.frontends.dve.source import Source
from scrimp.frontends.dve.syntax import Identifier
from scrimp.frontends.dve.tokens import shortened
from scrimp.system.types import Range


@dataclass(frozen=True, slots=True)
class NamedConstant:
    value: int


@dataclass(frozen=True, slots=True)
class NamedVariable:
    """A variable of the system. `constants` are the values of a constant array, a variable that is never written."""

    index: int
    type: Range
    length: int | None
    constants: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class NamedChannel:
    """`buffer` is its index among the system's channels, None for rendezvous; `fields` is None if it is untyped."""

    name: str
    fields: tuple[Range, ...] | None
    buffer: int | None
    capacity: int


@dataclass(frozen=True, slots=True)
class NamedState:
    index: int


@dataclass(frozen=True, slots=True)
class NamedProcess:
    """A process and the names that are visible only in it. `observable` is false for the property process, to which no
    other process can refer."""

    name: str
    index: int
    observable: bool
    names: dict[str, Meaning] = field(default_factory=dict)


Meaning: TypeAlias = NamedConstant | NamedVariable | NamedChannel | NamedState | NamedProcess


def kind_of(meaning: Meaning) -> str:
    """The kind of a meaning, as messages name it."""
    match meaning:
        case NamedConstant():
            return "a constant"
        case NamedVariable(_, _, length, constants):
            return "a constant array" if constants is not None else "a variable" if length is None else "an array"
        case NamedChannel():
            return "a channel"
        case NamedState():
            return "a state"
        case NamedProcess():
            return "a process"


@dataclass(frozen=True)
class Names:
    """The names visible at some place: local names of a process, if any, hide global ones. States hide nothing:
    where a variable or channel may be written, a state may not."""

    everywhere: Mapping[str, Meaning]
    process: NamedProcess | None = None

    def find(self, source: Source, identifier: Identifier, expected: str) -> Meaning:
        """The meaning of a name, which should be `expected`; raises ModelError if there is none."""
        meaning = self.process.names.get(identifier.name) if self.process is not None else None
        if meaning is None or isinstance(meaning, NamedState):
            meaning = self.everywhere.get(identifier.name, meaning)
        if meaning is None:
            raise self._unknown(source, identifier, expected)
        return meaning

    def find_process(self, source: Source, identifier: Identifier) -> NamedProcess:
        meaning = self.everywhere.get(identifier.name)
        if meaning is None:
            named = shortened(identifier.name)
            hint = did_you_mean(
                named, (name for name, known in self.everywhere.items() if isinstance(known, NamedProcess))
            )
            raise source.error(identifier.offset, f"found '{named}'{hint}, expected the name of a process")
        if not isinstance(meaning, NamedProcess):
            raise wrong_kind(source, identifier, meaning, "a process")
        if not meaning.observable and meaning is not self.process:
            raise source.error(identifier.offset, f"the property process '{identifier.name}' cannot be observed")
        return meaning

    def _unknown(self, source: Source, identifier: Identifier, expected: str) -> ModelError:
        name = shortened(identifier.name)
        owners = [
            owner
            for owner, meaning in self.everywhere.items()
            if isinstance(meaning, NamedProcess) and isinstance(meaning.names.get(identifier.name), NamedVariable)
        ]
        if owners:
            return source.error(
                identifier.offset, f"unknown name '{name}', expected {expected}; did you mean {owners[0]}->{name}?"
            )
        near = [*(self.process.names if self.process is not None else ()), *self.everywhere]
        return source.error(identifier.offset, f"unknown name '{name}'{did_you_mean(name, near)}, expected {expected}")


@dataclass(frozen=True)
class StateNames:
    """The states of one process."""

    source: Source
    process: NamedProcess

    def index(self, identifier: Identifier) -> int:
        """The index of a state; raises ModelError."""
        meaning = self.process.names.get(identifier.name)
        if isinstance(meaning, NamedState):
            return meaning.index
        if meaning is not None:
            raise wrong_kind(self.source, identifier, meaning, "a state")
        raise self.source.error(
            identifier.offset, f"unknown state '{shortened(identifier.name)}', expected a state of this process"
        )


def wrong_kind(source: Source, identifier: Identifier, meaning: Meaning, expected: str) -> ModelError:
    message = f"'{shortened(identifier.name)}' is {kind_of(meaning)}, expected {expected}"
    return source.error(identifier.offset, message)
