"""The initial values of variables, which may depend on those of others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from scrimp.frontends.promela.lowering.expressions import ExpressionLowering
from scrimp.frontends.promela.lowering.problems import problem
from scrimp.frontends.promela.lowering.statements import initial_values
from scrimp.frontends.promela.planning.storage import extent, leaves
from scrimp.frontends.promela.planning.world import ABSENT, Instance, World
from scrimp.frontends.promela.program.syntax import Symbol
from scrimp.system.reference import EvaluationFault, State, evaluate
from scrimp.system.system import System

Scopes = Callable[[Instance | None], ExpressionLowering]


def initialised(system: System, world: World, scope: Scopes) -> System:
    """The system with its variables initialised: global ones first, then those of each initial process."""
    for symbol in sorted(world.program.globals, key=world.numbering.order_of):
        _initialise(system, world, scope, None, symbol)
    there = [instances[0] for instances in world.slots[: world.active_slots]]
    for instance in (*there, *([] if world.claim is None else [world.claim])):
        for symbol in instance.proctype.locals[instance.proctype.parameters :]:
            _initialise(system, world, scope, instance, symbol)
    return replace(system, variables=tuple(world.storage.variables))


def _initialise(system: System, world: World, scope: Scopes, instance: Instance | None, symbol: Symbol) -> None:
    storage = world.storage
    slot = None if instance is None else instance.slot
    given = initial_values(scope(instance), instance, symbol)
    for leaf in leaves(symbol):
        number = storage.variable(slot, leaf)
        if number is None:
            continue
        whole = replace(system, variables=tuple(storage.variables))
        start = _first_state(whole, slot)
        try:
            results = [evaluate(whole, start, expression) for expression in given[leaf]]
        except EvaluationFault as fault:
            raise problem(symbol.position, f"cannot compute the initial value of '{symbol.name}': {fault}") from None
        variable = storage.variables[number]
        values = tuple(variable.type.wrap(value) for value in results[: extent(leaf) or 1])
        storage.variables[number] = replace(variable, initial=values)


def _first_state(system: System, slot: int | None) -> State:
    """The state in which the process of a slot is created: later processes do not exist yet."""
    places = [p.initial if slot is not None and n <= slot else ABSENT for n, p in enumerate(system.processes)]
    return State(tuple(places), tuple(v.initial for v in system.variables), tuple(() for _ in system.channels))
