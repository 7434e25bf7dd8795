"""The cache returns what was stored, or nothing; it never fails and never grows without limit."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from scrimp import disk_cache

KEY = disk_cache.key_of("some", "thing")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    chosen = tmp_path / "cache"
    monkeypatch.delenv("SCRIMP_CACHE", raising=False)
    monkeypatch.setenv("SCRIMP_CACHE_DIR", str(chosen))
    return chosen


def test_a_stored_value_is_loaded() -> None:
    disk_cache.store(KEY, b"content")
    assert disk_cache.load(KEY) == b"content"


def test_a_value_that_was_not_stored_is_not_loaded() -> None:
    assert disk_cache.load(KEY) is None


def test_keys_of_different_parts_differ() -> None:
    assert disk_cache.key_of("ab", "c") != disk_cache.key_of("a", "bc")


def test_a_damaged_entry_counts_as_missing(folder: Path) -> None:
    disk_cache.store(KEY, b"content")
    entry = folder / KEY
    entry.write_bytes(entry.read_bytes()[:-1] + b"x")
    assert disk_cache.load(KEY) is None


def test_an_entry_that_is_not_a_pickle_counts_as_missing() -> None:
    disk_cache.store(KEY, b"no pickle")
    assert disk_cache.recall(KEY) is None


def test_a_value_is_computed_once() -> None:
    calls: list[int] = []

    def compute() -> str:
        calls.append(1)
        return "value"

    assert [disk_cache.remember(KEY, compute), disk_cache.remember(KEY, compute)] == ["value", "value"]
    assert len(calls) == 1


@dataclass(frozen=True, slots=True)
class Leaf:
    value: int


@dataclass(frozen=True, slots=True)
class Pair:
    left: Leaf
    right: object = None


@dataclass(frozen=True, slots=True)
class Doubled:
    """Its constructor would double the value again."""

    value: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "value", 2 * self.value)


@dataclass(frozen=True, slots=True)
class Counted:
    """Its constructor does not take all fields."""

    value: int
    count: int = field(init=False, default=0)


@pytest.mark.parametrize("value", [Pair(Leaf(1), (Leaf(2), [Leaf(3)])), Doubled(4), Counted(5)], ids=type)
def test_a_dataclass_is_recalled_as_it_was_kept(value: object) -> None:
    disk_cache.keep(KEY, value)
    assert disk_cache.recall(KEY) == value


def test_a_part_that_two_values_share_is_recalled_once() -> None:
    leaf = Leaf(1)
    disk_cache.keep(KEY, Pair(leaf, leaf))
    found = disk_cache.recall(KEY)
    assert isinstance(found, Pair)
    assert found.left is found.right


def test_a_cache_that_is_off_stores_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCRIMP_CACHE", "off")
    disk_cache.store(KEY, b"content")
    assert disk_cache.load(KEY) is None
    assert not folder.exists()


def test_a_folder_that_cannot_be_created_is_not_an_error(folder: Path) -> None:
    folder.write_text("a file where the folder should be")
    disk_cache.store(KEY, b"content")
    assert disk_cache.load(KEY) is None


def test_nothing_but_entries_is_left_behind(folder: Path) -> None:
    disk_cache.store(KEY, b"content")
    assert os.listdir(folder) == [KEY]


def test_the_oldest_entries_go_first(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk_cache, "_MOST_BYTES", 500)
    monkeypatch.setattr(disk_cache, "_KEYS_THAT_EVICT", "")
    keys = [disk_cache.key_of(str(number)) for number in range(5)]
    for age, key in enumerate(reversed(keys)):
        disk_cache.store(key, b"x" * 100)
        os.utime(folder / key, (1_000 + age, 1_000 + age))
    disk_cache.store(KEY, b"x" * 100)
    assert [disk_cache.load(key) is not None for key in keys] == [True, True, False, False, False]
    assert disk_cache.load(KEY) is not None


def test_a_value_that_is_nested_too_deeply_is_computed_every_time(folder: Path) -> None:
    def deep() -> list[object]:
        value: list[object] = []
        for _ in range(100_000):
            value = [value]
        return value

    assert len(disk_cache.remember(KEY, deep)) == 1
    assert disk_cache.recall(KEY) is None
