"""From LLVM assembly to machine code, by the compiler in its child process."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from importlib.util import find_spec
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
    """A compiler process that starts at once and waits for texts: its start-up costs nothing while the first one is
    generated."""

    def __init__(self) -> None:
        llvmlite = find_spec("llvmlite")
        assert llvmlite is not None
        assert llvmlite.origin is not None
        # -P: the program's folder has modules whose names must not shadow others; -S: it needs none but llvmlite. A
        # session: it has its own children.
        self._child = subprocess.Popen(
            [sys.executable, "-P", "-S", str(_PROGRAM), str(Path(llvmlite.origin).parents[1])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )

    def __enter__(self) -> Compiler:
        return self

    def __exit__(self, failed: type[BaseException] | None, *_: object) -> None:
        if failed is not None and self._child.poll() is None:
            os.killpg(self._child.pid, signal.SIGKILL)
        with suppress(BrokenPipeError):  # what was not written yet is not needed any more
            self._child.communicate()

    def compile(self, text: str, *, quickly: bool = False) -> Code:
        """Compile a module, for a search that takes less time than optimising its code would if `quickly`; raises
        CompilerFailed, after which there is no compiler any more."""
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        content = text.encode()
        with suppress(BrokenPipeError):
            self._child.stdin.write(len(content).to_bytes(8, "little") + bytes([quickly]))
            self._child.stdin.write(content)
            self._child.stdin.flush()
        header = self._child.stdout.readline()
        if not header:
            raise CompilerFailed(self._epitaph())
        answer = json.loads(header)
        return Code(self._child.stdout.read(answer.pop("length")), **answer)

    def _epitaph(self) -> str:
        """Why there is no answer."""
        said = b""
        with suppress(BrokenPipeError):
            _, said = self._child.communicate()
        message = said.decode(errors="replace").strip() or "nothing"
        return f"the compiler ended with status {self._child.returncode} and said: {message}"


@dataclass
class _Waiting:
    compiler: Compiler | None = None


_waiting: ContextVar[_Waiting | None] = ContextVar("waiting", default=None)


@contextmanager
def compilers_wait() -> Iterator[None]:
    """Let a compiler that has answered wait for another text, until the end or until it is dismissed."""
    token = _waiting.set(_Waiting())
    try:
        yield
    finally:
        dismiss()
        _waiting.reset(token)


def dismiss() -> None:
    """End the compiler that waits, which holds memory."""
    place = _waiting.get()
    if place is not None and place.compiler is not None:
        with place.compiler:
            place.compiler = None


@contextmanager
def hired() -> Iterator[Compiler]:
    """The compiler that waits, or a new one."""
    place = _waiting.get() or _Waiting()
    compiler, place.compiler = place.compiler or Compiler(), None
    with ExitStack() as stack:
        stack.enter_context(compiler)
        yield compiler
        if _waiting.get() is place:
            place.compiler = compiler
            stack.pop_all()
