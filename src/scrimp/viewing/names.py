"""The names of a model's processes and variables, for the page's lists."""

from __future__ import annotations

from scrimp.frontends.model import Model

# A labelled transition system may have millions of events; what the page says about all of them is left out then.
MOST_EVENTS_READ = 200_000


def process_names(model: Model) -> list[str]:
    """The names of processes as steps show them, in the order of the system."""
    if model.vocabulary.marking is not None:
        return []
    if len(model.system.transitions) > MOST_EVENTS_READ:
        return [process.name for process in model.system.processes]
    movers: dict[str, None] = {}
    for process, declared in enumerate(model.system.processes):
        if model.vocabulary.place(model.system, process, declared.initial):
            movers[declared.name] = None
    for transition in model.system.transitions:
        for move in transition.moves:
            movers[model.system.mover(move)] = None
    return list(movers)


def variable_names(model: Model) -> list[str]:
    """The variables, channels or places by name."""
    if model.vocabulary.marking is not None:
        return list(model.vocabulary.marking.places)
    names = [model.vocabulary.variable(model.system, number) for number in range(len(model.system.variables))]
    return [*names, *(channel.name for channel in model.system.channels)]
