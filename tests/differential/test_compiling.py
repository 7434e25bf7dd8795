"""What campaigns compile in their own process is what scrimp compiles in another."""

from __future__ import annotations

from pathlib import Path

from tests.differential.compiling import CompilerHere

import scrimp
from scrimp.machine.compiler import Compiler
from scrimp.machine.emit import emit
from scrimp.machine.layout import lay_out
from scrimp.machine.ranges import initial_ranges


def test_both_compilers_make_the_same_code(tmp_path: Path) -> None:
    path = tmp_path / "model.pml"
    path.write_text("byte x; active [2] proctype P() { do :: x < 9 -> x++ :: x > 3 -> x = 0 od }")
    system = scrimp.load(path).system
    text = emit(system, lay_out(system, initial_ranges(system)))
    with Compiler() as usual, CompilerHere() as here:
        expected, found = usual.compile(text), here.compile(text)
    assert (found.code, found.entries) == (expected.code, expected.entries)
