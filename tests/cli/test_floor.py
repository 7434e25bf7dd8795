"""The memory limit is one on the process that searches, measured from outside; hardly any of it is lost."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.cli.conftest import Scrimp
from tests.processes import most_resident_bytes, wait_until_searching

COMMAND = [sys.executable, "-m", "scrimp.cli"]
MIB = 2**20
# Pages of the program itself count as well, but only those that the system holds in memory: up to 2.6 MiB of them.
SEARCHING_IN_8_MIB = 4 * MIB


def test_the_process_that_searches_stays_within_the_limit(folder: Path) -> None:
    method = ["--order=dfs", "--store=cache", "--depth=1000"]
    command = [*COMMAND, "explore", "endless.dve", *method, "--memory=8M", "--json=-"]
    search = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    child = wait_until_searching(search, least=SEARCHING_IN_8_MIB)
    seen = most_resident_bytes(child)
    search.send_signal(signal.SIGINT)
    record = json.loads(search.communicate(timeout=60)[0])
    assert SEARCHING_IN_8_MIB <= seen <= 8 * MIB
    assert record["rss_peak"] <= 8 * MIB


@pytest.mark.parametrize("memory", [8, 16])
@pytest.mark.parametrize("method", ["--store=full", "--store=full:compress=cleary", "--order=dfs", "--store=snapshots"])
def test_a_search_that_takes_all_the_memory_there_is_stays_within_the_limit(
    scrimp_process: Scrimp, memory: int, method: str
) -> None:
    ran = scrimp_process("explore", "endless.dve", method, f"--memory={memory}M", "--time=5s", "--json=-")
    assert json.loads(ran.out)["rss_peak"] <= memory * MIB


def test_of_64_mib_60_are_left_to_states(scrimp_process: Scrimp) -> None:
    record = json.loads(scrimp_process("explore", "endless.dve", "--order=dfs", "--memory=64M", "--json=-").out)
    assert record["ending"] == "memory"
    assert sum(record["bytes_by_part"].values()) > 58 * MIB
    assert record["rss_peak"] <= 64 * MIB


def test_a_small_model_is_proved_within_8_mib(scrimp_process: Scrimp) -> None:
    assert scrimp_process("check", "lock.dve", "--memory=8M", "-q").code == 0


def test_a_limit_that_is_too_small_names_the_smallest_which_suffices(scrimp_process: Scrimp) -> None:
    refused = scrimp_process("check", "lock.dve", "--memory=2M", "--threads=1")
    assert refused.code == 2
    smallest = refused.err.split()[-1]
    assert scrimp_process("check", "lock.dve", f"--memory={smallest}", "--threads=1", "-q").code == 0


def test_if_the_command_is_killed_the_search_ends(folder: Path) -> None:
    search = subprocess.Popen(
        [*COMMAND, "check", "endless.dve", "--as-written", "--memory=1G"], stdout=subprocess.DEVNULL
    )
    child = wait_until_searching(search)
    search.kill()
    search.wait()
    while is_running(child):  # if it never ends, the test takes too long
        pass


def is_running(pid: int) -> bool:
    """A process that has ended may stay as a zombie in a container without an init process."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


def test_if_the_search_is_killed_the_command_says_so(folder: Path) -> None:
    search = subprocess.Popen(
        [*COMMAND, "check", "endless.dve", "--as-written", "--memory=1G"], stderr=subprocess.PIPE, text=True
    )
    os.kill(wait_until_searching(search), signal.SIGKILL)
    _, err = search.communicate(timeout=20)
    assert search.returncode == 2
    assert err.startswith("scrimp: error: the search was killed from outside, perhaps because the system ran out of ")


def test_an_interrupt_of_the_search_ends_it_with_a_report(folder: Path) -> None:
    search = subprocess.Popen(
        [*COMMAND, "check", "endless.dve", "--as-written", "--memory=1G", "-q"], stdout=subprocess.PIPE, text=True
    )
    os.kill(wait_until_searching(search), signal.SIGTERM)
    out, _ = search.communicate(timeout=20)
    assert (search.returncode, out) == (
        3,
        "UNDETERMINED  the search was interrupted before all states were visited\n",
    )


@pytest.fixture
def group_of_64_mib() -> Iterator[Path]:
    """A control group whose limit is 64 MiB."""
    for parent, limit in (
        (Path("/sys/fs/cgroup/memory"), "memory.limit_in_bytes"),
        (Path("/sys/fs/cgroup"), "memory.max"),
    ):
        group = parent / f"scrimp-test-{os.getpid()}"
        try:
            group.mkdir()
        except OSError:
            continue
        try:
            (group / limit).write_text(str(64 * MIB))
            yield group
        except OSError:
            continue
        else:
            return
        finally:
            group.rmdir()
    pytest.skip("no control group can be made here")


def test_in_a_control_group_of_64_mib_nothing_is_killed(folder: Path, group_of_64_mib: Path) -> None:
    subprocess.run([*COMMAND, "compile", "endless.dve"], check=True, stdout=subprocess.DEVNULL)
    join = f"echo $$ > {group_of_64_mib}/cgroup.procs && exec "
    command = join + " ".join([*COMMAND, "explore", "endless.dve", "--store=full", "--memory=64M", "-q"])
    ran = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (3, "")
    assert ran.stdout.startswith("UNFINISHED  the memory limit was reached")
