"""Small models in Python for tests: a class around the part that a test is about."""

from __future__ import annotations

from scrimp.frontends.model import Model
from scrimp.frontends.python import read_model
from scrimp.system.reference import Exploration, Fault, explore, firings, initial

HEADER = """\
from dataclasses import dataclass, replace
from enum import Enum
from typing import Annotated, Final
from scrimp.modelling import Array, Event, Lock, Map, Model, Queue, Range, Semaphore, action, always, choose
from scrimp.modelling import eventually, final, leads_to, process, reachable, require, step, until

class Color(Enum):
    RED = 1
    BLUE = 2

class M(Model):
"""


def model(members: str, *, ignore_property: bool = False, **defines: str) -> Model:
    """The model whose class has these members."""
    body = "".join(f"    {line}\n" for line in members.strip("\n").splitlines())
    return read_model("model.py", HEADER + body, defines, ignore_property)


def explored(members: str) -> Exploration:
    return explore(model(members).system)


def first_fault(members: str) -> str:
    """The message of the first fault that a step from the initial state ends in."""
    system = model(members).system
    return next(
        firing.outcome.after.message
        for firing in firings(system, initial(system))
        if isinstance(firing.outcome.after, Fault)
    )
