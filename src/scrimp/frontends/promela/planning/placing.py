"""Which variables of a model have a place in the state: all except those that keep one value as long as their process
lives."""

from __future__ import annotations

from scrimp.frontends.promela.planning.storage import Leaf, parameter_leaves, range_of
from scrimp.frontends.promela.planning.uses import Uses
from scrimp.frontends.promela.planning.world import Instance, World
from scrimp.frontends.promela.program import syntax
from scrimp.frontends.promela.program.syntax import ChannelShape, Structure, Symbol


def place_variables(world: World, uses: Uses) -> None:
    """Give every variable its place, or its fixed value."""
    world.unread = {symbol for symbol in world.program.globals if symbol.hidden and symbol not in uses.read}
    for symbol in world.program.globals:
        _place(world, uses, None, "", symbol)
    for instance in world.everybody:
        known = _foreseen_parameters(world, instance)
        alone = instance is world.claim or len(world.slots[instance.slot]) == 1
        prefix = "" if alone else f"{instance.name}."
        for number, symbol in enumerate(instance.proctype.locals):
            is_parameter = number < instance.proctype.parameters
            value = known.get((symbol,)) if is_parameter else _constant_initial(symbol)
            if value is not None and _is_fixed(symbol, uses):
                world.storage.fixed[instance.slot, (symbol,)] = range_of(symbol.type).wrap(value)
            _place(world, uses, instance.slot, prefix, symbol)


def _place(world: World, uses: Uses, slot: int | None, prefix: str, symbol: Symbol) -> None:
    is_channel = isinstance(symbol.initial, ChannelShape) and symbol not in uses.written
    if not is_channel:
        world.storage.declare(slot, prefix, symbol, {})


def _is_fixed(symbol: Symbol, uses: Uses) -> bool:
    return symbol not in uses.written and not isinstance(symbol.type, Structure) and symbol.length is None


def _foreseen_parameters(world: World, instance: Instance) -> dict[Leaf, int]:
    """The parameters that have the same value in every foreseen start of a slot's process."""
    parameters = parameter_leaves(instance.proctype)
    given: list[tuple[int | None, ...]] = [
        arguments
        for start, arguments in world.plan.starts.items()
        if start.slot == instance.slot and len(arguments) == len(parameters)
    ]
    if instance.slot < world.active_slots:
        given.append((0,) * len(parameters))
    columns = [set(column) for column in zip(*given, strict=True)]
    single = {leaf: next(iter(column)) for leaf, column in zip(parameters, columns, strict=False) if len(column) == 1}
    return {leaf: value for leaf, value in single.items() if value is not None}


def _constant_initial(symbol: Symbol) -> int | None:
    """The value of a local that is never written, if it is a plain number."""
    if symbol.initial is None:
        return 0
    return symbol.initial.value if isinstance(symbol.initial, syntax.Number) else None
