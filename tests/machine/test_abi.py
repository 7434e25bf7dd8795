"""The Python mirror of the machine's interface says what the C++ header says."""

from __future__ import annotations

import ctypes
import re
from pathlib import Path
from typing import Any

from scrimp.machine import abi

HEADER = (Path(__file__).resolve().parents[2] / "engine" / "core" / "machine.h").read_text()
_SCALARS = {
    "std::uint32_t": ctypes.c_uint32,
    "const std::uint8_t*": ctypes.POINTER(ctypes.c_uint8),
    "const std::uint32_t*": ctypes.POINTER(ctypes.c_uint32),
}
_RESULTS = {"void": None, "std::uint64_t": ctypes.c_uint64, "std::uint32_t": ctypes.c_uint32}


def _members() -> list[tuple[str, object, tuple[object, ...] | None]]:
    """The members of the struct: name, C type or result type, and the types of the parameters (None: no function)."""
    body = HEADER[HEADER.index("struct Machine {") :]
    lines = [line.split("//")[0].strip() for line in body[: body.index("};")].splitlines()[1:]]
    members: list[tuple[str, object, tuple[object, ...] | None]] = []
    for line in filter(None, lines):
        function = re.fullmatch(r"(\S+) \(\*(\w+)\)\((.*?)\)(?: = nullptr)?;", line)
        if function:
            parameters = tuple(ctypes.c_void_p if "*" in p else ctypes.c_uint32 for p in function[3].split(","))
            members.append((function[2], _RESULTS[function[1]], parameters))
        else:
            scalar = re.fullmatch(r"(.*\S) +(\w+);", line) or re.fullmatch(r"(.*\*) *(\w+);", line)
            assert scalar, line
            members.append((scalar[2], _SCALARS[scalar[1]], None))
    return members


def test_the_struct_has_the_same_members_in_the_same_order() -> None:
    assert [name for name, _, _ in _members()] == [name for name, _ in abi.Machine._fields_]


def test_the_members_have_the_same_types() -> None:
    mirror: dict[str, Any] = dict(abi.Machine._fields_)
    for name, kind, parameters in _members():
        if parameters is None:
            assert mirror[name] is kind
        else:
            function = mirror[name]
            assert function._restype_ is kind
            assert function._argtypes_ == parameters


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


def test_those_who_stand_for_several_processes_are_the_same() -> None:
    assert "std::uint32_t anybody = ~std::uint32_t{0};" in HEADER
    assert abi.ANYBODY == (1 << 32) - 1
    assert abi.PROGRAM == abi.ANYBODY - 1


def test_what_stands_for_too_many_edges_is_the_same() -> None:
    assert "std::uint32_t saturated = ~std::uint32_t{0};" in HEADER
    assert abi.SATURATED == (1 << 32) - 1
