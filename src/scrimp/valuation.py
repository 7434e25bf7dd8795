"""The values of a model's states as rows of a table: a column for each process, variable and channel."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, repeat
from typing import TypeAlias

from scrimp.frontends.model import Model
from scrimp.system.reference import State
from scrimp.vocabulary import Names

Word: TypeAlias = int | str
Cell: TypeAlias = Word | list[list[Word]] | None


class Valuation:
    """A column has the name that users know; a cell has a number, a name if the model gives the number one, the
    messages of a channel, or None if there is no such process or variable in the state. The columns of a net are its
    places."""

    def __init__(self, model: Model) -> None:
        self._system = model.system
        self._vocabulary = model.vocabulary
        self.columns: tuple[str, ...] = tuple(self._columns())

    def _columns(self) -> Iterator[str]:
        system, vocabulary = self._system, self._vocabulary
        if vocabulary.marking is not None:
            yield from vocabulary.marking.places
            return
        yield from (process.name for process in system.processes)
        for number, variable in enumerate(system.variables):
            yield from (vocabulary.element(system, number, element) for element in range(len(variable.initial)))
        yield from (channel.name for channel in system.channels)

    def cells(self, state: State) -> Sequence[Cell]:
        """The cells of a state, in the order of the columns."""
        if self._vocabulary.marking is not None:
            return self._vocabulary.marking.tokens(state.locations, state.values)
        return [*self._places(state), *self._values(state), *self._messages(state)]

    def _places(self, state: State) -> Iterator[Cell]:
        """The location of each process; if another process has its slot, with the name of that process."""
        for process, location in enumerate(state.locations):
            place = self._vocabulary.place(self._system, process, location)
            name, _, where = place.partition(" at ")
            yield (where if name == self._system.processes[process].name else place) or None

    def _values(self, state: State) -> Iterator[Cell]:
        for variable, values in enumerate(state.values):
            if self._vocabulary.is_there(self._system, variable, state.locations):
                yield from _named(values, repeat(self._vocabulary.values.get(variable, {})))
            else:
                yield from repeat(None, len(values))

    def _messages(self, state: State) -> Iterator[Cell]:
        for channel, messages in enumerate(state.channels):
            names = self._vocabulary.messages.get(channel, ())
            yield [list(_named(message, chain(names, repeat({})))) for message in messages]


def _named(values: Sequence[int], names: Iterator[Names] | chain[Names]) -> Iterator[Word]:
    """Values; those that have a name are replaced by it."""
    return (table.get(value, value) for value, table in zip(values, names, strict=False))
