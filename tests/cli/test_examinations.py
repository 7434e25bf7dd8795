"""`scrimp check --properties`: answers as a table, and in the contest's format."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.conftest import Scrimp

MODELS = Path(__file__).parents[2] / "models"
NET, PROPERTIES = str(MODELS / "philosophers.pnml"), str(MODELS / "philosophers.xml")


def test_the_contest_format_has_a_line_for_each_formula(scrimp: Scrimp) -> None:
    result = scrimp("check", NET, "--properties", PROPERTIES, "--mcc")
    assert result.out.splitlines() == [
        "FORMULA two-eat FALSE TECHNIQUES SEQUENTIAL_PROCESSING EXPLICIT",
        "FORMULA can-go-on FALSE TECHNIQUES SEQUENTIAL_PROCESSING EXPLICIT",
        "FORMULA forks 3 TECHNIQUES SEQUENTIAL_PROCESSING EXPLICIT",
    ]
    assert result.code == 1


def test_an_unknown_answer_is_said_so_in_the_contest_format(scrimp: Scrimp) -> None:
    result = scrimp("check", NET, "--properties", PROPERTIES, "--mcc", "--depth", "1")
    assert result.out.splitlines()[0] == "FORMULA two-eat CANNOT_COMPUTE TECHNIQUES SEQUENTIAL_PROCESSING EXPLICIT"
    assert result.code == 3


def test_the_report_is_a_table(scrimp: Scrimp) -> None:
    lines = scrimp("check", NET, "--properties", PROPERTIES).out.splitlines()
    assert lines[0] == "REFUTED  of 3 formulas, 2 are FALSE, 1 bound known"
    assert "  forks      3      3 tokens at most" in lines


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--properties", PROPERTIES, "--reach", "fork"], "--reach has no effect with --properties"),
        (["--properties", PROPERTIES, "--violations", "all"], "--violations has no effect with --properties"),
        (["--mcc"], "--mcc needs --properties"),
        (["--properties", "absent.xml"], "absent.xml: cannot be read: No such file or directory"),
    ],
)
def test_options_without_effect_are_refused(scrimp: Scrimp, arguments: list[str], message: str) -> None:
    result = scrimp("check", NET, *arguments)
    assert result.code == 2
    assert message in result.err
