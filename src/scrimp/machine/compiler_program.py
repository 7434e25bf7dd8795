"""The compiler: LLVM assembly on standard input, code on standard output, until the input ends. Run as a separate
program, with the folder that llvmlite is in.

LLVM takes a hundred megabytes, and a bug in it crashes its process: so it runs in a child process that has ended when
a long search starts. This file is run by its path and imports nothing from scrimp, so that the child starts fast.

Input: for each text, its length in eight bytes, the lowest first; a byte that is 1 if the code may be slow, but not the
compiler; and then the text.
Output: for each text, one line of JSON with the length of the code, the offset of every entry and the most bytes that
the process held; then the code.
"""

from __future__ import annotations

import json
import os
import struct
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from types import ModuleType
from typing import BinaryIO, NamedTuple, NoReturn

# Code of up to this many lines is optimised; beyond that, selecting instructions block by block costs more than it
# gains: 2,000 transitions take 1.7 s instead of 0.7 s, for code of the same speed.
_LINES_WORTH_OPTIMISING = 6_000
# Up to this many lines we allocate registers with care; beyond, that takes most of the time: 20,000 transitions take
# 2.5 s instead of 10 s.
_LINES_WORTH_ALLOCATING = 200_000
_CAREFUL_ALLOCATION = ("-optimize-regalloc", "-regalloc=greedy")

_ENTRIES = ("initial", "successors", "watch", "valid_end", "alone", "offers", "in_degree", "arrive")

_ALLOCATED = 2
_PROGRAM_BITS, _SYMBOLS, _RELOCATIONS_WITH_ADDENDS, _RELOCATIONS = 1, 2, 4, 9


class NotSelfContained(Exception):
    """The code refers to something outside itself, so its bytes alone are not enough."""


class Section(NamedTuple):
    name: str
    type: int
    flags: int
    offset: int
    size: int
    link: int
    info: int


def main() -> None:
    sys.path.append(sys.argv[1])
    import_llvm()
    texts, answers = sys.stdin.buffer, sys.stdout.buffer
    while length := texts.read(8):
        (is_quick,) = texts.read(1)
        text = texts.read(int.from_bytes(length, "little")).decode()
        # LLVM keeps memory and options: each text has a process of its own, which needs no time to start.
        process = os.fork()
        if not process:
            answer(text, is_quick == 1, answers)
        status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
        if status:
            sys.exit(status if status > 0 else f"killed by signal {-status}")
    os._exit(0)  # as below


def import_llvm() -> None:
    """Import llvmlite without `importlib.resources`, which takes as long as all else that it imports; llvmlite asks it
    for nothing but the path of its library."""
    stand_in = ModuleType("importlib.resources")
    stand_in.files = lambda package: _Folder(sys.modules[package].__path__[0])  # type: ignore[attr-defined]
    stand_in.as_file = nullcontext  # type: ignore[attr-defined]
    sys.modules[stand_in.__name__] = stand_in
    try:
        import llvmlite.binding

        llvmlite.binding.initialize_native_target()  # loads the library
    except Exception:  # another version may ask for more
        for name in [name for name in sys.modules if name.startswith("llvmlite")]:
            del sys.modules[name]
        del sys.modules[stand_in.__name__]
        import llvmlite.binding
    else:
        del sys.modules[stand_in.__name__]


class _Folder(str):
    def __truediv__(self, name: str) -> str:
        return os.path.join(self, name)


def answer(text: str, is_quick: bool, answers: BinaryIO) -> NoReturn:
    """Compile a text and end this process."""
    code, entries = extract(compile_object(text, is_quick))
    header = json.dumps({"length": len(code), "entries": entries, "rss_peak": most_resident_bytes()})
    answers.write(header.encode() + b"\n" + code)
    answers.flush()
    os._exit(0)  # LLVM would take its time to free what the system frees at once


def most_resident_bytes() -> int:
    """The most that this process held. `getrusage` would count the process that started it as well."""
    with open("/proc/self/status") as status:
        return next((int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM:")), 0)


def compile_object(text: str, is_quick: bool = False) -> bytes:
    """An ELF object with the module's code, for this machine's processor, whatever the operating system."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    llvm.initialize_native_asmparser()
    machine_name = os.uname().machine
    architecture = {"AMD64": "x86_64", "arm64": "aarch64"}.get(machine_name, machine_name)
    triple = f"{architecture}-unknown-linux-gnu"
    module = llvm.parse_assembly(text)
    module.triple = triple
    target = llvm.Target.from_triple(triple)
    lines = text.count("\n")
    level = 1 if lines <= _LINES_WORTH_OPTIMISING and not is_quick else 0
    if level == 0 and not is_quick and lines <= _LINES_WORTH_ALLOCATING:
        for option in _CAREFUL_ALLOCATION:
            llvm.set_option("compile", option)
    machine = target.create_target_machine(opt=level, reloc="pic", codemodel="small")
    module.data_layout = str(machine.target_data)
    return bytes(machine.emit_object(module))


def extract(elf: bytes) -> tuple[bytes, dict[str, int]]:
    """The bytes of an object's code and the offsets of its entries; raises NotSelfContained."""
    sections = list(_sections(elf))
    texts = [number for number, section in enumerate(sections) if section.name == ".text"]
    for section in sections:
        if section.type in (_RELOCATIONS, _RELOCATIONS_WITH_ADDENDS) and section.info in texts and section.size:
            raise NotSelfContained(f"{section.name} is not empty")
        data = section.flags & _ALLOCATED and section.size and section.name not in (".text", ".eh_frame")
        if data:
            raise NotSelfContained(f"there is data in {section.name}")
    text = sections[texts[0]]
    return elf[text.offset : text.offset + text.size], dict(_entries(elf, sections, texts[0]))


def _sections(elf: bytes) -> Iterator[Section]:
    table = struct.unpack_from("<Q", elf, 0x28)[0]
    entry_size, count, names_index = struct.unpack_from("<HHH", elf, 0x3A)
    headers = [struct.unpack_from("<IIQQQQIIQQ", elf, table + number * entry_size) for number in range(count)]
    names = headers[names_index][4]
    for name, type_, flags, _, offset, size, link, info, _, _ in headers:
        yield Section(_string(elf, names + name), type_, flags, offset, size, link, info)


def _entries(elf: bytes, sections: list[Section], text: int) -> Iterator[tuple[str, int]]:
    for section in sections:
        if section.type == _SYMBOLS:
            for place in range(section.offset, section.offset + section.size, 24):
                name, _, _, home, value, _ = struct.unpack_from("<IBBHQQ", elf, place)
                symbol = _string(elf, sections[section.link].offset + name)
                if home == text and symbol in _ENTRIES:
                    yield symbol, value


def _string(elf: bytes, start: int) -> str:
    return elf[start : elf.index(b"\0", start)].decode()


if __name__ == "__main__":
    main()
