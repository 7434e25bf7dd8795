"""From LLVM assembly to code: out of the cache, or from the compiler in its child process."""

from __future__ import annotations

import json
import pickle
import platform
import subprocess
import sys
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from scrimp.machine import cache

_PROGRAM = Path(__file__).with_name("compile.py")


class CompilerFailed(RuntimeError):
    """The compiler refused our code or crashed: a defect of ours, never of the model."""


@dataclass(frozen=True, slots=True)
class Code:
    """Position-independent code and the offsets of its entries."""

    code: bytes
    entries: dict[str, int]
    cached: bool


def compile_text(text: str) -> Code:
    key = cache.key_of("code", _versions(), platform.machine(), _PROGRAM.read_bytes(), text)
    found = cache.load(key)
    if found is not None:
        code, entries = pickle.loads(found)
        return Code(code, entries, cached=True)
    code, entries = _run_compiler(text)
    cache.store(key, pickle.dumps((code, entries)))
    return Code(code, entries, cached=False)


def _run_compiler(text: str) -> tuple[bytes, dict[str, int]]:
    # -P: the folder of the program holds modules whose names must not hide others'.
    child = subprocess.run([sys.executable, "-P", str(_PROGRAM)], input=text.encode(), capture_output=True, check=False)
    if child.returncode != 0:
        said = child.stderr.decode(errors="replace").strip() or "nothing"
        raise CompilerFailed(f"the compiler ended with status {child.returncode} and said: {said}")
    header, code = child.stdout.split(b"\n", 1)
    return code, json.loads(header)


def _versions() -> str:
    try:
        return version("llvmlite")
    except PackageNotFoundError:
        return "unknown"
