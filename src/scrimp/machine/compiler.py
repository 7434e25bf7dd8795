"""From LLVM assembly to code, by the compiler in its child process."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

_PROGRAM = Path(__file__).with_name("compile.py")


class CompilerFailed(RuntimeError):
    """The compiler refused our code or crashed: a defect of ours, never of the model."""


@dataclass(frozen=True, slots=True)
class Code:
    """Position-independent code and the offsets of its entries."""

    code: bytes
    entries: dict[str, int]


def compile_text(text: str) -> Code:
    """Compile a module; raises CompilerFailed."""
    # -P: the folder of the program holds modules whose names must not hide others'.
    child = subprocess.run([sys.executable, "-P", str(_PROGRAM)], input=text.encode(), capture_output=True, check=False)
    if child.returncode != 0:
        said = child.stderr.decode(errors="replace").strip() or "nothing"
        raise CompilerFailed(f"the compiler ended with status {child.returncode} and said: {said}")
    header, code = child.stdout.split(b"\n", 1)
    return Code(code, json.loads(header))
