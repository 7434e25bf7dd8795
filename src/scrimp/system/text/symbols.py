"""The names declared so far, and the position of each declaration in the text."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Generic, NoReturn, TypeVar

from scrimp.errors import ModelError
from scrimp.system.system import Channel, Position, Process, System, Variable
from scrimp.system.text.names import print_name

T = TypeVar("T")
Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Located(Generic[T]):
    """Something read from the text, and its position."""

    value: T
    position: Position


@dataclass(slots=True)
class Symbols:
    """Declared processes, variables and channels by name. A name must be declared before it is used."""

    file: str
    processes: list[Process] = field(default_factory=list)
    variables: list[Variable] = field(default_factory=list)
    channels: list[Channel] = field(default_factory=list)
    _processes: dict[str, int] = field(default_factory=dict)
    _locations: list[dict[str, int]] = field(default_factory=list)
    _variables: dict[tuple[int | None, str], int] = field(default_factory=dict)
    _channels: dict[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, system: System, file: str) -> Symbols:
        """The names of a system that has been declared already."""
        return cls(
            file,
            list(system.processes),
            list(system.variables),
            list(system.channels),
            {process.name: i for i, process in enumerate(system.processes)},
            [{name: i for i, name in enumerate(process.locations)} for process in system.processes],
            {(variable.owner, variable.name): i for i, variable in enumerate(system.variables)},
            {channel.name: i for i, channel in enumerate(system.channels)},
        )

    def fail(self, position: Position, message: str) -> NoReturn:
        raise ModelError(self.file, position.line, position.column, message)

    def declare_process(self, name: Located[str], locations: list[Located[str]], process: Process) -> None:
        self._enter(self._processes, name.value, name)
        self.processes.append(process)
        table: dict[str, int] = {}
        for location in locations:
            self._enter(table, location.value, location)
        self._locations.append(table)

    def declare_variable(self, name: Located[str], variable: Variable) -> None:
        self._enter(self._variables, (variable.owner, name.value), name)
        self.variables.append(variable)

    def declare_channel(self, name: Located[str], channel: Channel) -> None:
        self._enter(self._channels, name.value, name)
        self.channels.append(channel)

    def process(self, name: Located[str]) -> int:
        return self._find(self._processes, name.value, name, "process")

    def location(self, process: int, name: Located[str]) -> int:
        owner = print_name(self.processes[process].name)
        return self._find(self._locations[process], name.value, name, f"location of process {owner}")

    def variable(self, owner: int | None, name: Located[str]) -> int:
        what = "variable" if owner is None else f"variable of process {print_name(self.processes[owner].name)}"
        return self._find(self._variables, (owner, name.value), name, what)

    def channel(self, name: Located[str]) -> int:
        return self._find(self._channels, name.value, name, "channel")

    def _enter(self, table: dict[Key, int], key: Key, name: Located[str]) -> None:
        if key in table:
            self.fail(name.position, f"the name {print_name(name.value)} is already declared")
        table[key] = len(table)

    def _find(self, table: dict[Key, int], key: Key, name: Located[str], what: str) -> int:
        if key not in table:
            self.fail(name.position, f"found {print_name(name.value)}, expected a {what} declared above")
        return table[key]
