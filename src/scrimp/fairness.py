"""Fairness: which infinite runs count."""

from __future__ import annotations

from enum import StrEnum

from scrimp.errors import OptionError


class Fairness(StrEnum):
    """Which infinite runs count.

    With `WEAK`, those in which every process that can move from some point on moves infinitely often; with `STRONG`,
    those in which every process that can move infinitely often does. With `DECLARED`, those that are fair to some
    processes in the way that the model declares for each.

    Example:
        >>> import scrimp
        >>> scrimp.Fairness("weak")
        <Fairness.WEAK: 'weak'>
    """

    NONE = "none"
    WEAK = "weak"
    STRONG = "strong"
    DECLARED = "declared"

    @property
    def text(self) -> str:
        """The assumption in words; empty if there is none."""
        match self:
            case Fairness.NONE:
                return ""
            case Fairness.DECLARED:
                return "under the fairness that the model declares"
            case _:
                return f"under {self.value} fairness"


def parse_fairness(text: str) -> Fairness:
    """The value of `--fair`."""
    choices = [each.value for each in (Fairness.WEAK, Fairness.STRONG)]
    if text not in choices:
        raise OptionError(f"unknown fairness {text!r:.80} (choices: {', '.join(choices)})")
    return Fairness(text)
