"""The vocabulary of a lowered model: processes by name and number, mtype constants and channels by name.

Names of processes, variables and places do not change when the model grows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from scrimp.frontends.promela.planning.channels import Channel
from scrimp.frontends.promela.planning.storage import Leaf, leaves
from scrimp.frontends.promela.planning.world import ABSENT, Instance, World, plain_name
from scrimp.frontends.promela.program.syntax import Structure, Symbol
from scrimp.system.expressions import Constant
from scrimp.vocabulary import Handshake, Names, Vocabulary


def vocabulary(world: World, everybody: Sequence[Instance], handshakes: Mapping[int, Handshake]) -> Vocabulary:
    """`everybody` are the instances of all slots, and the claim."""
    kept: list[tuple[int | None, Symbol, str]] = [(None, symbol, "") for symbol in world.program.globals]
    kept += [(i.slot, symbol, f"{i.display_name}.") for i in everybody for symbol in i.proctype.locals]
    names: dict[int, str] = {}
    elements: dict[int, tuple[str, ...]] = {}
    values: dict[int, Names] = {}
    for slot, symbol, prefix in kept:
        for leaf in leaves(symbol):
            number = world.storage.variable(slot, leaf)
            if number is None:
                continue
            names[number] = prefix + ".".join(part.name for part in leaf)
            if len(leaf) > 1:
                elements[number] = tuple(prefix + name for name in _element_names(leaf))
            if named := _value_names(world, leaf[-1]):
                values[number] = named
    messages = {number: field_names(world, channel) for channel, number in world.buffered.items()}
    return Vocabulary(names, elements, values, messages, handshakes, _places(world, everybody))


def channel_name(world: World, channel: Channel) -> str:
    """The name of a local channel begins with that of its process."""
    if channel.slot is None:
        return channel.name
    owner = next(i for i in world.slots[channel.slot] if i.name == channel.proctype)
    return f"{owner.display_name}.{channel.name}"


def _value_names(world: World, symbol: Symbol) -> Names:
    return _names(world, symbol.type, symbol.mtype)


def _names(world: World, type_: object, mtype: str | None = None) -> Names:
    """The names of a type's values: constants of an mtype set, or channels."""
    if type_ == "mtype":
        return dict(enumerate(world.program.mtypes.get(mtype or "", ()), start=1))
    return _channel_names(world) if type_ == "chan" else {}


def _channel_names(world: World) -> Names:
    """The channels by their numbers, if these are the same in all states."""
    names: dict[int, set[str]] = {}
    for channel in world.channels:
        number = world.number(channel)
        if isinstance(number, Constant):
            names.setdefault(number.value, set()).add(channel_name(world, channel))
    return {number: alone for number, (alone, *others) in names.items() if not others}


def field_names(world: World, channel: Channel) -> tuple[Names, ...]:
    """The names of the values in each field of a channel's messages; structures are listed field by field."""
    result: list[Names] = []
    for declared in channel.shape.fields:
        if isinstance(declared, Structure):
            for leaf in (leaf for symbol in declared.fields for leaf in leaves(symbol)):
                result += [_value_names(world, leaf[-1])] * len(_element_names(leaf))
        else:
            result.append(_names(world, declared))
    return tuple(result)


def _element_names(leaf: Leaf) -> list[str]:
    """`a[0].b[0]`, `a[0].b[1]`, … in the order in which storage keeps them."""
    indices = [[""] if part.length is None else [f"[{i}]" for i in range(part.length)] for part in leaf]
    return [".".join(_named(leaf, chosen)) for chosen in product(*indices)]


def _named(leaf: Sequence[Symbol], indices: tuple[str, ...]) -> Iterator[str]:
    for part, index in zip(leaf, indices, strict=True):
        yield part.name + index


def _places(world: World, everybody: Sequence[Instance]) -> dict[int, tuple[str, ...]]:
    """The locations of each process, by labels or SPIN's numbers of states."""
    result: dict[int, tuple[str, ...]] = {}
    for process, locations in enumerate(world.location_names):
        owners = {plain_name(i.proctype): i.display_name for i in everybody if i.slot == process}
        texts = []
        for location, name in enumerate(locations):
            proctype, _, place = name.partition(".")
            texts.append("" if location == ABSENT else f"{owners[proctype]} at {place}")
        result[process] = tuple(texts)
    return result
