"""The kinds of violations: the ways in which a state or an event of a system can be wrong."""

from __future__ import annotations

from enum import StrEnum


class ViolationKind(StrEnum):
    """The kinds of violations.

    Example:
        >>> import scrimp
        >>> scrimp.check("models/broken_lock.dve").violations[0].kind is scrimp.ViolationKind.INVARIANT
        True
    """

    DEADLOCK = "deadlock"
    ASSERTION = "assertion"
    FAULT = "fault"
    INVARIANT = "invariant"
    LTL = "ltl"
    PROGRESS = "progress"
    ACCEPTANCE = "accept"
    NEVER = "never"
