"""Every text that SPIN accepts is parsed."""

from __future__ import annotations

import csv

import pytest
from tests.corpus.corpus import CORPUS, needs_corpus

from scrimp.frontends.promela.program.parse import parse_model


def accepted_by_spin() -> list[tuple[str, str]]:
    """The models of the corpus that SPIN accepts, each with its defines."""
    if not CORPUS.is_dir():
        return []
    with (CORPUS / "promela" / "spin_counts.csv").open() as table:
        rows = [
            (row["file"], row["defines"])
            for row in csv.DictReader(table)
            if row["mode"] == "plain" and row["result"] == "ok"
        ]
    return sorted(set(rows))


@needs_corpus
@pytest.mark.parametrize(("file", "defines"), accepted_by_spin())
def test_a_model_that_spin_accepts_is_parsed(file: str, defines: str) -> None:
    path = CORPUS / "promela" / file
    given = dict(define.removeprefix("-D").split("=") for define in defines.split())
    assert parse_model(str(path), path.read_text(encoding="latin-1"), given).proctypes
