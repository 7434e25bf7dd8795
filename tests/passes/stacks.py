"""A random model whose processes start others and end, before and after its processes end early."""

from __future__ import annotations

from tests.passes.random_stacks import random_stack

from scrimp.frontends.model import Model
from scrimp.frontends.promela import read_model
from scrimp.growth import settled
from scrimp.passes import Ends, Pass, Passed, passed
from scrimp.passes.answers import answers, compared
from scrimp.system.validate import validate

MOST_STATES = 3_000


def model_of(text: str) -> Model:
    """The model of a text, in a size that its first states need."""
    return settled(read_model("model.pml", text, {}, ignore_property=True))


def ended(text: str, passes: tuple[Pass, ...] = (Ends(),)) -> Passed:
    return passed(model_of(text).system, (), passes)


def ends_early(text: str) -> bool:
    """Whether processes of a model end early."""
    return any(note.name == "ends" for note in ended(text).notes)


def difference(text: str, passes: tuple[Pass, ...] = (Ends(),)) -> str | None:
    """How the answers of a model differ if its processes end early: empty if they do not, None if they do not end
    early, or if it has too many states."""
    system = model_of(text).system
    smaller = passed(system, (), passes)
    if all(note.name != "ends" for note in smaller.notes) or answers(system, (), MOST_STATES) is None:
        return None
    validate(smaller.system)
    return compared(system, smaller, (), MOST_STATES)


def first_difference(kind: str, seeds: range, passes: tuple[Pass, ...] = (Ends(),)) -> str:
    """The first of some random models whose answers differ, and how; empty if none does."""
    for seed in seeds:
        if found := difference(random_stack(seed, kind), passes):
            return f"{kind} {seed}: {found}"
    return ""
