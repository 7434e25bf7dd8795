"""The comparison of `scrimp bench` on the page: runs, with notes where a count is not that of all states."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scrimp.errors import OptionError
from scrimp.outputs.page import single_file
from scrimp.outputs.page_states import Json
from scrimp.strategies import Method


def comparison_record(cells: Sequence[Mapping[str, Json]], settings: Mapping[str, Json]) -> Json:
    """The data of the page, from the cells of a report as `report.json` has them."""
    full = {cell["model"]: cell["states"] for cell in cells if cell["status"] == "complete" and _counts_all(cell)}
    noted = [{**cell, "note": _note(cell, full.get(cell["model"]))} for cell in cells]
    return {"settings": dict(settings), "cells": noted}


def comparison_page(cells: Sequence[Mapping[str, Json]], settings: Mapping[str, Json]) -> str:
    """The comparison as a single file."""
    opened = {"name": "scrimp bench", "comparison": comparison_record(cells, settings)}
    return single_file({"open": opened, "walks": []}, title="scrimp bench")


def _counts_all(cell: Mapping[str, Json]) -> bool:
    """Whether a method counts every reachable state exactly."""
    method = _method(cell)
    return bool(cell["states_exact"]) and method is not None and method.reduction.keeps_all_states and method.exact


def _note(cell: Mapping[str, Json], full: int | None) -> str:
    method = _method(cell)
    if cell["status"] != "complete" or method is None:
        return ""
    if not method.reduction.keeps_all_states:
        of = "" if full is None else f" of {full:,}"
        return f"the reduction {method.reduction} leaves out states: {cell['states']:,}{of} counted"
    if not method.exact:
        return "an inexact store: states may have been lost"
    return "" if cell["states_exact"] else "the number of states is an estimate"


def _method(cell: Mapping[str, Json]) -> Method | None:
    try:
        return Method.parse(cell["method"])
    except OptionError:  # another tool
        return None
