"""Memory limits in a process that already holds much memory, such as a notebook's: they limit what the search adds."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

MODELS = Path(__file__).parents[2] / "models"
HELD = 300

HOST = f"""
import scrimp
from scrimp.memory import resident_bytes

data = bytearray(b"x") * ({HELD} * 2**20)
held = resident_bytes()
assert held > {HELD} * 2**20
"""


def ran(program: str) -> str:
    command = [sys.executable, "-c", HOST + program]
    return subprocess.run(command, capture_output=True, text=True, check=True, cwd=MODELS).stdout


def test_a_limit_below_what_the_host_holds_is_enough_for_a_small_search() -> None:
    assert ran('print(scrimp.check("peterson.dve", memory="100M").verdict)') == "PROVED\n"


def test_a_search_adds_no_more_than_its_limit() -> None:
    program = """
added = 0
def watch(progress):
    global added
    added = max(added, resident_bytes() - held)

model = scrimp.load("sliding_window.dve", defines={"MODULUS": 6, "WINDOW": 5, "CAPACITY": 3})
held = resident_bytes()
result = scrimp.explore(model, memory="60M", progress=watch)
print(result.ending.value, max(added, resident_bytes() - held) < 60 * 2**20, result.statistics.bytes_peak > 20 * 2**20)
"""
    assert ran(program) == "memory True True\n"


def test_a_limit_of_the_whole_process_counts_what_the_host_holds() -> None:
    program = """
try:
    scrimp.check("peterson.dve", memory=scrimp.WholeProcess("100M"))
except scrimp.OptionError as error:
    print(error)
"""
    assert ran(program).startswith("--memory: a limit of 100M is too small: the interpreter and")


def test_a_limit_that_is_too_small_is_refused_with_the_memory_needed() -> None:
    program = """
try:
    scrimp.check("peterson.dve", memory="1M")
except scrimp.OptionError as error:
    print(error)
"""
    assert ran(program).startswith("memory: a limit of 1M is too small: this model alone needs ")
