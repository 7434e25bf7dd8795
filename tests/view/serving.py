"""Pages for tests: a session on a server of its own, and a browser that may reach nothing else."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Playwright, expect

from scrimp.frontends import load
from scrimp.viewing.comparing import Comparison
from scrimp.viewing.server import PageServer
from scrimp.viewing.session import Session

ROOT = Path(__file__).parents[2]
MODELS = ROOT / "models"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
WIDE = {"width": 1400, "height": 850}
# Milliseconds within which a page must show what a test waits for, however busy the machine is.
PATIENCE = 90_000
expect.set_options(timeout=PATIENCE)


@contextmanager
def served(session: Session | Comparison) -> Iterator[PageServer]:
    server = PageServer(session)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        session.jobs.stop_all()
        server.shutdown()
        server.server_close()
        thread.join()


def session_of(model: str, **options: Any) -> Session:
    return Session(load(MODELS / model, **options))


def launched(playwright: Playwright) -> Browser:
    """Debian's Chromium; the tests that need it are skipped where there is none."""
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed; make peers installs it")
    return playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])


class Watched:
    """A page that notes what goes wrong: errors, messages of the console, and requests to other machines."""

    def __init__(self, browser: Browser, **options: Any) -> None:
        self.context = browser.new_context(**{"viewport": WIDE, "reduced_motion": "reduce"} | options)
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.troubles: list[str] = []
        self.requests: list[str] = []
        self.page.on("pageerror", lambda error: self.troubles.append(str(error)))
        self.page.on("console", lambda message: self.troubles.append(message.text) if message.type == "error" else None)
        self.page.on("request", lambda request: self.requests.append(request.url))

    def open(self, address: str) -> Page:
        self.page.goto(address)
        self.page.wait_for_selector("html[data-ready]")
        return self.page

    def close(self) -> None:
        self.context.close()
