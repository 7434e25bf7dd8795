"""Records of searches, for comparing them."""

from __future__ import annotations

from typing import Any

# Times, sizes of memory and disk, and the number of threads: all that may differ between two runs of the same search.
MEASURED = {
    *("seconds", "compile_seconds", "counted_seconds"),
    *("bytes_peak", "bytes_by_part", "bytes_per_state", "rss_peak", "counted_bytes"),
    *("threads", "disk"),
}


def without_measurements(record: dict[str, Any]) -> dict[str, Any]:
    """A record without the numbers that depend on the machine and on the number of threads."""
    return {
        name: without_measurements(value) if isinstance(value, dict) else value
        for name, value in record.items()
        if name not in MEASURED
    }
