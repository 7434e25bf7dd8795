"""Strategies: how a search goes about its work, as values.

An `Order`, a `Store` and a `Reduction` are frozen dataclasses whose fields are their options, and each has three faces:
`Full(compress="tree")` in Python, `full:compress=tree` on the command line, `{"name": "full", "compress": "tree"}` in
records. Parsing and printing read the dataclass fields, so a new strategy or option is one class or one line here.

What is no option is a trait: `compatibility.py` decides by traits what combines.
"""

from scrimp.strategies.comback import Comback
from scrimp.strategies.inexact import Bitstate, Compact
from scrimp.strategies.method import Method
from scrimp.strategies.orders import BreadthFirst, DepthFirst, Order
from scrimp.strategies.pseudoroot import Pseudoroot
from scrimp.strategies.reductions import (
    Combined,
    Conflict,
    Local,
    NoReduction,
    Overman,
    Reduction,
    Sleep,
    Stubborn,
)
from scrimp.strategies.snapshots import Snapshots
from scrimp.strategies.stores import Cache, Compression, Full, Store
from scrimp.strategies.strategy import Strategy, option_types
from scrimp.strategies.texts import (
    ORDERS,
    REDUCTIONS,
    STORES,
    from_dict,
    names,
    parse,
    parse_order,
    parse_reduction,
    parse_store,
    reduction_from_dict,
)

__all__ = [
    "ORDERS",
    "REDUCTIONS",
    "STORES",
    "Bitstate",
    "BreadthFirst",
    "Cache",
    "Comback",
    "Combined",
    "Compact",
    "Compression",
    "Conflict",
    "DepthFirst",
    "Full",
    "Local",
    "Method",
    "NoReduction",
    "Order",
    "Overman",
    "Pseudoroot",
    "Reduction",
    "Sleep",
    "Snapshots",
    "Store",
    "Strategy",
    "Stubborn",
    "from_dict",
    "names",
    "option_types",
    "parse",
    "parse_order",
    "parse_reduction",
    "parse_store",
    "reduction_from_dict",
]
