"""Limits: how much memory, time and depth a search may use, and how they are written."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from scrimp.arguments import MOST
from scrimp.errors import OptionError

_BYTES = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}
_SECONDS = {"": 1.0, "ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What a search may use before it must end.

    Attributes:
        memory: of the process that searches, in bytes; None: 80% of the available memory.
        time: in seconds.
        depth: in steps.
        disk: the bytes that states may take on disk; None: half of what is free there.
        spill: the folder for them; None: the one for temporary files.
    """

    memory: int | None = None
    time: float | None = None
    depth: int | None = None
    disk: int | None = None
    spill: Path | None = None

    def __post_init__(self) -> None:
        for name, value in (("memory", self.memory), ("time", self.time), ("depth", self.depth)):
            if value is None:
                continue
            if not isinstance(value, int | float) or not 0 < value < float("inf"):
                raise OptionError(f"{name}: the limit must be positive and finite, found {value!r}")
            if name != "time" and (not isinstance(value, int) or value > MOST):
                raise OptionError(f"{name}: the limit must be a whole number up to {MOST}, found {value}")
        if self.disk is not None and (not isinstance(self.disk, int) or not 0 <= self.disk <= MOST):
            raise OptionError(f"disk: the limit must be a whole number from 0 to {MOST}, found {self.disk!r}")
        if self.spill is not None and not (self.spill.is_dir() and os.access(self.spill, os.W_OK)):
            raise OptionError(f"spill: '{self.spill}' is not a folder that can be written to")


def parse_bytes(text: str) -> int:
    """`64M` as bytes; K, M, G and T count in powers of 1024."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?", text.strip(), re.IGNORECASE)
    if match is None:
        raise OptionError(f"expected an amount of memory such as 64M or 2G, found '{text}'")
    return int(float(match[1]) * _BYTES[match[2].upper()])


def parse_seconds(text: str) -> float:
    """`90`, `10m` or `1h30m` as seconds."""
    parts = re.findall(r"(\d+(?:\.\d+)?)(ms|[smhd]?)", text.strip())
    if not parts or "".join(number + unit for number, unit in parts) != text.strip():
        raise OptionError(f"expected a time such as 30s, 10m or 1h30m, found '{text}'")
    return sum(float(number) * _SECONDS[unit] for number, unit in parts)
