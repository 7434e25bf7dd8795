"""The pictures of the page in the documentation: `python -m tests.view.pictures` makes them again."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright
from tests.view.serving import MODELS, ROOT, Watched, launched, served

from scrimp.checking import check
from scrimp.frontends import load
from scrimp.viewing.session import Session

FOLDER = ROOT / "docs" / "pictures"
SIZE = {"width": 1280, "height": 720}
COLOURS = 96
STUCK = "[] <> (First.critical)"


def _trace(page: Page) -> None:
    page.keyboard.press("End")
    for _ in range(6):
        page.keyboard.press("k")
    expect(page.locator("#place")).to_have_text("step 42 of 48")


def _messages(page: Page) -> None:
    page.get_by_role("button", name="Messages").click()
    page.locator(".steps .row.message").nth(9).click()
    expect(page.locator(".row.message.current")).to_be_visible()


def _graph(page: Page) -> None:
    page.keyboard.press("Home")
    page.keyboard.press("g")
    expect(page.locator(".graph-node.centre")).to_be_visible()


def _search(page: Page) -> None:
    page.keyboard.press("q")
    expect(page.locator(".card figure").first).to_be_visible()


def _why(page: Page) -> None:
    page.keyboard.press("Home")
    page.keyboard.press("y")
    expect(page.locator(".why .node").first).to_be_visible()


COMMIT = ("two_phase_commit_impatient.pml", "")
PETERSON = ("peterson.dve", STUCK)
PICTURES: dict[str, tuple[tuple[str, str], str, Callable[[Page], None]]] = {
    "page-trace": (COMMIT, "light", _trace),
    "page-messages": (COMMIT, "dark", _messages),
    "page-graph": (PETERSON, "light", _graph),
    "page-search": (COMMIT, "light", _search),
    "page-why": (PETERSON, "light", _why),
}


def session_for(model: str, formula: str) -> Session:
    session = Session(load(MODELS / model))
    result = check(session.model, ltl=formula) if formula else check(session.model)
    session.jobs.finished("scrimp check", result, session.publish)
    return session


def take(browser: Browser, name: str, folder: Path) -> Path:
    """Take a picture; few colours make a small file."""
    (model, formula), scheme, prepare = PICTURES[name]
    watched = Watched(browser, viewport=SIZE, color_scheme=scheme)
    with served(session_for(model, formula)) as server:
        prepare(watched.open(server.address))
        watched.page.wait_for_load_state("networkidle")
        image = Image.open(BytesIO(watched.page.screenshot(animations="disabled")))
    watched.close()
    file = folder / f"{name}.png"
    image.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(file, optimize=True)
    return file


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = launched(playwright)
        for name in PICTURES:
            print(take(browser, name, FOLDER))
        browser.close()


if __name__ == "__main__":
    main()
