"""The pages of the documentation, as the tests read them."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
ROOT_PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]
PAGES = [*ROOT_PAGES, *sorted(DOCS.rglob("*.md"))]

_FENCED = re.compile(r"^( *)```(\w*)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)


def shown(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def prose_of(page: Path) -> str:
    """A page without its code blocks."""
    return _FENCED.sub("", text_of(page))


def blocks_of(page: Path, language: str = "") -> list[str]:
    return [body for _, found, body in _FENCED.findall(text_of(page)) if found == language]


def spans_of(page: Path) -> list[str]:
    """What stands between single backticks."""
    return re.findall(r"`([^`\n]+)`", prose_of(page))


def hooks() -> ModuleType:
    """docs/hooks.py, which is not part of a package."""
    spec = importlib.util.spec_from_file_location("documentation_hooks", DOCS / "hooks.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
