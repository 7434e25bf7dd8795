"""replay: follow a trace and confirm that it ends as it claims."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from scrimp.errors import ScrimpError
from scrimp.frontends.model import Model
from scrimp.inputs import AnyModel, model_of
from scrimp.lassos import has_bad_prefix, violates
from scrimp.numbers import counted
from scrimp.outputs.style import good, plain
from scrimp.outputs.trace_file import Claim
from scrimp.outputs.trace_text import trace_lines
from scrimp.recorded import follow_recorded, name_of
from scrimp.steps import Trace
from scrimp.system import reference
from scrimp.system.reference import EvaluationFault, Fault, State
from scrimp.temporal import question_of
from scrimp.walking import Walk


@dataclass(frozen=True, repr=False)
class Replay:
    """A trace that was followed and confirmed, from `replay`. `print(replay)` shows its steps and what they end in.

    Attributes:
        model: the model's path.
        trace: the steps, as the reference interpreter took them.
        shows: what the trace ends in, such as "deadlock: no process can move".

    Example:
        >>> import scrimp
        >>> found = scrimp.check("models/broken_lock.dve")
        >>> scrimp.replay("models/broken_lock.dve", found.trace)
        <Replay of 4 steps through models/broken_lock.dve: a path of the model>
    """

    model: str
    trace: Trace
    shows: str

    def __str__(self) -> str:
        return plain("\n".join(self.lines()))

    def __repr__(self) -> str:
        return f"<Replay of {counted(len(self.trace.steps), 'step')} through {self.model}: {self.shows}>"

    def _repr_html_(self) -> str:
        """In a notebook: the page of `scrimp view`, with this trace."""
        from scrimp.outputs.page_result import notebook_trace

        return notebook_trace(self.model, self.trace, self.shows)

    def lines(self) -> Iterator[str]:
        """The lines of the text, styled for a terminal."""
        yield from trace_lines(Path(self.model).name, self.trace)
        yield ""
        yield self.verdict_line

    @property
    def verdict_line(self) -> str:
        """The outcome in one line, styled for a terminal."""
        return f"{good('CONFIRMED')}  {self.shows}, after {counted(len(self.trace.steps), 'step')}"


def replay(model: AnyModel, trace: Trace | str | os.PathLike[str]) -> Replay:
    """Follow a trace through a model on the reference interpreter, and confirm that it ends as it claims.

    Args:
        model: the model, or the path of its file.
        trace: a trace file, written by `Result.write_trace`, `Run.write_trace` or `--trace`, or one of SPIN's trails;
            or a `Trace`, which only claims to be a path of the model.

    Returns:
        The trace as it was followed.

    Raises:
        ModelError: for a mistake in the model.
        ScrimpError: if the model does not have these steps, or they do not end as the file claims.

    Example:
        >>> import scrimp, tempfile
        >>> folder = tempfile.TemporaryDirectory()
        >>> scrimp.check("models/broken_lock.dve").write_trace(f"{folder.name}/trace.json")
        True
        >>> scrimp.replay("models/broken_lock.dve", f"{folder.name}/trace.json").shows
        'First.critical: inside == 1 does not hold'
    """
    walk = Walk(model_of(model))
    shows = follow_recorded(walk, trace)
    if shows is None:
        length = counted(walk.length, "step")
        raise ScrimpError(f"{name_of(trace)}: nothing is wrong at the end of the trail, after {length}")
    if not confirmed(walk, shows):
        raise ScrimpError(f"{name_of(trace)}: the trace does not end as it claims: {shows.message}")
    return Replay(walk.model.path, walk.trace, shows.message)


def confirmed(walk: Walk, claim: Claim) -> bool:
    """Whether a trace that was followed ends as it claims."""
    end = walk.end
    if claim.kind == "simulation":
        return True
    if claim.kind == "cycle" or (claim.kind == "fault" and walk.closes):
        return walk.closes and (claim.kind == "cycle" or walk.goes_on_alone)
    faults = [*walk.failed, *([end] if isinstance(end, Fault) else [])]
    if any((fault.kind, fault.message) == (claim.kind, claim.message) for fault in faults):
        return True
    if (question := question_of(walk.model, claim.kind, claim.name)) is not None:
        trace = walk.trace
        events = [step.event for step in trace.steps]
        if trace.cycle is None:
            return has_bad_prefix(walk.model, question, events)
        return violates(walk.model, question, events, [step.event for step in trace.cycle])
    if claim.kind in ("assertion", "fault", "never") or isinstance(end, Fault):
        return False
    if claim.kind == "deadlock":
        return reference.is_deadlock(walk.system, end)
    return _holds(walk.model, claim.name, end) == (claim.kind == "goal")


def _holds(model: Model, name: str, state: State) -> bool:
    """Whether an invariant holds in a state: the one declared under this name or, if there is none, the name read as an
    expression."""
    declared = [invariant.test for invariant in model.system.invariants if invariant.name == name]
    try:
        return reference.evaluate(model.system, state, declared[0] if declared else model.expression(name)) != 0
    except EvaluationFault:
        return False
