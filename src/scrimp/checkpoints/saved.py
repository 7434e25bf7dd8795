"""Checkpoints in a folder, as a search finds them, and the engine's record of what to do about them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from scrimp.checkpoints.folder import Checkpointing
from scrimp.checkpoints.reencoding import Reencoding
from scrimp.checkpoints.setup import Setup, to_bytes
from scrimp.errors import OptionError
from scrimp.machine.build import Native


@dataclass(frozen=True, slots=True)
class Saved:
    """An intact checkpoint."""

    number: int
    setup: bytes


def resumed(checkpoint: Checkpointing | None) -> Saved | None:
    """The checkpoint to go on from; None if there is none, so that the search starts at the beginning."""
    if checkpoint is None or not checkpoint.resumes:
        return None
    saved, complaints = _latest(checkpoint)
    if saved is None and complaints:
        raise OptionError(f"resume: {'; '.join(complaints)}: no checkpoint is intact, so the search cannot be resumed")
    return saved


def left_behind(checkpoint: Checkpointing | None, setup: Setup, native: Native) -> Saved | None:
    """The checkpoint that a breadth-first search left behind when a value did not fit, if its states can be
    translated."""
    if checkpoint is None:
        return None
    saved, _ = _latest(checkpoint)
    return saved if saved is not None and saved.setup == to_bytes(setup, native) else None


def checkpoint_record(
    asked: Checkpointing, setup: Setup, native: Native, saved: Saved | None, wider: Reencoding | None
) -> dict[str, Any]:
    """What the engine is to do: see `checkpoint_options_of` in engine/wire/tables.h."""
    return {
        "folder": str(asked.folder),
        "every": asked.every,
        "setup": to_bytes(setup, native),
        "resume": None if saved is None else saved.number,
        "reencoding": wider,
    }


def _latest(checkpoint: Checkpointing) -> tuple[Saved | None, list[str]]:
    from scrimp._engine import survey_checkpoints

    latest, complaints = survey_checkpoints(str(checkpoint.folder))
    return None if latest is None else Saved(latest[0], latest[2]), complaints
