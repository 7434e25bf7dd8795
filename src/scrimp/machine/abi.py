"""The machine's binary interface: what engine/core/machine.h says, in Python. A test compares the two."""

from __future__ import annotations

import ctypes

FAULT_FLAG = 1 << 31
MISFIT_FLAG = 1 << 30
FAILED_FLAG = 1 << 29
ATOMIC_FLAG = 1 << 28
EVENT_MASK = ATOMIC_FLAG - 1
# In place of a process: all of them; and all but the claim, while it is the others' turn.
ANYBODY = 0xFFFF_FFFF
PROGRAM = 0xFFFF_FFFE
# In place of an in-degree: too many edges to count.
SATURATED = 0xFFFF_FFFF
WORD_BITS = 64
MOST_WATCHES = 64
# The depth-first path numbers the words of a state in two bytes.
MOST_WORDS = (1 << 16) - 1

InitialFunction = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
SuccessorsFunction = ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
WatchFunction = ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_void_p)
ValidEndFunction = ctypes.CFUNCTYPE(ctypes.c_uint32, ctypes.c_void_p)
AloneFunction = ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_void_p, ctypes.c_uint32, ctypes.c_void_p, ctypes.c_void_p)
OffersFunction = ctypes.CFUNCTYPE(ctypes.c_uint32, ctypes.c_void_p, ctypes.c_uint32)
InDegreeFunction = ctypes.CFUNCTYPE(ctypes.c_uint32, ctypes.c_void_p)


class Machine(ctypes.Structure):
    """`struct Machine`, field by field."""

    _fields_ = (
        ("words", ctypes.c_uint32),
        ("max_successors", ctypes.c_uint32),
        ("transitions", ctypes.c_uint32),
        ("watches", ctypes.c_uint32),
        ("word_bits", ctypes.POINTER(ctypes.c_uint8)),
        ("initial", InitialFunction),
        ("successors", SuccessorsFunction),
        ("watch", WatchFunction),
        ("valid_end", ValidEndFunction),
        ("holders", ctypes.POINTER(ctypes.c_uint32)),
        ("alone", AloneFunction),
        ("offers", OffersFunction),
        ("steps", ctypes.POINTER(ctypes.c_uint8)),
        ("in_degree", InDegreeFunction),
    )
