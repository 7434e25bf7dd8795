"""The machine's binary interface: engine/core/machine.h in Python. A test compares the two."""

from __future__ import annotations

import ctypes

FAULT_FLAG = 1 << 31
MISFIT_FLAG = 1 << 30
FAILED_FLAG = 1 << 29
ATOMIC_FLAG = 1 << 28
EVENT_MASK = ATOMIC_FLAG - 1
# Replaces a process: all of them; and all but the claim, when it is the others' turn.
ANYBODY = 0xFFFF_FFFF
PROGRAM = 0xFFFF_FFFE
# The claim, when it continues alone.
CLAIM = 0xFFFF_FFFD
# The same if the others could not move before.
SETTLING_CLAIM = 0xFFFF_FFFC
# Replaces an in-degree that is too large to count.
SATURATED = 0xFFFF_FFFF
WORD_BITS = 64
MOST_WATCHES = 64
# The depth-first path numbers the words of a state in two bytes.
MOST_WORDS = (1 << 16) - 1

_P, _U32, _U64 = ctypes.c_void_p, ctypes.c_uint32, ctypes.c_uint64


class Functions(ctypes.Structure):
    """`struct Functions`, field by field. The first parameter of each is the context."""

    _fields_ = (
        ("initial", ctypes.CFUNCTYPE(None, _P, _P)),
        ("successors", ctypes.CFUNCTYPE(_U64, _P, _P, _P, _P)),
        ("watch", ctypes.CFUNCTYPE(_U64, _P, _P)),
        ("valid_end", ctypes.CFUNCTYPE(_U32, _P, _P)),
        ("alone", ctypes.CFUNCTYPE(_U64, _P, _P, _U32, _P, _P)),
        ("offers", ctypes.CFUNCTYPE(_U32, _P, _P, _U32)),
        ("in_degree", ctypes.CFUNCTYPE(_U32, _P, _P)),
        ("arrive", ctypes.CFUNCTYPE(None, _P, _P)),
    )


class Machine(ctypes.Structure):
    """`struct Machine`, field by field."""

    _fields_ = (
        ("words", _U32),
        ("max_successors", _U32),
        ("transitions", _U32),
        ("watches", _U32),
        ("word_bits", ctypes.POINTER(ctypes.c_uint8)),
        ("holders", ctypes.POINTER(_U32)),
        ("steps", ctypes.POINTER(ctypes.c_uint8)),
        ("context", _P),
        ("functions", Functions),
    )
