"""Compile models in this process: a campaign that compiles thousands of small ones need not start one for each."""

from __future__ import annotations

from scrimp.machine import compiler
from scrimp.machine.compiler import Code
from scrimp.machine.compiler_program import compile_object, extract


class CompilerHere(compiler.Compiler):
    """The same compiler without its process. A crash of LLVM would end the campaign: nobody could miss it."""

    def __init__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        pass

    def compile(self, text: str, *, quickly: bool = False) -> Code:
        return Code(*extract(compile_object(text, quickly)))


def compile_here() -> None:
    """From now on, in this process."""
    compiler.Compiler = CompilerHere  # type: ignore[misc]
