"""The site of `make docs`: every page can be reached, and it builds without a warning."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from fnmatch import fnmatch
from pathlib import Path

import pytest
from tests.documentation.pages import DOCS, PAGES, ROOT, hooks, text_of

CONFIGURATION = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
NAVIGATION = re.findall(r"^ +- (?:[^:\n]+: )?(\S+\.md)$", CONFIGURATION, re.MULTILINE)
SITE = hooks()
IN_THE_SITE = [
    *SITE.ROOT_PAGES.values(),
    *(path.relative_to(DOCS).as_posix() for path in PAGES if DOCS in path.parents),
]


def test_every_page_is_in_the_navigation() -> None:
    assert [page for page in IN_THE_SITE if not any(fnmatch(page, pattern) for pattern in NAVIGATION)] == []


def test_the_navigation_names_pages_that_exist() -> None:
    assert [entry for entry in NAVIGATION if "*" not in entry and entry not in IN_THE_SITE] == []


def test_a_pattern_in_the_navigation_stands_for_all_matching_pages() -> None:
    (section,) = SITE.expanded([{"Languages": ["dve.md", "decisions/0001*.md"]}])
    assert section == {"Languages": ["dve.md", "decisions/0001-model-code-is-bytes.md"]}


def test_links_between_the_root_and_docs_become_links_of_the_site() -> None:
    assert SITE.with_site_links("[a](docs/dve.md#what-is-read)", ROOT) == "[a](dve.md#what-is-read)"
    assert SITE.with_site_links("[a](../../CONTRIBUTING.md)", DOCS / "methods") == "[a](../contributing.md)"
    assert SITE.with_site_links("[`lock`](models/broken_lock.dve)", ROOT) == "`lock`"
    assert SITE.with_site_links("[a](https://semver.org)", ROOT) == "[a](https://semver.org)"


def test_the_site_loads_no_fonts_from_other_hosts() -> None:
    assert "font: false" in CONFIGURATION


@pytest.mark.skipif(importlib.util.find_spec("mkdocs") is None, reason="mkdocs is not installed: make docs")
def test_the_site_builds_without_a_warning(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path / "site")]
    environment = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    built = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert built.returncode == 0, built.stderr
    assert "WARNING" not in built.stderr
    pages = [
        page.relative_to(tmp_path / "site").with_suffix(".md").as_posix()
        for page in (tmp_path / "site").rglob("*.html")
    ]
    assert set(IN_THE_SITE) <= set(pages)
    assert "scrimp.check" in text_of(tmp_path / "site" / "reference.html")
