"""What can be wrong with a state or an event of a system."""

from __future__ import annotations

from enum import StrEnum


class ViolationKind(StrEnum):
    DEADLOCK = "deadlock"
    ASSERTION = "assertion"
    FAULT = "fault"
    INVARIANT = "invariant"
