"""Vocabulary: the names that users know for the parts of a system, if they are not the system's own names or numbers.

A front end fills in the names it has; all other parts go by the system's names, or by numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from scrimp.system.expressions import Expression
from scrimp.system.system import System

Names: TypeAlias = Mapping[int, str]
"""The names of the values of a variable or of a message's field; values without a name are numbers."""


@dataclass(frozen=True, slots=True)
class Handshake:
    """The message that the first mover of an event passes to the second: expressions over the state before, and the
    names of their values."""

    channel: str
    values: tuple[Expression, ...]
    names: tuple[Names, ...] = ()


@dataclass(frozen=True, slots=True)
class Marking:
    """The places of a Petri net by name, and how the state stores their tokens: variable i counts those of place
    `variables[i]`, and place `processes[p][l]`, unless it is None, has a token while process p is at location l."""

    places: tuple[str, ...]
    variables: tuple[int, ...]
    processes: tuple[tuple[int | None, ...], ...]

    def tokens(self, locations: Sequence[int], values: Sequence[tuple[int, ...]]) -> list[int]:
        """The number of tokens in each place."""
        found = [0] * len(self.places)
        for place, (count,) in zip(self.variables, values, strict=True):
            found[place] = count
        for places, location in zip(self.processes, locations, strict=True):
            marked = places[location]
            if marked is not None:
                found[marked] = 1
        return found


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """`variables` gives names to variables, `elements` to the elements of arrays, `values` to their values, `messages`
    to the fields of the messages in a channel, each by its number in the system; `handshakes` are by event.
    `places` describes each location of each process; an empty text means that the process does not run. `marking` is
    given for a Petri net, which has no processes, and whose states are markings of places. `stuck` describes a state
    without events, if the usual words for processes and nets do not fit; `endless` describes a cycle of transient
    states."""

    variables: Mapping[int, str] = field(default_factory=dict)
    elements: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    values: Mapping[int, Names] = field(default_factory=dict)
    messages: Mapping[int, tuple[Names, ...]] = field(default_factory=dict)
    handshakes: Mapping[int, Handshake] = field(default_factory=dict)
    places: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    marking: Marking | None = None
    stuck: str = ""
    endless: str = "infinite loop inside an atomic sequence"

    @property
    def nothing_moves(self) -> str:
        """A state without events, in words."""
        if self.stuck:
            return self.stuck
        return "no process can move" if self.marking is None else "no transition is enabled"

    def variable(self, system: System, variable: int) -> str:
        """A variable's name as users read it: that of a local variable begins with its process."""
        if variable in self.variables:
            return self.variables[variable]
        declared = system.variables[variable]
        return declared.name if declared.owner is None else f"{system.processes[declared.owner].name}.{declared.name}"

    def element(self, system: System, variable: int, element: int) -> str:
        """The name of a variable's element; that of the variable if it is not an array."""
        if variable in self.elements:
            return self.elements[variable][element]
        name = self.variable(system, variable)
        return name if system.variables[variable].length is None else f"{name}[{element}]"

    def is_there(self, system: System, variable: int, locations: Sequence[int]) -> bool:
        """Whether a variable is global or belongs to a process that runs."""
        owner = system.variables[variable].owner
        if owner is None or owner not in self.places:
            return True
        process = self.places[owner][locations[owner]].partition(" at ")[0]
        return process != "" and self.variable(system, variable).startswith(f"{process}.")

    def names(self, variable: int) -> tuple[Names, ...]:
        return (self.values[variable],) if variable in self.values else ()

    def place(self, system: System, process: int, location: int) -> str:
        """The location of a process; empty if it does not run."""
        if process in self.places:
            return self.places[process][location]
        named = system.processes[process]
        return f"{named.name} at {named.locations[location]}"


PLAIN = Vocabulary()
"""The system's own names, and numbers."""
