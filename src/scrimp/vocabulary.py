"""Vocabulary: how the users of a model know the parts of its system, where the system's own names and numbers say less.

A front end fills in what it has; what is left out is told by the system's names, and in numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from scrimp.system.expressions import Expression
from scrimp.system.system import System

Names: TypeAlias = Mapping[int, str]
"""What the values of a variable or of a message's field are called; those left out are numbers."""


@dataclass(frozen=True, slots=True)
class Handshake:
    """What passes from the first mover of an event to the second: values over the state before, with their names."""

    channel: str
    values: tuple[Expression, ...]
    names: tuple[Names, ...] = ()


@dataclass(frozen=True, slots=True)
class Marking:
    """The places of a Petri net by name, and where their tokens are: place `variables[i]` in variable i, one of place
    `processes[p][l]`, if that is one, where process p is at location l."""

    places: tuple[str, ...]
    variables: tuple[int, ...]
    processes: tuple[tuple[int | None, ...], ...]

    def tokens(self, locations: Sequence[int], values: Sequence[tuple[int, ...]]) -> list[int]:
        """How many tokens each place holds."""
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
    """`variables` gives names to variables, `elements` to the elements of arrays, `values` to what they hold,
    `messages` to the fields of what a channel holds, each by its number in the system; `handshakes` are by event.
    `places` tells of each process where it is, by location; an empty text: it is not there at all. `marking` says that
    the model is a Petri net, in which nobody moves and states are markings of places. `stuck` says what is the matter
    in a state without events, where that is not what is said of processes and nets."""

    variables: Mapping[int, str] = field(default_factory=dict)
    elements: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    values: Mapping[int, Names] = field(default_factory=dict)
    messages: Mapping[int, tuple[Names, ...]] = field(default_factory=dict)
    handshakes: Mapping[int, Handshake] = field(default_factory=dict)
    places: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    marking: Marking | None = None
    stuck: str = ""

    @property
    def nothing_moves(self) -> str:
        """What is the matter in a state without events."""
        if self.stuck:
            return self.stuck
        return "no process can move" if self.marking is None else "no transition is enabled"

    def variable(self, system: System, variable: int) -> str:
        """A variable's name as users read it: a local one after its process."""
        if variable in self.variables:
            return self.variables[variable]
        declared = system.variables[variable]
        return declared.name if declared.owner is None else f"{system.processes[declared.owner].name}.{declared.name}"

    def element(self, system: System, variable: int, element: int) -> str:
        """The name of a variable's element; that of the variable where it is no array."""
        if variable in self.elements:
            return self.elements[variable][element]
        name = self.variable(system, variable)
        return name if system.variables[variable].length is None else f"{name}[{element}]"

    def is_there(self, system: System, variable: int, locations: Sequence[int]) -> bool:
        """Whether a variable belongs to nobody or to a process that there is."""
        owner = system.variables[variable].owner
        if owner is None or owner not in self.places:
            return True
        process = self.places[owner][locations[owner]].partition(" at ")[0]
        return process != "" and self.variable(system, variable).startswith(f"{process}.")

    def names(self, variable: int) -> tuple[Names, ...]:
        return (self.values[variable],) if variable in self.values else ()

    def place(self, system: System, process: int, location: int) -> str:
        """Where a process is; empty where there is none."""
        if process in self.places:
            return self.places[process][location]
        named = system.processes[process]
        return f"{named.name} at {named.locations[location]}"


PLAIN = Vocabulary()
"""The system's own names, and numbers."""
