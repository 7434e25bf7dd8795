"""Which orders, stores and reductions combine: the only place that knows, and the sentence shown where they do not."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from scrimp.errors import OptionError
from scrimp.strategies import Order, Reduction, Store

Rule: TypeAlias = tuple[Callable[[Order, Store, Reduction], bool], str]

# Each rule looks at traits, never at names, so that it also judges strategies that do not exist yet.
RULES: tuple[Rule, ...] = (
    (
        lambda order, store, _: store.may_forget and not order.holds_its_path,
        "a store that forgets terminates only under a search that holds its path",
    ),
    (
        lambda order, _, reduction: not reduction.keeps_all_states and not order.holds_its_path,
        "a reduction that leaves states out is sound only under a search that holds its path",
    ),
)


def why_not(order: Order, store: Store, reduction: Reduction) -> str | None:
    """Why these three cannot be combined, in one sentence; None where they can."""
    return next((reason for applies, reason in RULES if applies(order, store, reduction)), None)


def require_compatible(order: Order, store: Store, reduction: Reduction) -> None:
    """Refuse a combination that is not sound, with the reason."""
    if reason := why_not(order, store, reduction):
        raise OptionError(f"order '{order}', store '{store}' and reduction '{reduction}' do not combine: {reason}")
