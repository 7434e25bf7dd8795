"""`scrimp methods --advise`: predictions for a model, and the command to run."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from scrimp.cli.options import ModelOptions, model_arguments
from scrimp.compatibility import why_one_thread
from scrimp.errors import OptionError

if TYPE_CHECKING:
    from scrimp.frontends import Language

SAMPLE_SECONDS = 5.0


def advise_and_report(
    path: Path,
    memory: int | None,
    seconds: float | None,
    threads: int | None,
    language: Language | None,
    defines: tuple[tuple[str, str], ...],
    ignore_property: bool,
) -> int:
    from scrimp.laboratory.advice.advise import advise
    from scrimp.outputs.screen import say

    if seconds == 0:
        raise OptionError("--sample: expected a time such as 5s, found 0")
    model = ModelOptions(model=path, language=language, defines=defines, ignore_property=ignore_property).load()
    advice = advise(model, memory=memory, sample=SAMPLE_SECONDS if seconds is None else seconds, threads=threads)
    method = advice.recommended.method
    command = ["scrimp", "check", str(path), "--order", str(method.order), "--store", str(method.store)]
    command += ["--reduce", str(method.reduction)] if method.reduction.leaves_out else []
    command += [] if memory is None else ["--memory", _in_mib(memory if advice.has_room else advice.smallest_with_disk)]
    command += [] if threads is None or why_one_thread(method) else ["--threads", str(threads)]
    command += [] if language is None else ["--language", language]
    command += model_arguments(defines, ignore_property)
    say([*advice.lines(), "", f"  {shlex.join(command)}"])
    return 0


def _in_mib(memory: int) -> str:
    return f"{memory // 2**20}M" if memory % 2**20 == 0 else str(memory)
