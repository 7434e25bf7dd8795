"""Small DVE models, and what the reference interpreter makes of them."""

from __future__ import annotations

from collections.abc import Mapping

from scrimp.frontends.dve import read_model
from scrimp.frontends.model import Model
from scrimp.system.reference import State, evaluate, explore, initial


def model(text: str, defines: Mapping[str, str] = {}, ignore_property: bool = False) -> Model:
    return read_model("model.dve", text, defines, ignore_property)


def one_step(declarations: str, transition: str) -> Model:
    """A model whose only process goes from `start` to `end` by one transition, given without its braces."""
    body = f"state start, end; init start; trans start -> end {{ {transition} }};"
    return model(f"{declarations} process P {{ {body} }} system async;")


def value(system_model: Model, expression: str, state: State | None = None) -> int:
    """An expression's value in a state, the initial one unless given."""
    state = state or initial(system_model.system)
    return evaluate(system_model.system, state, system_model.expression(expression))


def reachable(system_model: Model, expression: str) -> set[int]:
    """The values that an expression takes in the reachable states."""
    return {value(system_model, expression, state) for state in explore(system_model.system).states}


def at_end(system_model: Model, *expressions: str) -> list[int]:
    """The values of expressions in the only reachable state in which process P is at its location `end`."""
    states = explore(system_model.system).states
    (state,) = [state for state in states if value(system_model, "P.end", state)]
    return [value(system_model, expression, state) for expression in expressions]


def ends(system_model: Model, expression: str) -> set[int]:
    """The values of an expression in the reachable states in which process P is at its location `end`."""
    states = explore(system_model.system).states
    return {value(system_model, expression, state) for state in states if value(system_model, "P.end", state)}
