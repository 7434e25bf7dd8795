"""From LLVM assembly to machine code, by the compiler in its child process."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

_PROGRAM = Path(__file__).with_name("compiler_program.py")


class CompilerFailed(RuntimeError):
    """The compiler refused our code or crashed: a bug in scrimp, never in the model."""


@dataclass(frozen=True, slots=True)
class Code:
    """Position-independent code and the offsets of its entries; `rss_peak` is the most bytes that its compiler held."""

    code: bytes
    entries: dict[str, int]
    rss_peak: int = 0


class Compiler:
    """A compiler process that starts at once and waits for a text: its start-up costs nothing while the text is
    generated."""

    def __init__(self) -> None:
        # -P: the program's folder has modules whose names must not shadow others.
        self._child = subprocess.Popen(
            [sys.executable, "-P", str(_PROGRAM)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def __enter__(self) -> Compiler:
        return self

    def __exit__(self, *_: object) -> None:
        if self._child.poll() is None:
            self._child.kill()
            self._child.communicate()

    def compile(self, text: str) -> Code:
        """Compile a module, once; raises CompilerFailed."""
        output, said = self._child.communicate(text.encode())
        if self._child.returncode != 0:
            message = said.decode(errors="replace").strip() or "nothing"
            raise CompilerFailed(f"the compiler ended with status {self._child.returncode} and said: {message}")
        header, code = output.split(b"\n", 1)
        return Code(code, **json.loads(header))
