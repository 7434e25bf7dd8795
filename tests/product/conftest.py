"""Models are compiled in this process: starting a compiler for each of thousands of systems takes most of the time.

The tests of the machine check that the usual compiler, in a separate process, gives the same code.
"""

from __future__ import annotations

import pytest

from scrimp.machine.compiler import Code
from scrimp.machine.compiler_program import compile_object, extract


class CompilerInThisProcess:
    def __enter__(self) -> CompilerInThisProcess:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def compile(self, text: str, *, quickly: bool = False) -> Code:
        return Code(*extract(compile_object(text)))


@pytest.fixture(autouse=True)
def _compile_in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scrimp.machine.compiler.Compiler", CompilerInThisProcess)
