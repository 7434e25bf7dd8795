"""scrimp: an exact verdict inside a byte budget."""

from __future__ import annotations

from scrimp.errors import ModelError, OptionError, ScrimpError
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
]
