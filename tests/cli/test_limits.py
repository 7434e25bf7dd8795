"""Limits: amounts of memory and time as people write them."""

from __future__ import annotations

from typing import Any

import pytest

from scrimp.errors import OptionError
from scrimp.limits import Limits, parse_bytes, parse_seconds


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("4096", 4096),
        ("64K", 64 * 2**10),
        ("64M", 64 * 2**20),
        ("64m", 64 * 2**20),
        ("1.5G", 3 * 2**29),
        ("2GiB", 2 * 2**30),
        ("2GB", 2 * 2**30),
        ("1T", 2**40),
    ],
)
def test_amounts_of_memory(text: str, value: int) -> None:
    assert parse_bytes(text) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [("90", 90.0), ("90s", 90.0), ("500ms", 0.5), ("1.5", 1.5), ("10m", 600.0), ("1h30m", 5400.0), ("2d", 172800.0)],
)
def test_amounts_of_time(text: str, value: float) -> None:
    assert parse_seconds(text) == value


@pytest.mark.parametrize("text", ["", "M", "64X", "-1M", "1e9", "64 M B", "٣M٣"])
def test_anything_but_an_amount_of_memory_is_refused(text: str) -> None:
    with pytest.raises(OptionError, match="expected an amount of memory such as 64M or 2G"):
        parse_bytes(text)


@pytest.mark.parametrize("text", ["", "m", "10y", "-1s", "1 h", "1h 30m", "soon"])
def test_anything_but_an_amount_of_time_is_refused(text: str) -> None:
    with pytest.raises(OptionError, match="expected a time such as 30s, 10m or 1h30m"):
        parse_seconds(text)


@pytest.mark.parametrize("limits", [{"memory": 0}, {"time": 0.0}, {"depth": 0}, {"depth": -1}, {"time": float("inf")}])
def test_a_limit_that_allows_nothing_or_all_is_refused(limits: dict[str, Any]) -> None:
    with pytest.raises(OptionError, match="must be positive and finite"):
        Limits(**limits)


@pytest.mark.parametrize("limits", [{"memory": 2**63}, {"memory": 1e8}, {"depth": 2.5}, {"depth": 2**70}])
def test_a_limit_the_engine_cannot_count_to_is_refused(limits: dict[str, Any]) -> None:
    with pytest.raises(OptionError, match="must be a whole number up to 9223372036854775807"):
        Limits(**limits)


def test_a_limit_that_is_a_text_is_refused() -> None:
    with pytest.raises(OptionError, match="memory: the limit must be positive and finite, found '64M'"):
        Limits(memory="64M")  # type: ignore[arg-type]
