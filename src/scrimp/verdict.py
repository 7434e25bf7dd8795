"""Verdicts: the answers to questions after a search, and how far the search went."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    """The answer to a question after a search.

    Example:
        >>> import scrimp
        >>> verdict = scrimp.check("models/peterson.dve").verdict
        >>> verdict is scrimp.Verdict.PROVED, verdict.exit_code, str(verdict)
        (True, 0, 'PROVED')
    """

    PROVED = "proved"
    REFUTED = "refuted"
    UNDETERMINED = "undetermined"

    @property
    def exit_code(self) -> int:
        return {Verdict.PROVED: 0, Verdict.REFUTED: 1, Verdict.UNDETERMINED: 3}[self]

    @staticmethod
    def all_of(verdicts: Iterable[Verdict]) -> Verdict:
        """The verdict on a conjunction."""
        known = set(verdicts)
        return next((each for each in (Verdict.REFUTED, Verdict.UNDETERMINED) if each in known), Verdict.PROVED)

    def __str__(self) -> str:
        return self.name


class Ending(StrEnum):
    """How a search ended, in the engine's words.

    Example:
        >>> import scrimp
        >>> scrimp.explore("models/peterson.dve", depth=3).ending
        <Ending.DEPTH: 'depth'>
    """

    CLOSED = "closed"
    VIOLATIONS = "violations"
    GOALS = "goals"
    MEMORY = "memory"
    TIME = "time"
    DEPTH = "depth"
    INTERRUPT = "interrupt"
    DISK = "disk"
    CACHE = "cache"
    STATES = "states"


_CUT_SHORT: Mapping[Ending, str] = {
    Ending.MEMORY: "the memory limit was reached before all states were visited",
    Ending.TIME: "the time limit was reached before all states were visited",
    Ending.DEPTH: "states beyond the depth limit were not visited",
    Ending.INTERRUPT: "the search was interrupted before all states were visited",
    Ending.CACHE: "the search path alone fills the cache",
    Ending.STATES: "a measurement ended before all states were visited",
    Ending.DISK: "something was found, but its trace was lost: disk and memory had no room for the states before it",
    Ending.GOALS: "the search stopped when everything that it looked for was found",
    Ending.VIOLATIONS: "the search stopped at a violation before all states were visited",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Extent:
    """How far a search went.

    `exact` says whether a search that finishes has visited every reachable state or, if it is `reduced`, enough of them
    to answer the question. `cause` says why a search was cut short, if the ending alone does not, and `remedy` what
    would help; `doubt` says why a search that is not exact proves nothing.
    """

    ending: Ending
    exact: bool
    reduced: bool = False
    cause: str = ""
    remedy: str = ""
    doubt: str = "the method is not exact and may have missed states"

    @property
    def is_complete(self) -> bool:
        """Whether a violation or goal that was not found does not exist."""
        return self.ending is Ending.CLOSED and self.exact

    @property
    def verdict(self) -> tuple[Verdict, str]:
        """The verdict, with its reason, on a property that must hold everywhere and of which no violation was found."""
        if self.ending is not Ending.CLOSED:
            cause = self.cause or _CUT_SHORT[self.ending]
            return Verdict.UNDETERMINED, cause + (f"; {self.remedy}" if self.remedy else "")
        if not self.exact:
            return Verdict.UNDETERMINED, self.doubt
        kept = "every state that the reduction keeps" if self.reduced else "every reachable state"
        return Verdict.PROVED, f"{kept} was visited"
