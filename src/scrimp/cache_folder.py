"""Where things that can be computed again are kept between runs."""

from __future__ import annotations

import os
from pathlib import Path


def cache_folder() -> Path | None:
    """$SCRIMP_CACHE_DIR, or `scrimp` in the user's cache; None where SCRIMP_CACHE is `off` or the user has no home."""
    if os.environ.get("SCRIMP_CACHE") == "off":
        return None
    chosen = os.environ.get("SCRIMP_CACHE_DIR")
    if chosen:
        return Path(chosen)
    try:
        return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "scrimp"
    except RuntimeError:
        return None
