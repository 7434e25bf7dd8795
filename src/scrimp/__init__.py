"""scrimp: an exact verdict inside a byte budget.

model = scrimp.load("lock.dve")
result = scrimp.check(model, store=scrimp.Full(compress="tree"))
print(result.verdict, result.statistics.states)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scrimp.checking import check as check
    from scrimp.checking import explore as explore
    from scrimp.errors import ModelError as ModelError
    from scrimp.errors import OptionError as OptionError
    from scrimp.errors import ScrimpError as ScrimpError
    from scrimp.exporting import Exported as Exported
    from scrimp.exporting import export as export
    from scrimp.frontends import Model as Model
    from scrimp.frontends import load as load
    from scrimp.limits import Limits as Limits
    from scrimp.result import Change as Change
    from scrimp.result import Goal as Goal
    from scrimp.result import Progress as Progress
    from scrimp.result import Property as Property
    from scrimp.result import Result as Result
    from scrimp.result import Statistics as Statistics
    from scrimp.result import Step as Step
    from scrimp.result import StepMove as StepMove
    from scrimp.result import Trace as Trace
    from scrimp.result import Unreached as Unreached
    from scrimp.result import Verdict as Verdict
    from scrimp.result import Violation as Violation
    from scrimp.strategies import *  # noqa: F403


__version__ = "0.1.0"

_HOMES = {
    "checking": ("check", "explore"),
    "errors": ("ModelError", "OptionError", "ScrimpError"),
    "exporting": ("Exported", "export"),
    "frontends": ("Model", "load"),
    "limits": ("Limits",),
    "result": (
        "Change",
        "Goal",
        "Progress",
        "Property",
        "Result",
        "Statistics",
        "Step",
        "StepMove",
        "Trace",
        "Unreached",
        "Verdict",
        "Violation",
    ),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used: `scrimp --help` needs none of them."""
    if name == "__all__":
        return [*_HOME, *_strategies()]
    if name not in _HOME and (name.startswith("_") or name not in _strategies()):
        raise AttributeError(f"module 'scrimp' has no attribute '{name}'")
    value = getattr(import_module(f"scrimp.{_HOME.get(name, 'strategies')}"), name)
    globals()[name] = value
    return value


def _strategies() -> dict[str, type]:
    """Orders, stores, reductions and what they have in common, by their names."""
    strategies = import_module("scrimp.strategies")
    return {name: value for name, value in vars(strategies).items() if isinstance(value, type)}


def __dir__() -> list[str]:
    """What completion offers: the public names, imported or not."""
    return sorted({*globals(), *__getattr__("__all__")})
