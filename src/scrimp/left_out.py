"""Questions about which a verdict says nothing: a model asks them, or they are usual, but they were left out."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

# Why a question was left out.
IGNORED = "ignored by --ignore-property"


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A question that was not asked. `kind` and `name` are those of the property; `text` describes it in words, and
    `reason` says why it was left out.

    Example:
        >>> import scrimp
        >>> left_out = scrimp.check("models/peterson.dve", allow_deadlock=True).left_out
        >>> [(each.text, each.reason) for each in left_out]
        [('deadlocks', 'deadlocks are allowed')]
    """

    kind: str
    name: str
    text: str
    reason: str

    def __str__(self) -> str:
        return self.text

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)
