"""scrimp: an exact verdict inside a byte budget.

model = scrimp.load("lock.dve")
result = scrimp.check(model, store=scrimp.Full(compress="tree"))
print(result.verdict, result.statistics.states)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scrimp.checking import check, explore
    from scrimp.errors import ModelError, OptionError, ScrimpError
    from scrimp.exporting import Exported, export
    from scrimp.frontends import Model, load
    from scrimp.limits import Limits
    from scrimp.properties import Assertions, Deadlock, Faults, Invariant, Judgement, Property, Reach
    from scrimp.result import Goal, Result, Unreached, Violation
    from scrimp.statistics import Progress, Statistics
    from scrimp.steps import Change, Step, StepMove, Trace
    from scrimp.strategies import (
        Bitstate,
        BreadthFirst,
        Cache,
        Comback,
        Compact,
        Conflict,
        DepthFirst,
        Full,
        Local,
        NoReduction,
        Order,
        Overman,
        Pseudoroot,
        Reduction,
        Sleep,
        Snapshots,
        Store,
        Stubborn,
    )
    from scrimp.system.violations import ViolationKind
    from scrimp.verdict import Ending, Verdict


__version__ = "0.1.0"

__all__ = [
    "Assertions",
    "Bitstate",
    "BreadthFirst",
    "Cache",
    "Change",
    "Comback",
    "Compact",
    "Conflict",
    "Deadlock",
    "DepthFirst",
    "Ending",
    "Exported",
    "Faults",
    "Full",
    "Goal",
    "Invariant",
    "Judgement",
    "Limits",
    "Local",
    "Model",
    "ModelError",
    "NoReduction",
    "OptionError",
    "Order",
    "Overman",
    "Progress",
    "Property",
    "Pseudoroot",
    "Reach",
    "Reduction",
    "Result",
    "ScrimpError",
    "Sleep",
    "Snapshots",
    "Statistics",
    "Step",
    "StepMove",
    "Store",
    "Stubborn",
    "Trace",
    "Unreached",
    "Verdict",
    "Violation",
    "ViolationKind",
    "check",
    "explore",
    "export",
    "load",
]

_HOMES = {
    "checking": ("check", "explore"),
    "errors": ("ModelError", "OptionError", "ScrimpError"),
    "exporting": ("Exported", "export"),
    "frontends": ("Model", "load"),
    "limits": ("Limits",),
    "properties": ("Assertions", "Deadlock", "Faults", "Invariant", "Judgement", "Property", "Reach"),
    "result": ("Goal", "Result", "Unreached", "Violation"),
    "statistics": ("Progress", "Statistics"),
    "steps": ("Change", "Step", "StepMove", "Trace"),
    "system.violations": ("ViolationKind",),
    "verdict": ("Ending", "Verdict"),
    "strategies": (
        "Bitstate",
        "BreadthFirst",
        "Cache",
        "Comback",
        "Compact",
        "Conflict",
        "DepthFirst",
        "Full",
        "Local",
        "NoReduction",
        "Order",
        "Overman",
        "Reduction",
        "Sleep",
        "Pseudoroot",
        "Snapshots",
        "Store",
        "Stubborn",
    ),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used: `scrimp --help` needs none of them."""
    if name not in _HOME:
        raise AttributeError(f"module 'scrimp' has no attribute '{name}'")
    from importlib import import_module

    value = getattr(import_module(f"scrimp.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """What completion offers: the public names, imported or not."""
    return sorted({*globals(), *__all__})
