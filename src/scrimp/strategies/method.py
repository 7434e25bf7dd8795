"""A method: an order, a store and a reduction that are used together, as one text such as `dfs/full/sleep`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scrimp.arguments import require_kind
from scrimp.errors import OptionError
from scrimp.strategies.orders import BreadthFirst, Order
from scrimp.strategies.reductions import NoReduction, Reduction
from scrimp.strategies.registry import ORDERS, STORES
from scrimp.strategies.stores import Full, Store
from scrimp.strategies.texts import from_dict, parse, parse_reduction, reduction_from_dict


@dataclass(frozen=True, kw_only=True, slots=True)
class Method:
    """How a search works.

    Example:
        >>> import scrimp
        >>> str(scrimp.Method(order=scrimp.DepthFirst(), reduction=scrimp.Sleep()))
        'dfs/full/sleep'
        >>> scrimp.Method.parse("bfs/full:compress=tree").store
        Full(compress='tree')
    """

    order: Order = BreadthFirst()
    store: Store = Full()
    reduction: Reduction = NoReduction()

    def __post_init__(self) -> None:
        require_kind("order", self.order, Order, "an order such as BreadthFirst()")
        require_kind("store", self.store, Store, "a store such as Full()")
        require_kind("reduction", self.reduction, Reduction, "a reduction such as NoReduction()")

    def __str__(self) -> str:
        """The text that `parse` reads, without the reduction if there is none."""
        parts = [str(self.order), str(self.store), str(self.reduction)]
        return "/".join(parts[:2] if self.reduction == NoReduction() else parts)

    @staticmethod
    def parse(text: str) -> Method:
        """Read `ORDER`, `ORDER/STORE` or `ORDER/STORE/REDUCTION`; the defaults are `full` and `none`."""
        parts = text.strip().split("/")
        if len(parts) > 3 or not all(parts):
            raise OptionError(f"expected ORDER/STORE/REDUCTION such as dfs/full/sleep, found '{text}'")
        order, store, reduction = (*parts, *("full", "none")[len(parts) - 1 :])
        return Method(order=parse(order, ORDERS), store=parse(store, STORES), reduction=parse_reduction(reduction))

    def to_dict(self) -> dict[str, Any]:
        return {"order": self.order.to_dict(), "store": self.store.to_dict(), "reduction": self.reduction.to_dict()}

    @staticmethod
    def from_dict(record: Mapping[str, Any]) -> Method:
        """The method that `to_dict` described."""
        return Method(
            order=from_dict(record["order"], ORDERS),
            store=from_dict(record["store"], STORES),
            reduction=reduction_from_dict(record["reduction"]),
        )

    def engine_record(self) -> dict[str, Any]:
        """The method as the engine takes it (engine/method.h): a reduction is the list of its parts."""
        return {
            "order": self.order.engine_record(),
            "store": self.store.engine_record(),
            "reduction": [part.engine_record() for part in self.reduction.parts],
        }

    @property
    def exact(self) -> bool:
        return self.store.exact and self.reduction.exact

    @property
    def options(self) -> tuple[str, ...]:
        """The method as options of the commands `check` and `explore`."""
        return ("--order", str(self.order), "--store", str(self.store), "--reduce", str(self.reduction))
