"""The tools that scrimp is compared with: SPIN in plain mode, as in the laboratory, with room for millions of states in
the table and on the stack; SPIN with `-DCOLLAPSE`, whose compression is comparable to our `tree`; other builds of
scrimp.
"""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path

from scrimp.laboratory.peers.adapter import Adapter, Number, spin
from scrimp.laboratory.searching import command_line
from scrimp.laboratory.task import Task

SPIN = replace(spin(), run="./pan -c0 -n -m10000000 -w26")
COLLAPSE = replace(SPIN, name="spin collapse", prepare=(*SPIN.prepare[:-1], f"{SPIN.prepare[-1]} -DCOLLAPSE"))

# Patterns for the lines of the JSON record that have its top-level fields.
NUMBERS = {
    name: Number(rf'(?m)^  "{name}": ([\d.e+-]+)')
    for name in ("states", "visits", "transitions", "seconds", "bytes_peak", "bytes_per_state")
}


def other_build(python: Path, method: str, options: tuple[str, ...]) -> Adapter:
    """Another environment's scrimp with one method, as a peer: it is run by the same command as ours."""
    command = [str(python), *command_line(Task("{model}", method, options))[1:]]
    return Adapter(name=of_other_build(method), suffixes=(), run=shlex.join(command), numbers=NUMBERS)


def of_other_build(method: str) -> str:
    return f"other {method.replace('/', ' ')}"  # with a slash it would be one of our own methods
