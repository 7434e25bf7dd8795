"""Growth: a model whose language sets no bounds starts as a small system, which is enlarged when a search outgrows it.

The enlarged system is kept in the disk cache, so that the next search starts with it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

from scrimp import disk_cache
from scrimp.frontends.model import Model
from scrimp.machine.sampling import Sampler
from scrimp.system.reference import State, initial
from scrimp.system.system import System


def settled(model: Model) -> Model:
    """The model in the size of an earlier search, or that a sample of its states needs."""
    if model.growth is None:
        return model
    known = disk_cache.recall(_key(model)) if model.identity else None
    if isinstance(known, Model):
        return known
    grown = _glanced_at(model)
    if model.identity:
        disk_cache.keep(_key(model), grown)
    return grown


def _glanced_at(model: Model, state: State | None = None) -> Model:
    """Sample states with the reference interpreter, from the initial one or from `state` on, and grow until the sample
    fits."""
    while True:
        sampler = Sampler(model.system)
        for _ in sampler.states(state or initial(model.system)):
            pass
        if not sampler.outgrown:
            return model
        larger = _grown(model, sampler.outgrown)
        state = state and kept_parts(model, larger).state(larger.system, state)
        model = larger


def grow(model: Model, need: str, state: State) -> Model:
    """The model with room for `need`, which arose in `state`."""
    return _grown(model, [(need, state)])


def grow_ahead(model: Model, need: str, state: State) -> Model:
    """The model with room for `need`, which a search met in `state`, and for what a sample of the states after that one
    needs. What comes late often comes in numbers, and each need would cost a search."""
    larger = settled(grow(model, need, state))
    return _glanced_at(larger, kept_parts(model, larger).state(larger.system, state))


@dataclass(frozen=True, slots=True)
class Kept:
    """The parts that a model had before it grew: for each process, variable and channel of the larger system its number
    in the smaller one, unless it is new, and for each process the new numbers of its locations."""

    processes: Mapping[int, int]
    variables: Mapping[int, int]
    channels: Mapping[int, int]
    locations: Mapping[int, Mapping[int, int]]

    def state(self, system: System, state: State) -> State:
        """A state of the smaller system in the larger one. A value for which the smaller one had no variable is lost:
        good enough for a sample, not for a search."""
        return State(
            tuple(
                self.locations[number].get(state.locations[self.processes[number]], process.initial)
                if number in self.processes
                else process.initial
                for number, process in enumerate(system.processes)
            ),
            tuple(
                state.values[self.variables[number]] if number in self.variables else variable.initial
                for number, variable in enumerate(system.variables)
            ),
            tuple(
                state.channels[self.channels[number]] if number in self.channels else ()
                for number in range(len(system.channels))
            ),
        )


def kept_parts(smaller: Model, larger: Model) -> Kept:
    """The names of parts, as users know them, do not change when a model grows."""
    small, large = smaller.system, larger.system
    processes = {number: number for number in range(len(small.processes)) if number != small.claim}
    if small.claim is not None and large.claim is not None:
        processes[large.claim] = small.claim
    return Kept(
        processes,
        _matched(_variables(smaller), _variables(larger)),
        _matched([each.name for each in small.channels], [each.name for each in large.channels]),
        {
            new: _matched(large.processes[new].locations, small.processes[old].locations)
            for new, old in processes.items()
        },
    )


def _matched(old: Sequence[Hashable], new: Sequence[Hashable]) -> dict[int, int]:
    """For each new thing the number of the old one that is called the same, if there is one."""
    numbers = {name: number for number, name in enumerate(old)}
    return {number: numbers[name] for number, name in enumerate(new) if name in numbers}


def _variables(model: Model) -> list[Hashable]:
    """What variables are called; two blocks of a process may each declare one of the same name."""
    called: Counter[Hashable] = Counter()
    result: list[Hashable] = []
    for number, variable in enumerate(model.system.variables):
        name = model.vocabulary.variable(model.system, number), variable.type, variable.length
        called[name] += 1
        result.append((*name, called[name]))
    return result


def _grown(model: Model, needs: list[tuple[str, State]]) -> Model:
    assert model.growth is not None
    larger = model.growth.grown(needs)
    if not model.identity:
        return larger
    asked = (f"{need} {state.locations}" for need, state in needs)
    return larger.identified(disk_cache.key_of(model.identity, *asked))


def remember(model: Model, grown: Model) -> None:
    """Let the next search of a model start with the size it has grown to."""
    if model.identity and grown is not model:
        disk_cache.keep(_key(model), grown)


def _key(model: Model) -> str:
    return disk_cache.key_of("grown", model.identity, model.path)
