"""Pages of results are wrapped at 100 columns."""

from __future__ import annotations

from scrimp.laboratory.tables import wrapped_page

LONG = "word " * 30


def test_paragraphs_are_wrapped() -> None:
    assert [len(line) for line in wrapped_page(LONG).splitlines()] == [99, 49]


def test_list_items_are_wrapped_one_by_one_and_indented() -> None:
    lines = wrapped_page(f"- {LONG}\n- second").splitlines()
    assert [line[:3] for line in lines] == ["- w", "  w", "- s"]


def test_headings_tables_and_code_are_left_alone() -> None:
    page = f"# {LONG}\n\n| {LONG} |\n| --- |\n\n```\n{LONG}\n\n{LONG}\n```\n"
    assert wrapped_page(page) == page


def test_a_wrapped_page_stays_as_it_is() -> None:
    page = wrapped_page(f"# Title\n\n{LONG}\n\n- {LONG}\n- second\n")
    assert wrapped_page(page) == page
