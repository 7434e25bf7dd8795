"""Growth: models whose language knows no bounds start with a small system, which becomes larger as a search needs it.

What a model has grown to is remembered, so that the next search begins with it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrimp import cache

if TYPE_CHECKING:
    from scrimp.frontends.model import Model
    from scrimp.system.reference import State


def grown_before(model: Model) -> Model:
    """The model as large as it once grew."""
    while model.identity and model.growth is not None:
        found = cache.recall(_key(model))
        if found is None:
            return model
        model = found  # type: ignore[assignment]
    return model


def grow(model: Model, need: str, state: State) -> Model:
    """The model with room for what `state` needs."""
    assert model.growth is not None
    larger = model.growth.grown(need, state)
    if model.identity:
        larger = larger.identified(cache.key_of(model.identity, need, str(state.locations)))
        cache.keep(_key(model), larger)
    return larger


def _key(model: Model) -> str:
    return cache.key_of("grown", model.identity)
