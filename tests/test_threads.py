"""By default a search has as many threads as its process can run at once: by its affinity, and by the smallest quota of
the control groups that it is in."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from scrimp.threads import MOST_THREADS, available_threads, processor_quotas, threads_within

NESTED = {
    "user.slice/cpu.max": "400000 100000\n",
    "user.slice/job/cpu.max": "150000 100000\n",
    "user.slice/job/part/cpu.max": "max 100000\n",
    "other/cpu.max": "10000 100000\n",
}
VERSION_1 = {
    "cpu/cpu.cfs_quota_us": "-1\n",
    "cpu/cpu.cfs_period_us": "100000\n",
    "cpu/job/cpu.cfs_quota_us": "50000\n",
    "cpu/job/cpu.cfs_period_us": "20000\n",
}


def quotas(folder: Path, membership: str, files: Mapping[str, str]) -> list[float]:
    """The quotas found if /proc/self/cgroup has this text and these files are under /sys/fs/cgroup."""
    for name, content in files.items():
        file = folder / "mounted" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content)
    (folder / "cgroup").write_text(membership)
    return list(processor_quotas(folder / "cgroup", folder / "mounted"))


def test_a_nested_group_of_version_2_counts_with_all_that_contain_it(tmp_path: Path) -> None:
    assert quotas(tmp_path, "0::/user.slice/job/part\n", NESTED) == [1.5, 4.0]


def test_a_nested_group_of_version_1_counts_with_all_that_contain_it(tmp_path: Path) -> None:
    assert quotas(tmp_path, "5:cpu,cpuacct:/job/part\n4:memory:/x\n", VERSION_1) == [2.5]


@pytest.mark.parametrize("group", ["/docker/0123", "/../../docker/0123", "/"])
def test_in_a_container_whose_group_is_not_mounted_the_root_counts(tmp_path: Path, group: str) -> None:
    assert quotas(tmp_path, f"0::{group}\n", {"cpu.max": "200000 100000\n"}) == [2.0]


@pytest.mark.parametrize("text", ["", "lots", "100000", "0 100000", "100000 0"])
def test_a_malformed_quota_is_no_quota(tmp_path: Path, text: str) -> None:
    assert quotas(tmp_path, "0::/\n", {"cpu.max": text}) == []


def test_without_control_groups_there_is_no_quota(tmp_path: Path) -> None:
    assert list(processor_quotas(tmp_path / "missing", tmp_path)) == []


@pytest.mark.parametrize(
    ("processors", "quotas", "threads"),
    [
        (8, [], 8),
        (8, [4.0], 4),
        (8, [6.0, 2.0, 3.0], 2),
        (2, [4.0], 2),
        (8, [1.5], 1),
        (8, [2.99], 2),
        (8, [0.5], 1),
        (5000, [], MOST_THREADS),
    ],
)
def test_there_are_as_many_threads_as_whole_processors(processors: int, quotas: list[float], threads: int) -> None:
    assert threads_within(processors, iter(quotas)) == threads


def test_a_process_bound_to_one_processor_has_one_thread() -> None:
    program = (
        "import os; os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})\n"
        "from scrimp.threads import available_threads; print(available_threads())"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout == "1\n"


def test_there_are_no_more_threads_than_processors() -> None:
    assert 1 <= available_threads() <= len(os.sched_getaffinity(0))
