"""The compiler: LLVM assembly on standard input, code on standard output. Run as a separate program.

LLVM takes a hundred megabytes, and a bug in it crashes its process: so it runs in a child process that has ended when
the search starts. This file is run by its path and imports nothing from scrimp, so that the child starts fast.

Output: one line of JSON with the offset of every entry and the most bytes that the process held, then the bytes of the
code.
"""

from __future__ import annotations

import json
import platform
import struct
import sys
from collections.abc import Iterator
from typing import NamedTuple

import llvmlite.binding as llvm

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
    text = sys.stdin.buffer.read().decode()
    code, entries = extract(compile_object(text))
    header = json.dumps({"entries": entries, "rss_peak": most_resident_bytes()})
    sys.stdout.buffer.write(header.encode() + b"\n" + code)


def most_resident_bytes() -> int:
    """The most that this process held. `getrusage` would count the process that started it as well."""
    with open("/proc/self/status") as status:
        return next((int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM:")), 0)


def compile_object(text: str) -> bytes:
    """An ELF object with the module's code, for this machine's processor, whatever the operating system."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    llvm.initialize_native_asmparser()
    architecture = {"AMD64": "x86_64", "arm64": "aarch64"}.get(platform.machine(), platform.machine())
    triple = f"{architecture}-unknown-linux-gnu"
    module = llvm.parse_assembly(text)
    module.triple = triple
    target = llvm.Target.from_triple(triple)
    lines = text.count("\n")
    level = 1 if lines <= _LINES_WORTH_OPTIMISING else 0
    if level == 0 and lines <= _LINES_WORTH_ALLOCATING:
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
