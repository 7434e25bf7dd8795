"""The variants of the engine, each for a kind of processor, and the fastest that this machine supports."""

from __future__ import annotations

import os
import re
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from scrimp.errors import OptionError


@cache
def variant() -> str:
    """The variant to use; SCRIMP_ENGINE overrides the choice."""
    best = "avx2" if _has_avx2() and _folder("avx2") else "portable"
    chosen = os.environ.get("SCRIMP_ENGINE", best)
    if _folder(chosen) is None:
        raise OptionError(f"SCRIMP_ENGINE={chosen}: there is no such engine (choices: portable, avx2, if installed)")
    return chosen


@cache
def runner() -> Path:
    """The program that searches."""
    folder = _folder(variant())
    assert folder is not None
    return folder / f"runner_{variant()}"


def _folder(name: str) -> Path | None:
    """Where the module of a variant is, and its runner beside it; None if there is no such variant."""
    found = find_spec(f"scrimp._engine_{name}")
    return None if found is None or found.origin is None else Path(found.origin).parent


def _has_avx2() -> bool:
    try:
        return re.search(r"^flags\s*:.*\bavx2\b", Path("/proc/cpuinfo").read_text(), re.MULTILINE) is not None
    except OSError:
        return False
