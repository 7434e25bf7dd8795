"""The Python mirror of the machine's interface agrees with the C++ header."""

from __future__ import annotations

import ctypes
import re
from pathlib import Path
from typing import Any

from scrimp.machine import abi

HEADER = (Path(__file__).resolve().parents[2] / "engine" / "core" / "machine.h").read_text()
_KINDS = {
    "std::uint32_t": ctypes.c_uint32,
    "const std::uint8_t*": ctypes.POINTER(ctypes.c_uint8),
    "const std::uint32_t*": ctypes.POINTER(ctypes.c_uint32),
    "const void*": ctypes.c_void_p,
    "Functions": abi.Functions,
}
_RESULTS = {"void": None, "std::uint64_t": ctypes.c_uint64, "std::uint32_t": ctypes.c_uint32}


def _body(struct: str) -> str:
    body = HEADER[HEADER.index(f"struct {struct} {{") :]
    return re.sub(r"//.*", "", body[: body.index("\n};")])


def _members(struct: str) -> list[tuple[str, object]]:
    """The members of a struct that take room: their names and types."""
    return [
        (name, _KINDS[kind]) for kind, name in re.findall(r"^  ([\w:* ]+?) (\w+) = .*;", _body(struct), re.MULTILINE)
    ]


def _functions() -> dict[str, tuple[object, tuple[object, ...]]]:
    """The types of the functions' results and parameters."""
    found = re.findall(r"(\S+) \(\*(\w+)\)\(([^)]*)\) = nullptr;", _body("Functions"))
    return {
        name: (_RESULTS[result], tuple(ctypes.c_void_p if "*" in p else ctypes.c_uint32 for p in parameters.split(",")))
        for result, name, parameters in found
    }


def test_a_machine_has_the_same_members_of_the_same_types_in_the_same_order() -> None:
    assert _members("Machine") == list(abi.Machine._fields_)


def test_the_functions_are_the_same_in_the_same_order() -> None:
    assert list(_functions()) == [name for name, _ in abi.Functions._fields_]


def test_the_functions_have_the_same_types_and_are_given_the_context_first() -> None:
    mirror: dict[str, Any] = dict(abi.Functions._fields_)
    for name, (result, parameters) in _functions().items():
        assert (mirror[name]._restype_, mirror[name]._argtypes_) == (result, parameters)
    assert _body("Functions").count("(const void* context, ") == len(mirror)


def test_the_flags_are_the_same() -> None:
    shifts = {name: int(shift) for name, shift in re.findall(r"EventId (\w+) = 1u << (\d+);", HEADER)}
    assert shifts.keys() == {
        "fault_flag",
        "misfit_flag",
        "failed_flag",
        "atomic_flag",
    }
    for name, shift in shifts.items():
        assert 1 << shift == getattr(abi, name.upper())
    assert "event_mask = atomic_flag - 1;" in HEADER
    assert abi.EVENT_MASK == abi.ATOMIC_FLAG - 1


def test_the_numbers_that_stand_for_several_processes_are_the_same() -> None:
    assert "std::uint32_t anybody = ~std::uint32_t{0};" in HEADER
    assert abi.ANYBODY == (1 << 32) - 1
    assert abi.PROGRAM == abi.ANYBODY - 1


def test_the_number_that_stands_for_too_many_edges_is_the_same() -> None:
    assert "std::uint32_t saturated = ~std::uint32_t{0};" in HEADER
    assert abi.SATURATED == (1 << 32) - 1
