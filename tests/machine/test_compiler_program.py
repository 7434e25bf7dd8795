"""The compiler returns self-contained bytes, or says why it cannot."""

from __future__ import annotations

import pytest
from tests.machine.systems import assign, step, system, variable
from tests.random_systems import random_system

from scrimp.machine.compiler import Compiler, CompilerFailed, compilers_wait, dismiss, hired
from scrimp.machine.compiler_program import NotSelfContained, compile_object, extract
from scrimp.machine.emit import emit
from scrimp.machine.layout import lay_out
from scrimp.machine.ranges import static_ranges
from scrimp.system.expressions import Binary, Constant, Read

TRIVIAL = 'define void @initial(ptr %state) "no-jump-tables"="true" { ret void }\n'


def test_the_child_returns_code_and_entries() -> None:
    with Compiler() as compiler:
        code = compiler.compile(TRIVIAL)
    assert code.entries == {"initial": 0}
    assert len(code.code) > 0


def test_the_child_gives_the_same_bytes_as_the_compiler_itself() -> None:
    model = random_system(1)
    text = emit(model, lay_out(model, static_ranges(model)), ())
    with Compiler() as compiler:
        code = compiler.compile(text)
    assert (code.code, code.entries) == extract(compile_object(text))


def test_a_refusal_is_reported_with_the_message_of_the_compiler() -> None:
    with Compiler() as compiler, pytest.raises(CompilerFailed, match="expected instruction opcode"):
        compiler.compile("define void @initial() { nonsense }\n")


def test_a_compiler_compiles_several_texts() -> None:
    with Compiler() as compiler:
        first, second = compiler.compile(TRIVIAL), compiler.compile(TRIVIAL.replace("initial", "successors"))
    assert (list(first.entries), list(second.entries)) == (["initial"], ["successors"])


def test_a_compiler_optimises_unless_it_is_to_be_quick() -> None:
    model = random_system(1)
    text = emit(model, lay_out(model, static_ranges(model)), ())
    with Compiler() as compiler:
        quick, optimised = compiler.compile(text, quickly=True), compiler.compile(text)
    assert (quick.code, quick.entries) == extract(compile_object(text, is_quick=True))
    assert len(optimised.code) < len(quick.code)


def test_after_a_refusal_the_next_compiler_is_another_one() -> None:
    with compilers_wait():
        with pytest.raises(CompilerFailed), hired() as compiler:
            compiler.compile("nonsense")
        with hired() as another:
            assert another.compile(TRIVIAL).entries == {"initial": 0}
        assert another is not compiler


def test_a_compiler_waits_for_another_text_until_it_is_dismissed() -> None:
    with compilers_wait():
        with hired() as first:
            first.compile(TRIVIAL)
        with hired() as second:
            assert second is first
        assert first._child.returncode is None
        dismiss()
        assert first._child.returncode == 0
        with hired() as third:
            assert third is not first
    assert third._child.returncode == 0


def test_a_compiler_does_not_wait_unless_that_is_asked_for() -> None:
    with hired() as compiler:
        compiler.compile(TRIVIAL)
    assert compiler._child.returncode == 0


def test_a_compiler_that_is_interrupted_is_killed() -> None:
    with pytest.raises(KeyboardInterrupt), hired() as compiler:
        raise KeyboardInterrupt
    assert compiler._child.returncode is not None
    assert compiler._child.returncode < 0


def test_a_compiler_that_is_not_needed_is_ended() -> None:
    with Compiler() as compiler:
        child = compiler._child
    assert child.returncode is not None


@pytest.mark.parametrize(
    "text",
    [
        "@table = constant [2 x i64] [i64 3, i64 4]\n"
        "define i64 @watch(ptr %state) { %v = load i64, ptr %state %p = getelementptr i64, ptr @table, i64 %v "
        "%r = load i64, ptr %p ret i64 %r }\n",
        "declare i64 @elsewhere(i64)\ndefine i64 @watch(ptr %state) { %r = call i64 @elsewhere(i64 1) ret i64 %r }\n",
    ],
    ids=["data", "foreign function"],
)
def test_code_with_external_references_is_refused(text: str) -> None:
    with pytest.raises(NotSelfContained):
        extract(compile_object(text))


def test_the_code_of_large_models_is_self_contained_too() -> None:
    locations = 40
    transitions = [
        step(
            assign(number % 9, Binary("+", Read(number % 9), Constant(number)), None),
            source=number % locations,
            target=(number + 1) % locations,
        )
        for number in range(1_500)
    ]
    model = system([variable(0) for _ in range(9)], transitions, locations=(locations,))
    _, entries = extract(compile_object(emit(model, lay_out(model, static_ranges(model)), ())))
    assert set(entries) == {"initial", "successors"}
