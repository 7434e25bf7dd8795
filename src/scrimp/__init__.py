"""scrimp: an exact verdict inside a byte budget.

model = scrimp.load("lock.dve")
result = scrimp.check(model, store=scrimp.Full(compress="tree"))
print(result.verdict, result.statistics.states)
"""

from __future__ import annotations

# `check` is imported here and now, so that the name means the function and not the module it is in.
from scrimp.check import check, explore
from scrimp.errors import ModelError, OptionError, ScrimpError
from scrimp.frontends import Model, load
from scrimp.limits import Limits
from scrimp.result import (
    Change,
    Goal,
    Progress,
    Property,
    Result,
    Statistics,
    Step,
    StepMove,
    Trace,
    Unreached,
    Verdict,
    Violation,
)
from scrimp.strategies import BreadthFirst, DepthFirst, Full, NoReduction, Order, Reduction, Store

__version__ = "0.1.0"

__all__ = [
    "BreadthFirst",
    "Change",
    "DepthFirst",
    "Full",
    "Goal",
    "Limits",
    "Model",
    "ModelError",
    "NoReduction",
    "OptionError",
    "Order",
    "Progress",
    "Property",
    "Reduction",
    "Result",
    "ScrimpError",
    "Statistics",
    "Step",
    "StepMove",
    "Store",
    "Trace",
    "Unreached",
    "Verdict",
    "Violation",
    "check",
    "explore",
    "load",
]
