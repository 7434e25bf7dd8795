"""Calls generated code directly, without the engine: compiled in this process, mapped by hand, called by ctypes."""

from __future__ import annotations

import ctypes
import mmap
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

from scrimp.machine.abi import ANYBODY, EVENT_MASK, FAULT_FLAG, MISFIT_FLAG, SETTLING_CLAIM, Functions
from scrimp.machine.abi import CLAIM as CLAIM_HOLDER
from scrimp.machine.abi import PROGRAM as PROGRAM_HOLDER
from scrimp.machine.backward.transitions import Backward
from scrimp.machine.build import most_successors
from scrimp.machine.compiler_program import compile_object, extract
from scrimp.machine.emit import emit
from scrimp.machine.layout import Layout, lay_out
from scrimp.machine.ranges import Ranges
from scrimp.system.expressions import Expression
from scrimp.system.reference import PROGRAM, SETTLING, State
from scrimp.system.swaps import Symmetry
from scrimp.system.system import System

FAULT = "fault"
MISFIT = "misfit"
Outcome = State | str
_UNTOUCHED = 0xDEAD_BEEF_DEAD_BEEF


class Report(NamedTuple):
    event: int
    flags: int
    outcome: Outcome


class NativeSystem:
    """A system's functions, with states decoded and flags spelt out."""

    def __init__(
        self,
        system: System,
        ranges: Ranges,
        watches: Sequence[Expression] = (),
        *,
        backward: Callable[[System, Layout], Backward] | None = None,
        symmetry: Symmetry | None = None,
        quickly: bool = False,
    ) -> None:
        self.claim = system.claim
        self.layout = lay_out(system, ranges, () if symmetry is None else symmetry.swaps)
        self.most = most_successors(system)
        self.backward = None if backward is None else backward(system, self.layout)
        text = emit(system, self.layout, watches, self.backward, symmetry)
        code, self.entries = extract(compile_object(text, quickly))
        self.memory = mmap.mmap(-1, len(code), prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
        self.memory.write(code)
        self.base = ctypes.addressof(ctypes.c_char.from_buffer(self.memory))

    def initial(self) -> State:
        words = (ctypes.c_uint64 * self.layout.words)()
        self._function("initial")(words)
        return self.layout.decode(list(words))

    def arrive(self, state: State) -> State:
        words = self._words(state)
        self._function("arrive")(words)
        return self.layout.decode(list(words))

    def successors(self, state: State) -> list[tuple[int, Outcome]]:
        return [(report.event, report.outcome) for report in self.reports(state)]

    def reports(self, state: State) -> list[Report]:
        """The events of a state, or of its holder. Outcomes have no holders.

        Also checks what the interface promises: at most `most` events, nothing written beyond them, exact flags.
        """
        size = self.layout.words
        found = (ctypes.c_uint64 * (size * self.most + 1))()
        found[size * self.most] = _UNTOUCHED
        events = (ctypes.c_uint32 * (self.most + 1))()
        if state.holder is None:
            result = self._function("successors")(self._words(state), found, events)
        else:
            result = self._function("alone")(self._words(state), self._holder(state.holder), found, events)
        count, flags = result & 0xFFFF_FFFF, result >> 32
        assert count <= self.most
        assert found[size * self.most] == _UNTOUCHED
        union = 0
        for event in events[:count]:
            union |= event & ~EVENT_MASK
        assert flags == union
        return [
            Report(event & EVENT_MASK, event & ~EVENT_MASK, self._outcome(event, found[n * size : (n + 1) * size]))
            for n, event in enumerate(events[:count])
        ]

    def offers(self, state: State, holder: int | None) -> bool:
        """Whether a handshake is offered if this process, PROGRAM or, for None, any process goes on."""
        return bool(self._function("offers")(self._words(state), self._holder(holder)))

    def _holder(self, holder: int | None) -> int | None:
        special: dict[int | None, int] = {None: ANYBODY, PROGRAM: PROGRAM_HOLDER, SETTLING: SETTLING_CLAIM}
        special |= {} if self.claim is None else {self.claim: CLAIM_HOLDER}
        return special.get(holder, holder)

    def watch(self, state: State) -> int:
        return int(self._function("watch")(self._words(state)))

    def in_degree(self, state: State) -> int:
        return int(self._function("in_degree")(self._words(state)))

    def valid_end(self, state: State) -> bool:
        return bool(self._function("valid_end")(self._words(state)))

    def _outcome(self, event: int, words: Sequence[int]) -> Outcome:
        assert event & (FAULT_FLAG | MISFIT_FLAG) != FAULT_FLAG | MISFIT_FLAG
        if event & MISFIT_FLAG:
            return MISFIT
        if event & FAULT_FLAG:
            return FAULT
        assert words[0] & 1
        assert all(word >> bits == 0 for word, bits in zip(words, self.layout.word_bits, strict=True))
        state = self.layout.decode(words)
        assert self.layout.encode(state) == tuple(words), "equal states must be equal words"
        return state

    def _words(self, state: State) -> ctypes.Array[ctypes.c_uint64]:
        return (ctypes.c_uint64 * self.layout.words)(*self.layout.encode(state))

    def _function(self, name: str) -> Any:
        """A function without its context, which code of this kind ignores."""
        kinds: dict[str, Any] = dict(Functions._fields_)
        return partial(kinds[name](self.base + self.entries[name]), None)
