"""Strategies: how a search works, as values.

An `Order`, a `Store` and a `Reduction` are frozen dataclasses whose fields are their options. Each is written in three
ways: `Full(compress="tree")` in Python, `full:compress=tree` on the command line, `{"name": "full", "compress":
"tree"}` in records. Parsing and printing read the dataclass fields, so a new strategy is one class and one line in
`registry.py`, and a new option is one line. A `Method` is one of each.

The other attributes are traits: `compatibility.py` decides by traits which strategies combine.
"""

from scrimp.strategies.method import Method as Method
from scrimp.strategies.reductions import Combined as Combined
from scrimp.strategies.registry import *  # noqa: F403
from scrimp.strategies.stores import Compression as Compression
from scrimp.strategies.strategy import Strategy as Strategy
from scrimp.strategies.strategy import option_types as option_types
from scrimp.strategies.texts import AUTO as AUTO
from scrimp.strategies.texts import from_dict as from_dict
from scrimp.strategies.texts import names as names
from scrimp.strategies.texts import parse as parse
from scrimp.strategies.texts import parse_order as parse_order
from scrimp.strategies.texts import parse_reduction as parse_reduction
from scrimp.strategies.texts import parse_store as parse_store
from scrimp.strategies.texts import reduction_from_dict as reduction_from_dict
