"""The call chain from `main()` to the search is short, so that a command is easy to follow through the code."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from scrimp import runner, searching
from scrimp.cli import main

ROOT = Path(main.__code__.co_filename).parents[1]
MODEL = "process p { state a, b; init a; trans a -> b {}; }\nsystem async;\n"


@pytest.mark.parametrize(
    ("command", "between"),
    [
        (["check", "--allow-deadlock"], ["check_states", "search_reduced", "_unreduced", "_small_search"]),
        (["check", "--allow-deadlock", "--reduce", "none"], ["check_states"]),
        (["explore"], []),
        (["export", "-o", "m.aut"], []),
    ],
    ids=str,
)
def test_few_functions_of_scrimp_lead_from_the_command_line_to_the_engine(
    command: list[str], between: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    frames: list[tuple[str, str]] = []

    class Watched(runner.Search):
        """The search, recording its callers."""

        def start(self, *arguments: Any) -> None:
            frame = sys._getframe(1)
            while frame is not None and frame.f_code is not main.__code__:
                frames.append((frame.f_code.co_name, frame.f_code.co_filename))
                frame = frame.f_back  # type: ignore[assignment]
            super().start(*arguments)

    monkeypatch.setattr(searching, "Search", Watched)
    monkeypatch.setattr("scrimp.cli.hear_kills_as_interrupts", lambda: None)
    monkeypatch.chdir(tmp_path)
    Path("m.dve").write_text(MODEL)
    monkeypatch.setattr(sys, "argv", ["scrimp", command[0], "m.dve", *command[1:], "--quiet"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 0
    ours = [(name, file) for name, file in frames if Path(file).is_relative_to(ROOT)]
    chain = ["run", "command", command[0], *between, "search", "search_by_method"]
    assert [name for name, _ in reversed(ours)] == chain
    assert len({file for _, file in ours}) <= 5
