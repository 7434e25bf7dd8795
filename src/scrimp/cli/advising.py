"""`scrimp methods --advise`: samples of a model, and what they say about whole searches."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from scrimp.cli.options import ModelOptions, model_arguments
from scrimp.errors import OptionError

if TYPE_CHECKING:
    from scrimp.laboratory.advice.advise import Advice
    from scrimp.laboratory.advice.prediction import Prediction
    from scrimp.laboratory.advice.size import Range

SAMPLE_SECONDS = 5.0


def advise_and_report(
    path: Path, memory: int | None, seconds: float | None, defines: tuple[tuple[str, str], ...], ignore_property: bool
) -> int:
    from scrimp.laboratory.advice.advise import advise
    from scrimp.outputs.screen import say

    if seconds == 0:
        raise OptionError("--sample: expected a time such as 5s, found none at all")
    model = ModelOptions(model=path, defines=defines, ignore_property=ignore_property).load()
    advice = advise(model, memory, SAMPLE_SECONDS if seconds is None else seconds)
    limit = [] if memory is None else ["--memory", _in_mib(memory)]
    method = advice.recommended.method
    chosen = ["--order", str(method.order), "--store", str(method.store)]
    chosen += ["--reduce", str(method.reduction)] if method.reduction.leaves_out else []
    told = model_arguments(defines, ignore_property)
    command = shlex.join(["scrimp", "check", str(path), *chosen, *limit, *told])
    say([*advice_lines(path.name, advice), "", f"  {command}"])
    return 0


def _in_mib(memory: int) -> str:
    return f"{memory // 2**20}M" if memory % 2**20 == 0 else str(memory)


def advice_lines(name: str, advice: Advice) -> Iterator[str]:
    from scrimp.laboratory.tables import text_lines
    from scrimp.numbers import amount, count, duration
    from scrimp.outputs.style import dim, strong

    states = _shown(advice.states, lambda value: count(_rounded(value)))
    yield f"{strong(name)}  {states} states; the engine may hold {amount(advice.budget)}"
    rows = [
        [
            strong(str(each.method)) if each is advice.recommended else str(each.method),
            _fits(each),
            _shown(each.held, amount),
            _shown(each.seconds, duration),
        ]
        for each in advice.predictions
    ]
    header = [dim(heading) for heading in ("method", "within the memory", "held by the engine", "time")]
    yield from text_lines(header, rows, left=2)
    for method, reason in advice.refused.items():
        yield f"  {dim(f'{method}:')} {reason}"


def _fits(prediction: Prediction) -> str:
    return prediction.fit + (", measured" if prediction.is_measured else "")


def _shown(value: Range, text: Callable[[float], str]) -> str:
    if value.is_known:
        return text(value.likely)
    return f"about {text(value.likely)} ({text(value.low)} to {text(value.high)})"


def _rounded(value: float) -> int:
    """To two digits where it is an estimate, which is no whole number."""
    digits = 2 - len(str(int(value))) if value != int(value) else 0
    return int(round(value, min(digits, 0)))
