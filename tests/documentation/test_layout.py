"""How pages are laid out."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.documentation.pages import PAGES, ROOT, prose_of, shown

WIDTH = 100


@pytest.mark.parametrize("page", PAGES, ids=shown)
def test_prose_is_wrapped(page: Path) -> None:
    """Tables, headings and images cannot be wrapped."""
    lines = [line for line in prose_of(page).splitlines() if not line.startswith(("|", "#", "!"))]
    assert [line for line in lines if len(line) > WIDTH] == []


@pytest.mark.parametrize("page", PAGES, ids=shown)
def test_lists_and_tables_follow_an_empty_line(page: Path) -> None:
    """The site would show them as running text otherwise."""
    starts = re.findall(r"^(?![-|\d ]).+\n((?:- |\d+\. |\|).*)$", prose_of(page), re.MULTILINE)
    assert starts == []


@pytest.mark.parametrize("page", PAGES, ids=shown)
def test_a_page_has_one_title(page: Path) -> None:
    assert len(re.findall(r"^# ", prose_of(page), re.MULTILINE)) == 1


def test_a_changelog_entry_stands_under_a_version_and_a_part() -> None:
    lines = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").splitlines()
    headings = [line for line in lines if line.startswith("#")]
    versions = [line for line in headings if line.startswith("## ")]
    assert all(re.fullmatch(r"## (Unreleased|\d+\.\d+\.\d+.*)", line) for line in versions)
    assert next(line for line in lines if line.startswith(("- ", "### "))).startswith("### ")
