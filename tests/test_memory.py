"""The available memory is the smallest limit of the control groups that the process is in."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from scrimp.memory import control_group_limits


def limits(folder: Path, membership: str, files: Mapping[str, str]) -> list[int]:
    """The limits found if /proc/self/cgroup has this text and these files are under /sys/fs/cgroup."""
    for name, content in files.items():
        file = folder / "mounted" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content)
    (folder / "cgroup").write_text(membership)
    return list(control_group_limits(folder / "cgroup", folder / "mounted"))


def test_a_nested_group_of_version_2_counts_with_all_that_contain_it(tmp_path: Path) -> None:
    files = {
        "user.slice/memory.max": "3000\n",
        "user.slice/job/memory.max": "1000\n",
        "user.slice/job/part/memory.max": "max\n",
        "other/memory.max": "1\n",
    }
    assert limits(tmp_path, "0::/user.slice/job/part\n", files) == [1000, 3000]


def test_a_nested_group_of_version_1_counts_with_all_that_contain_it(tmp_path: Path) -> None:
    files = {"memory/memory.limit_in_bytes": "9223372036854771712", "memory/job/memory.limit_in_bytes": "1000"}
    assert limits(tmp_path, "5:cpu,cpuacct:/x\n4:memory:/job/part\n", files) == [1000, 9223372036854771712]


@pytest.mark.parametrize("group", ["/docker/0123", "/../../docker/0123", "/"])
def test_in_a_container_whose_group_is_not_mounted_the_root_counts(tmp_path: Path, group: str) -> None:
    assert limits(tmp_path, f"0::{group}\n", {"memory.max": "1000"}) == [1000]


def test_without_control_groups_there_is_no_limit(tmp_path: Path) -> None:
    assert list(control_group_limits(tmp_path / "missing", tmp_path)) == []


def test_a_malformed_line_is_skipped(tmp_path: Path) -> None:
    assert limits(tmp_path, "nonsense\n0::/job\n", {"job/memory.max": "1000"}) == [1000]
