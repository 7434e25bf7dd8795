"""The setup of a search: which system it searches, and the layout of its states. It is part of every checkpoint, so
that a search is resumed with states that mean the same, on any machine."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from scrimp import disk_cache
from scrimp.errors import OptionError
from scrimp.frontends.model import Model
from scrimp.machine.build import Native
from scrimp.machine.nesting import deep_recursion
from scrimp.machine.ranges import Ranges
from scrimp.system.explicit import ExplicitSystem
from scrimp.system.system import System
from scrimp.system.text import print_system


@dataclass(frozen=True, slots=True)
class Setup:
    """What a search started with: the model, which may have grown, room for the values of its system after some
    passes, and how often the layout had changed."""

    model: Model
    ranges: Ranges
    relayouts: int


def system_digest(system: System) -> str:
    """A text that only equal systems have in common, whatever their files are called."""
    if isinstance(system, ExplicitSystem):
        return system.graph.digest
    with deep_recursion():
        return sha256(print_system(replace(system, name="system")).encode()).hexdigest()


def to_bytes(setup: Setup, native: Native) -> bytes:
    ranges = setup.ranges
    record = {
        "system": system_digest(setup.model.system),
        "native": _native_digest(native),
        "plan": None if setup.model.growth is None else setup.model.growth.record(),
        "variables": ranges.variables,
        "messages": ranges.messages,
        "lengths": ranges.lengths,
        "misfits": [[*key, count] for key, count in ranges.misfits.items()],
        "relayouts": setup.relayouts,
    }
    return json.dumps(record).encode()


def grown(model: Model, content: bytes) -> Model:
    """The model of a setup, which may have grown since the search began; refused if it is another one."""
    record = json.loads(content)
    if record["plan"] is not None and model.growth is not None:
        model = _sized(model, record["plan"])
    if system_digest(model.system) != record["system"]:
        raise OptionError(
            f"resume: {model.path} is another model than the one that was searched, or another version of scrimp "
            "reads it differently; the search cannot be resumed"
        )
    return model


def restored(ranges: Ranges, content: bytes) -> tuple[Ranges, int]:
    """The ranges of a setup, which began as `ranges`, and how often they had changed."""
    record = json.loads(content)
    ranges = replace(
        ranges,
        variables=_intervals(record["variables"]),
        messages=tuple(map(_intervals, record["messages"])),
        lengths=tuple(record["lengths"]),
        misfits={(kind, number, place): count for kind, number, place, count in record["misfits"]},
    )
    return ranges, record["relayouts"]


def require_same_code(content: bytes, native: Native, path: str) -> None:
    """Refuse to read states that have another layout, or events that have other numbers."""
    if json.loads(content)["native"] != _native_digest(native):
        raise OptionError(
            f"resume: {path}: another version of scrimp wrote the checkpoint, and its states have another layout"
        )


def _native_digest(native: Native) -> str:
    chains = "" if native.context else repr(native.chains)  # the tables of an explicit system have all its events
    return disk_cache.key_of(repr(native.layout), chains, str(native.transitions))


def _sized(model: Model, plan: Any) -> Model:
    assert model.growth is not None
    if model.growth.record() == plan:
        return model
    sized = model.growth.restored(plan)
    return sized.identified(disk_cache.key_of(model.identity, json.dumps(plan))) if model.identity else sized


def _intervals(pairs: Sequence[Sequence[int]]) -> tuple[tuple[int, int], ...]:
    return tuple((low, high) for low, high in pairs)
