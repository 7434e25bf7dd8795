"""Memory limits in a process that already holds much memory, such as a notebook's: they limit the process that
searches, which is another one."""

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
assert resident_bytes() > {HELD} * 2**20
"""


def ran(program: str) -> str:
    command = [sys.executable, "-c", HOST + program]
    return subprocess.run(command, capture_output=True, text=True, check=True, cwd=MODELS).stdout


def test_what_the_host_holds_does_not_count() -> None:
    program = """
result = scrimp.check("peterson.dve", memory="8M")
print(result.verdict, result.statistics.rss_peak < 8 * 2**20)
"""
    assert ran(program) == "PROVED True\n"


def test_a_search_does_not_add_to_what_the_host_holds() -> None:
    program = """
model = scrimp.load("sliding_window.dve", defines={"MODULUS": 6, "WINDOW": 5, "CAPACITY": 3})
scrimp.explore(model, depth=1)
held = resident_bytes()
result = scrimp.explore(model, store="full", memory="60M")
print(result.ending.value, resident_bytes() - held < 2**21, result.statistics.rss_peak < 60 * 2**20)
"""
    assert ran(program) == "memory True True\n"


def test_a_limit_that_is_too_small_is_refused_with_the_memory_needed() -> None:
    program = """
try:
    scrimp.check("peterson.dve", memory="1M")
except scrimp.OptionError as error:
    print(error)
"""
    assert ran(program).startswith("--memory: a limit of 1M is too small for this model and method, which need ")
