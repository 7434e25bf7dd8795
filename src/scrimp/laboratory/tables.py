"""Tables for people and for other programs: aligned text, Markdown, CSV."""

from __future__ import annotations

import csv
import io
import re
import textwrap
from collections.abc import Iterator, Sequence
from typing import Any

import click

Rows = Sequence[Sequence[str]]


def text_lines(header: Sequence[str], rows: Rows, left: int = 1) -> Iterator[str]:
    """A table with columns as wide as necessary; the first `left` are left-aligned, the others right-aligned."""
    table = [list(header), *map(list, rows)]
    widths = [max(len(click.unstyle(row[column])) for row in table) for column in range(len(header))]
    for row in table:
        padded = [
            _padded(cell, width, column < left) for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield "  " + "  ".join(padded).rstrip()


def _padded(cell: str, width: int, to_the_left: bool) -> str:
    space = " " * (width - len(click.unstyle(cell)))
    return cell + space if to_the_left else space + cell


def markdown(header: Sequence[str], rows: Rows) -> str:
    return "\n".join(f"| {' | '.join(row)} |" for row in (header, ["---"] * len(header), *rows))


def wrapped(text: str, indent: str = "") -> str:
    """A paragraph of a Markdown page, at most 100 columns wide."""
    return textwrap.fill(
        " ".join(text.split()), 100, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def wrapped_page(text: str) -> str:
    """A Markdown page whose paragraphs and list items are wrapped; headings, tables and code stay as they are."""
    blocks: list[str] = []
    is_code = False
    for block in text.split("\n\n"):
        fences = block.count("```")
        if is_code or fences or block.startswith(("#", "|", "!")):
            blocks.append(block)
        else:
            items = re.split(r"\n(?=- )", block)
            blocks.append("\n".join(wrapped(each, indent="  " if each.startswith("- ") else "") for each in items))
        is_code ^= fences % 2 == 1
    return "\n\n".join(blocks).rstrip("\n") + "\n"


def csv_text(header: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return out.getvalue()
