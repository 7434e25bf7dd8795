"""The tutorial is a notebook that runs from top to bottom; its assertions are its expectations."""

from __future__ import annotations

import importlib.util
import json

import pytest
from tests.documentation.pages import DOCS, ROOT

NOTEBOOK = DOCS / "tutorial.ipynb"
NEEDED = [name for name in ("nbclient", "nbformat", "ipykernel") if importlib.util.find_spec(name) is None]


@pytest.mark.skipif(bool(NEEDED), reason=f"not installed: {', '.join(NEEDED)}")
def test_the_tutorial_runs() -> None:
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.reads(NOTEBOOK.read_text(encoding="utf-8"), as_version=4)  # type: ignore[no-untyped-call]
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(ROOT)}}).execute()
    outputs = [output.get("text", "") for cell in notebook.cells for output in cell.get("outputs", ())]
    assert [text.split()[0] for text in outputs if text.startswith(("REFUTED", "PROVED"))] == [
        "REFUTED",
        "PROVED",
        "REFUTED",
    ]


def test_the_notebook_is_stored_without_outputs() -> None:
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    assert [cell for cell in cells if cell.get("outputs") or cell.get("execution_count")] == []
