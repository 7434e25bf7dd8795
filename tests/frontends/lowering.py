"""Promela in, parts of the system out, as text."""

from __future__ import annotations

import re
from dataclasses import replace

from scrimp.frontends.model import Model
from scrimp.frontends.promela import PromelaGrowth, read_model
from scrimp.frontends.promela.planning.plan import Plan
from scrimp.system.system import System, Transition
from scrimp.system.text import print_system

_MOVE = re.compile(r"^  .* -> .* at \d+:\d+( as .*)?;$")


def model_of(text: str) -> Model:
    return read_model("model.pml", text, {}, False)


def system_of(text: str) -> System:
    return model_of(text).system


def plan_of(model: Model) -> Plan:
    assert isinstance(model.growth, PromelaGrowth)
    return model.growth.plan


def declared(text: str) -> list[str]:
    """The variables and channels of a model's system."""
    lines = print_system(system_of(text)).splitlines()
    return [line.replace('"', "").rstrip(";") for line in lines if line.startswith(("variable ", "channel "))]


def does(text: str, statement: str) -> list[str]:
    """The guard and effect of each transition of a statement, in order."""
    system = system_of(text)
    return [shown(system, transition) for transition in transitions(system, statement)]


def transitions(system: System, statement: str) -> list[Transition]:
    return [transition for transition in system.transitions if transition.moves[0].text == statement]


def shown(system: System, transition: Transition) -> str:
    text = print_system(replace(system, transitions=(transition,)))
    lines = text[text.index("\ntransition") + 1 :].strip().splitlines()[1:-1]
    return " ".join(line.strip() for line in lines if not _MOVE.match(line)).replace('"', "").removesuffix(";")
