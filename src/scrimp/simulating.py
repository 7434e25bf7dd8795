"""simulate: one run through a model, at random or along a trace."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random

from scrimp.arguments import require_whole_number
from scrimp.errors import OptionError
from scrimp.inputs import AnyModel, model_of
from scrimp.numbers import counted
from scrimp.outputs.files import require_writable, write_whole
from scrimp.outputs.style import plain, warning
from scrimp.outputs.trace_file import Claim, TraceFile
from scrimp.outputs.trace_text import trace_lines
from scrimp.recorded import follow_recorded
from scrimp.steps import Trace, Value
from scrimp.system.reference import State
from scrimp.walking import Walk, take_random_steps

RANDOM_STEPS = 30


@dataclass(frozen=True, repr=False)
class Run:
    """A run through a model, from `simulate`. `print(run)` shows its steps.

    Attributes:
        model: the model's path.
        trace: the steps.
        ending: why there is no next step, such as "deadlock: no process can move"; None if there is one.
        values: the values of variables, array elements and channels at the end of the run; for a Petri net, the places
            that hold tokens. Empty if the last step faulted.

    Example:
        >>> import scrimp
        >>> run = scrimp.simulate("models/broken_lock.dve", steps=4, seed=1)
        >>> run
        <Run of 4 steps through models/broken_lock.dve>
        >>> run.values
        {'taken': 0, 'inside': 0}
    """

    model: str
    trace: Trace
    ending: str | None
    values: Mapping[str, Value]

    def __str__(self) -> str:
        return plain("\n".join(self.lines()))

    def __repr__(self) -> str:
        ending = "" if self.ending is None else f": {self.ending}"
        return f"<Run of {counted(len(self.trace.steps), 'step')} through {self.model}{ending}>"

    def _repr_html_(self) -> str:
        """In a notebook: the page of `scrimp view`, with this run."""
        from scrimp.outputs.page_result import notebook_trace

        return notebook_trace(self.model, self.trace, self.ending or "a simulated run")

    def lines(self) -> Iterator[str]:
        """The lines of the text, styled for a terminal."""
        yield from trace_lines(Path(self.model).name, self.trace, whole=True)
        yield from ending_lines(self.ending)

    def write_trace(self, file: str | os.PathLike[str]) -> None:
        """Write the run as a trace file, as `simulate --trace` does.

        Args:
            file: the file to write.
        """
        path = Path(file)
        require_writable(path)
        claim = Claim("simulation", "", self.ending or "a simulated run")
        write_whole(path, TraceFile(self.model, claim, self.trace).pieces())


def simulate(
    model: AnyModel, *, steps: int | None = None, seed: int = 0, guide: Trace | str | os.PathLike[str] | None = None
) -> Run:
    """Run a model once on the reference interpreter, at random.

    Args:
        model: the model, or the path of its file.
        steps: how many random steps to take: 30 by default, or none after a guide.
        seed: the seed of the random choices.
        guide: a trace, or a trace file, to follow first.

    Returns:
        The run.

    Raises:
        OptionError: for an argument that cannot be used.
        ModelError: for a mistake in the model.
        ScrimpError: if the model does not have the steps of the guide.

    Example:
        >>> import scrimp
        >>> len(scrimp.simulate("models/peterson.dve", steps=10, seed=7).trace.steps)
        10
        >>> found = scrimp.check("models/broken_lock.dve")
        >>> scrimp.simulate("models/broken_lock.dve", guide=found.trace, steps=2)
        <Run of 6 steps through models/broken_lock.dve>
    """
    if steps is not None:
        require_whole_number("steps", steps, least=0)
    require_whole_number("seed", seed, least=0)
    if guide is not None and seed and not steps:
        raise OptionError("seed: it is for random steps; with a guide it needs steps")
    walk = Walk(model_of(model))
    if guide is not None:
        follow_recorded(walk, guide)
        if steps:
            walk.forget_cycle()
    usual = RANDOM_STEPS if guide is None else 0
    take_random_steps(walk, Random(seed), usual if steps is None else steps)
    return run_of(walk)


def run_of(walk: Walk) -> Run:
    """The run that a walk has made so far."""
    return Run(walk.model.path, walk.trace, walk.ending(), _values(walk))


def _values(walk: Walk) -> dict[str, Value]:
    """The variables and channels in the state of a walk; none after a fault."""
    if not isinstance(walk.end, State):
        return {}
    return {name: value for name, value, _ in walk.words.valuation(walk.end)}


def ending_lines(ending: str | None) -> Iterator[str]:
    """Why a run cannot continue, if it cannot."""
    if ending:
        yield ""
        yield f"  {warning(ending)}"
