"""Growth: if a language sets no bounds, a model starts as a small system, which is enlarged when a search needs more.

The enlarged system is kept in the disk cache, so that the next search starts with it.
"""

from __future__ import annotations

from scrimp import disk_cache
from scrimp.frontends.model import Model
from scrimp.machine.sampling import Sampler
from scrimp.system.reference import State, initial


def settled(model: Model) -> Model:
    """The model in the size that it grew to in an earlier search or, without one, that a sample of its states needs."""
    if model.growth is None:
        return model
    known = disk_cache.recall(_key(model)) if model.identity else None
    if isinstance(known, Model):
        return known
    grown = _glanced_at(model)
    if model.identity:
        disk_cache.keep(_key(model), grown)
    return grown


def _glanced_at(model: Model) -> Model:
    """Enlarge the model as long as a sample of its states, by the reference interpreter, needs more room."""
    while True:
        sampler = Sampler(model.system)
        for _ in sampler.states(initial(model.system)):
            pass
        if not sampler.outgrown:
            return model
        model = _grown(model, sampler.outgrown)


def grow(model: Model, need: str, state: State) -> Model:
    """The model, enlarged by what `state` needs."""
    return _grown(model, [(need, state)])


def _grown(model: Model, needs: list[tuple[str, State]]) -> Model:
    assert model.growth is not None
    larger = model.growth.grown(needs)
    if not model.identity:
        return larger
    asked = (f"{need} {state.locations}" for need, state in needs)
    return larger.identified(disk_cache.key_of(model.identity, *asked))


def remember(model: Model, grown: Model) -> None:
    """Let the next search of a model start with the size that it has grown to."""
    if model.identity and grown is not model:
        disk_cache.keep(_key(model), grown)


def _key(model: Model) -> str:
    return disk_cache.key_of("grown", model.identity, model.path)
