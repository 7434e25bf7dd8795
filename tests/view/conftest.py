from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright
from tests.view.serving import Watched, launched


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = launched(playwright)
        yield browser
        browser.close()


@pytest.fixture
def watched(browser: Browser) -> Iterator[Watched]:
    """A page; at the end of the test, nothing may have gone wrong in it."""
    watched = Watched(browser)
    yield watched
    watched.close()
    assert watched.troubles == []
    assert [
        url for url in watched.requests if not url.startswith(("http://127.0.0.1:", "file:", "data:", "about:"))
    ] == []
