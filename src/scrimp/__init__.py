"""scrimp: an exact verdict inside a byte budget.

Example:
    >>> import scrimp
    >>> result = scrimp.check("models/peterson.dve", store="full:compress=tree", memory="200M")
    >>> result.verdict, result.statistics.states
    (<Verdict.PROVED: 'proved'>, 20)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scrimp.checking import check as check
    from scrimp.checking import explore as explore
    from scrimp.contest.examination import Answer as Answer
    from scrimp.contest.examination import Examination as Examination
    from scrimp.contest.examination import examine as examine
    from scrimp.errors import ModelError as ModelError
    from scrimp.errors import OptionError as OptionError
    from scrimp.errors import ScrimpError as ScrimpError
    from scrimp.evidence import Goal as Goal
    from scrimp.evidence import Violation as Violation
    from scrimp.exporting import Exported as Exported
    from scrimp.exporting import export as export
    from scrimp.fairness import Fairness as Fairness
    from scrimp.frontends import Model as Model
    from scrimp.frontends import load as load
    from scrimp.laboratory.advice.advise import Advice as Advice
    from scrimp.laboratory.advice.advise import advise as advise
    from scrimp.laboratory.advice.prediction import Prediction as Prediction
    from scrimp.left_out import LeftOut as LeftOut
    from scrimp.properties import LTL as LTL
    from scrimp.properties import Acceptance as Acceptance
    from scrimp.properties import Assertions as Assertions
    from scrimp.properties import Claimed as Claimed
    from scrimp.properties import Deadlock as Deadlock
    from scrimp.properties import Faults as Faults
    from scrimp.properties import Invariant as Invariant
    from scrimp.properties import Judgement as Judgement
    from scrimp.properties import NonProgress as NonProgress
    from scrimp.properties import Property as Property
    from scrimp.properties import Reach as Reach
    from scrimp.record import Unreached as Unreached
    from scrimp.replaying import Replay as Replay
    from scrimp.replaying import replay as replay
    from scrimp.result import Result as Result
    from scrimp.resuming import resume as resume
    from scrimp.simulating import Run as Run
    from scrimp.simulating import simulate as simulate
    from scrimp.statistics import Progress as Progress
    from scrimp.statistics import Statistics as Statistics
    from scrimp.steps import Change as Change
    from scrimp.steps import Step as Step
    from scrimp.steps import StepMove as StepMove
    from scrimp.steps import Trace as Trace
    from scrimp.strategies import *  # noqa: F403
    from scrimp.system.violations import ViolationKind as ViolationKind
    from scrimp.verdict import Ending as Ending
    from scrimp.verdict import Verdict as Verdict


__version__ = "0.1.0"

_HOMES = {
    "checking": ("check", "explore"),
    "contest.examination": ("Answer", "Examination", "examine"),
    "errors": ("ModelError", "OptionError", "ScrimpError"),
    "evidence": ("Goal", "Violation"),
    "exporting": ("Exported", "export"),
    "fairness": ("Fairness",),
    "frontends": ("Model", "load"),
    "laboratory.advice.advise": ("Advice", "advise"),
    "laboratory.advice.prediction": ("Prediction",),
    "left_out": ("LeftOut",),
    "properties": (
        "Acceptance",
        "Assertions",
        "Claimed",
        "Deadlock",
        "Faults",
        "Invariant",
        "Judgement",
        "LTL",
        "NonProgress",
        "Property",
        "Reach",
    ),
    "record": ("Unreached",),
    "replaying": ("Replay", "replay"),
    "result": ("Result",),
    "resuming": ("resume",),
    "simulating": ("Run", "simulate"),
    "statistics": ("Progress", "Statistics"),
    "steps": ("Change", "Step", "StepMove", "Trace"),
    "system.violations": ("ViolationKind",),
    "verdict": ("Ending", "Verdict"),
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
    """The classes of orders, stores, reductions and methods, by name."""
    found = vars(import_module("scrimp.strategies")).items()
    return {name: each for name, each in found if isinstance(each, type) and each.__module__.startswith("scrimp.")}


def __dir__() -> list[str]:
    """What completion offers: the public names, imported or not."""
    return sorted({*globals(), *__getattr__("__all__")})
