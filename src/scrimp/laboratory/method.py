"""A method: an order, a store and a reduction that are tried together, as one text such as `dfs/full/sleep`."""

from __future__ import annotations

from dataclasses import dataclass

from scrimp.errors import OptionError
from scrimp.strategies import (
    BreadthFirst,
    Full,
    NoReduction,
    Order,
    Reduction,
    Store,
    parse_order,
    parse_reduction,
    parse_store,
)


@dataclass(frozen=True, slots=True)
class Method:
    order: Order = BreadthFirst()
    store: Store = Full()
    reduction: Reduction = NoReduction()

    def __str__(self) -> str:
        """What `parse_method` reads; a reduction that leaves nothing out is left out."""
        parts = [str(self.order), str(self.store), str(self.reduction)]
        return "/".join(parts[:2] if self.reduction == NoReduction() else parts)

    @property
    def is_exact(self) -> bool:
        return self.store.exact and self.reduction.exact

    @property
    def options(self) -> tuple[str, ...]:
        """The same for the commands `check` and `explore`."""
        return ("--order", str(self.order), "--store", str(self.store), "--reduce", str(self.reduction))


def parse_method(text: str) -> Method:
    """`ORDER`, `ORDER/STORE` or `ORDER/STORE/REDUCTION`; what is left out is `full` and `none`."""
    parts = text.strip().split("/")
    if len(parts) > 3 or not all(parts):
        raise OptionError(f"expected ORDER/STORE/REDUCTION such as dfs/full/sleep, found '{text}'")
    store = parse_store(parts[1]) if len(parts) > 1 else Full()
    return Method(parse_order(parts[0]), store, parse_reduction(parts[2]) if len(parts) > 2 else NoReduction())
