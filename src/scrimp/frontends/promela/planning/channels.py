"""The channels of a model, and the numbers that SPIN gives them.

SPIN numbers channels from 1 as they are created: the global ones first, then those of each process as it starts.
Because the youngest process always dies first, the numbers of a process's channels depend only on the processes in the
slots below.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scrimp.frontends.promela.planning.storage import Leaf, extent, leaves
from scrimp.frontends.promela.program.syntax import ChannelShape, Program, Structure, Symbol, Unsigned

# The order in which SPIN's verifier initialises global variables.
_GLOBAL_ORDER = ("unsigned", "bit", "bool", "byte", "pid", "chan", "mtype", "short", "int", "structure")


@dataclass(frozen=True, eq=False)
class Channel:
    """One channel. `slot` and `proctype` are None for a global one; `ordinal` counts from 0 within the process, or
    among the global ones. `element` is its place in the symbol's array."""

    symbol: Symbol
    leaf: Leaf
    element: int
    shape: ChannelShape
    slot: int | None
    proctype: str | None
    ordinal: int

    @property
    def is_rendezvous(self) -> bool:
        return self.shape.capacity == 0

    @property
    def name(self) -> str:
        path = ".".join(part.name for part in self.leaf)
        return path if extent(self.leaf) is None else f"{path}[{self.element}]"


def field_types(shape: ChannelShape) -> list[object]:
    """The basic types of a message's fields; structures are listed field by field, arrays in them element by
    element."""
    result: list[object] = []
    for declared in shape.fields:
        if isinstance(declared, Structure):
            for symbol in declared.fields:
                for leaf in leaves(symbol):
                    result += [leaf[-1].type] * (extent(leaf) or 1)
        else:
            result.append(declared)
    # SPIN's verifier stores a bit as a byte if it is the only field of a message.
    return ["byte"] if result in (["bit"], ["bool"]) else result


def _channels_of(symbols: Sequence[Symbol], slot: int | None, proctype: str | None) -> Iterator[Channel]:
    ordinal = 0
    for symbol in symbols:
        for leaf in leaves(symbol):
            shape = leaf[-1].initial
            if not isinstance(shape, ChannelShape):
                continue
            for element in range(extent(leaf) or 1):
                yield Channel(symbol, leaf, element, shape, slot, proctype, ordinal)
                ordinal += 1


def _kind(symbol: Symbol) -> str:
    if isinstance(symbol.type, Unsigned):
        return "unsigned"
    return "structure" if isinstance(symbol.type, Structure) else symbol.type


class Numbering:
    """The channels of every proctype and their numbers."""

    def __init__(self, program: Program) -> None:
        ordered = sorted(program.globals, key=self.order_of)
        self.of_globals = tuple(_channels_of(ordered, None, None))
        self._symbols = {p.name: p.locals for p in program.proctypes}
        self._counts = {name: len(tuple(_channels_of(s, None, None))) for name, s in self._symbols.items()}

    @staticmethod
    def order_of(symbol: Symbol) -> int:
        """Global variables are initialised in this order, those of one rank in the order of their declarations."""
        return _GLOBAL_ORDER.index(_kind(symbol))

    def of_process(self, slot: int, proctype: str) -> tuple[Channel, ...]:
        return tuple(_channels_of(self._symbols[proctype], slot, proctype))

    def count(self, proctype: str) -> int:
        return self._counts[proctype]

    def global_channels(self) -> dict[tuple[Symbol, int], int]:
        """The numbers of the global channels outside structures, by symbol and element."""
        return {
            (channel.symbol, channel.element): channel.ordinal + 1
            for channel in self.of_globals
            if len(channel.leaf) == 1
        }

    def local_channels(self, slots: Sequence[Sequence[str]], slot: int, proctype: str) -> dict[tuple[Symbol, int], int]:
        """The numbers of a process's own channels, if the slots below determine them; otherwise none."""
        below = [{self._counts[name] for name in names} for names in slots[:slot]]
        if any(len(counts) != 1 for counts in below):
            return {}
        first = len(self.of_globals) + sum(min(counts) for counts in below) + 1
        return {
            (channel.symbol, channel.element): first + channel.ordinal
            for channel in self.of_process(slot, proctype)
            if len(channel.leaf) == 1
        }
