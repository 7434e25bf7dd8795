"""The native engine, in the fastest variant that this machine's processor supports. See `_engine.pyi`."""

from __future__ import annotations

import os
import re
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from scrimp.errors import OptionError


def _variant() -> str:
    """The module to load; SCRIMP_ENGINE overrides the choice."""
    best = "avx2" if _has_avx2() and _exists("avx2") else "portable"
    chosen = os.environ.get("SCRIMP_ENGINE", best)
    if not _exists(chosen):
        raise OptionError(f"SCRIMP_ENGINE={chosen}: there is no such engine (choices: portable, avx2, if installed)")
    return f"scrimp._engine_{chosen}"


def _exists(variant: str) -> bool:
    return find_spec(f"scrimp._engine_{variant}") is not None


def _has_avx2() -> bool:
    try:
        return re.search(r"^flags\s*:.*\bavx2\b", Path("/proc/cpuinfo").read_text(), re.MULTILINE) is not None
    except OSError:
        return False


_module = import_module(_variant())
globals().update((name, value) for name, value in vars(_module).items() if not name.startswith("_"))
